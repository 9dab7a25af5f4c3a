import { facetFields, type FacetField } from '../../../contract.ts';
import type { NumberRange, SearchFilter } from '../../../search-port.ts';
import { codeOf, firstCut, isExact, type Cuts } from '../codes.ts';
import { firstAbove, firstAtLeast, knownLength } from '../permutation.ts';
import type { Reading } from './reading.ts';
import { byteAt, floatAt, wordAt } from '../typed-arrays.ts';

const lowestKnown = 1;
/** Above every code that occurs. */
const highestCode = 65_535;

const isActive = ({ low, high }: NumberRange): boolean => low !== -Infinity || high !== Infinity;

export const hasActiveRange = ({ ranges }: SearchFilter): boolean =>
  facetFields.some((field) => isActive(ranges[field]));

type Places = readonly [from: number, to: number];

/** Where the rows of a bound's code stand that lie below it, in the ascending order of its column. */
const placesBelow = ({ snapshot }: Reading, field: FacetField, cuts: Cuts, bound: number): Places => {
  const order = snapshot.orders.asc[field];
  const values = snapshot.columns.numbers[field];
  const cut = firstCut(cuts, bound);
  const from = cut === 0 ? 0 : firstAbove(order, values, floatAt(cuts, cut - 1));
  return [from, firstAtLeast(order, values, bound)];
};

/** The same for those that lie above it. */
const placesAbove = ({ snapshot }: Reading, field: FacetField, cuts: Cuts, bound: number): Places => {
  const order = snapshot.orders.asc[field];
  const values = snapshot.columns.numbers[field];
  const cut = firstCut(cuts, bound);
  const to =
    cut === cuts.length ? knownLength(order, values) : firstAtLeast(order, values, floatAt(cuts, cut));
  return [firstAbove(order, values, bound), to];
};

const fail = (reading: Reading, field: FacetField, [from, to]: Places): void => {
  const { mask } = reading.kernel;
  const order = reading.snapshot.orders.asc[field];
  const bit = 1 << facetFields.indexOf(field);
  for (let place = from; place < to; place++) {
    const slot = wordAt(order, place);
    mask[slot] = byteAt(mask, slot) | bit;
  }
};

const codesOf = (reading: Reading, field: FacetField, range: NumberRange): readonly [number, number] => {
  if (!isActive(range)) return [0, highestCode];
  const cuts = reading.generation.cuts[field];
  const low = range.low === -Infinity ? lowestKnown : codeOf(cuts, range.low);
  const high = range.high === Infinity ? highestCode : codeOf(cuts, range.high);
  if (low > high) return [highestCode, highestCode];
  if (range.low !== -Infinity && !isExact(low)) {
    fail(reading, field, placesBelow(reading, field, cuts, range.low));
  }
  if (range.high !== Infinity && !isExact(high)) {
    fail(reading, field, placesAbove(reading, field, cuts, range.high));
  }
  return [low, high];
};

/**
 * Eight ranges as codes for the kernel. A bound between two cuts takes its code whole; the few rows of that code
 * that lie outside are failed here, in the mask, which must hold the candidates already.
 */
export const codeRanges = (reading: Reading, ranges: SearchFilter['ranges']): Uint16Array => {
  const codes = new Uint16Array(2 * facetFields.length);
  facetFields.forEach((field, facet) => codes.set(codesOf(reading, field, ranges[field]), 2 * facet));
  return codes;
};
