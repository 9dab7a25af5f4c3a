import { facetFields, type FacetField } from '../../../contract.ts';
import type { NumberRange, SearchFilter } from '../../../search-port.ts';
import { emptyBucket, firstBucket, unknownBucket } from '../snapshot/buckets.ts';
import { facetCount } from '../kernel/kernel.ts';
import { bucketOfBound, placeAbove, placeAtLeast } from './places.ts';
import type { Reading } from './snapshot-view.ts';
import { byteAt, wordAt } from '../snapshot/typed-arrays.ts';

const isActive = ({ low, high }: NumberRange): boolean => low !== -Infinity || high !== Infinity;

export const hasActiveRange = ({ ranges }: SearchFilter): boolean =>
  facetFields.some((field) => isActive(ranges[field]));

/** Marks in the mask what stands from one place to another in the ascending order of a column. */
const fail = (reading: Reading, field: FacetField, bit: number, from: number, to: number): void => {
  const { mask } = reading.kernel;
  const order = reading.snapshot.orders.asc[field];
  for (let place = from; place < to; place++) {
    const slot = wordAt(order, place);
    mask[slot] = byteAt(mask, slot) | bit;
  }
};

/** The bucket of the low bound; what lies in it below the bound is failed. */
const lowestOf = (reading: Reading, field: FacetField, bit: number, low: number): number => {
  const own = bucketOfBound(reading, field, low);
  fail(reading, field, bit, own.from, placeAtLeast(reading, field, low, own));
  return own.bucket;
};

/** The bucket of the high bound; what lies in it above the bound is failed. */
const highestOf = (reading: Reading, field: FacetField, bit: number, high: number): number => {
  const own = bucketOfBound(reading, field, high);
  fail(reading, field, bit, placeAbove(reading, field, high, own), own.to);
  return own.bucket;
};

/**
 * Eight ranges as buckets for the kernel. The bucket of a bound is taken whole; the few rows in it that lie outside
 * are failed here, in the mask, which must hold the candidates already.
 */
export const bucketRanges = (reading: Reading, ranges: SearchFilter['ranges']): Uint8Array => {
  const buckets = new Uint8Array(2 * facetCount);
  facetFields.forEach((field, facet) => {
    const { low, high } = ranges[field];
    const isOpen = !isActive(ranges[field]);
    const bit = 1 << facet;
    const lowestOpen = isOpen ? unknownBucket : firstBucket;
    buckets[facet] = low === -Infinity ? lowestOpen : lowestOf(reading, field, bit, low);
    buckets[facetCount + facet] = high === Infinity ? emptyBucket : highestOf(reading, field, bit, high);
  });
  return buckets;
};
