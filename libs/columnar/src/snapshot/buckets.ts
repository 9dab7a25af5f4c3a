import { binOf, innerEdges, type FacetEdges } from '@tapedeck/search-engine/catalogue';
import { scales, type FacetField, type Scale } from '@tapedeck/search-engine/contract';
import { binOffset, bucketCount } from '../kernel/layout.ts';
import { finiteLength, firstAbove, firstAtLeast, knownLength, type Permutation } from './permutation.ts';
import { byteAt, floatAt, sharedFloats, wordAt } from './typed-arrays.ts';

/**
 * The values at which the buckets of a field start, ascending: bucket 0 is "unknown", bucket 1 is below cut 0, bucket
 * i + 2 starts at cut i. The bin edges of all three scales are cuts, so that a bin is a run of buckets. The other cuts
 * divide the rows evenly, so that few rows share a bucket with a bound that is not a cut.
 */
export type BucketCuts = Float64Array;

export const unknownBucket = 0;
export const firstBucket = 1;
/** No row is in this bucket. */
export const emptyBucket = bucketCount - 1;
const maxCuts = emptyBucket - firstBucket - 1;

export const computeBucketCuts = (
  field: FacetField,
  edges: FacetEdges,
  order: Permutation,
  values: Float64Array,
): BucketCuts => {
  const known = knownLength(order, values);
  const finite = finiteLength(order, values);
  const cuts = new Set<number>(finite < known ? [Infinity] : []);
  for (const scale of scales) for (const edge of innerEdges(edges[field][scale])) cuts.add(edge);
  if (cuts.size > maxCuts)
    throw new RangeError(`${field} has ${cuts.size} edges: the maximum is ${maxCuts}.`);
  const valueAt = (position: number): number => floatAt(values, wordAt(order, position));
  const parts = maxCuts - cuts.size;
  const step = Math.max(1, finite / parts);
  const startOf = (part: number): number => Math.floor(part * step);
  for (let part = 0; part < parts && startOf(part) < finite; part++) {
    const value = valueAt(startOf(part));
    cuts.add(value);
    if (startOf(part + 1) >= finite || valueAt(startOf(part + 1)) > value) continue;
    // A value that fills more than its part has a bucket of its own.
    const above = firstAbove(order, values, value);
    if (above < finite) cuts.add(valueAt(above));
    while (startOf(part + 1) < above) part++;
  }
  const sorted = sharedFloats(cuts.size);
  sorted.set(Float64Array.from(cuts).sort());
  return sorted;
};

/** The number of cuts at or below the value. Runs for each bound of a query, hence without a callback. */
const cutsUpTo = (cuts: BucketCuts, value: number): number => {
  let [low, high] = [0, cuts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (floatAt(cuts, middle) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
};

export const bucketOf = (cuts: BucketCuts, value: number): number =>
  Number.isNaN(value) ? unknownBucket : firstBucket + cutsUpTo(cuts, value);

/**
 * The position in an ascending order where each bucket starts and the one before it ends. Unknown values come after all
 * others, so that the empty bucket starts with them.
 */
export const bucketStarts = (cuts: BucketCuts, order: Permutation, values: Float64Array): Uint32Array => {
  const known = knownLength(order, values);
  const starts = new Uint32Array(bucketCount).fill(known);
  starts.fill(0, 0, firstBucket + 1);
  cuts.forEach((cut, i) => {
    const bucket = firstBucket + i + 1;
    starts[bucket] = firstAtLeast(order, values, cut, wordAt(starts, bucket - 1), known);
  });
  return starts;
};

/** Calls `visit` with the bucket of each slot of an ascending order. */
export const forEachBucket = (
  cuts: BucketCuts,
  order: Permutation,
  values: Float64Array,
  visit: (slot: number, bucket: number) => void,
): void => {
  let passed = 0;
  for (let position = 0; position < order.length; position++) {
    const slot = wordAt(order, position);
    const value = floatAt(values, slot);
    while (passed < cuts.length && floatAt(cuts, passed) <= value) passed++;
    visit(slot, Number.isNaN(value) ? unknownBucket : firstBucket + passed);
  }
};

/** `binOffset` times the bin of each bucket; the bin after the last one is "unknown". */
const binsByBucket = (cuts: BucketCuts, edges: readonly number[]): Uint8Array => {
  const unknownBin = edges.length - 1;
  const table = new Uint8Array(bucketCount).fill(binOffset * unknownBin);
  table[firstBucket] = 0;
  cuts.forEach((cut, i) => {
    table[firstBucket + i + 1] = binOffset * binOf(edges, cut);
  });
  return table;
};

/** The same for each scale. */
export const binsByScale = (
  cuts: BucketCuts,
  { linear, log, quantile }: FacetEdges[FacetField],
): Readonly<Record<Scale, Uint8Array>> => ({
  linear: binsByBucket(cuts, linear),
  log: binsByBucket(cuts, log),
  quantile: binsByBucket(cuts, quantile),
});

/** Adds up the counts of buckets by bin; the count of unknown values is the last one. */
export const countsByBin = (counts: Uint32Array, bins: Uint8Array): readonly number[] => {
  const sums = Array.from({ length: byteAt(bins, unknownBucket) / binOffset + 1 }, () => 0);
  counts.forEach((count, bucket) => {
    const bin = byteAt(bins, bucket) / binOffset;
    sums[bin] = (sums[bin] ?? 0) + count;
  });
  return sums;
};
