import { scales, type FacetField, type Scale } from '../../../contract.ts';
import type { FacetEdges } from '../../../catalogue/edges.ts';
import { binOffset, bucketCount } from '../kernel/kernel.ts';
import { firstAbove, firstAtLeast, knownLength, type Permutation } from './permutation.ts';
import { byteAt, floatAt, sharedFloats, wordAt } from './typed-arrays.ts';

/**
 * Where the buckets of a field begin, ascending: bucket 0 is "unknown", 1 is below cut 0, i + 2 begins with cut i. The
 * edges of the bins of all three scales are cuts, so that a bin is some buckets in a row; the others divide the rows
 * evenly, so that few rows share a bucket with a bound that is no cut.
 */
export type BucketCuts = Float64Array;

export const unknownBucket = 0;
export const firstBucket = 1;
/** In which no row is. */
export const emptyBucket = bucketCount - 1;
const mostCuts = emptyBucket - firstBucket - 1;

/** Bins are open at both ends, so that their first and last edge divide nothing. */
const innerEdges = (edges: readonly number[]): readonly number[] => edges.slice(1, -1);

export const drawBucketCuts = (
  field: FacetField,
  edges: FacetEdges,
  order: Permutation,
  values: Float64Array,
): BucketCuts => {
  const known = knownLength(order, values);
  const finite = firstAtLeast(order, values, Infinity);
  const cuts = new Set<number>(finite < known ? [Infinity] : []);
  for (const scale of scales) for (const edge of innerEdges(edges[field][scale])) cuts.add(edge);
  if (cuts.size > mostCuts)
    throw new RangeError(`${field} has ${cuts.size} edges: ${mostCuts} are the most.`);
  const valueAt = (place: number): number => floatAt(values, wordAt(order, place));
  const parts = mostCuts - cuts.size;
  const step = Math.max(1, finite / parts);
  const firstOf = (part: number): number => Math.floor(part * step);
  for (let part = 0; part < parts && firstOf(part) < finite; part++) {
    const value = valueAt(firstOf(part));
    cuts.add(value);
    if (firstOf(part + 1) >= finite || valueAt(firstOf(part + 1)) > value) continue;
    // A value that fills more than its part has a bucket of its own.
    const above = firstAbove(order, values, value);
    if (above < finite) cuts.add(valueAt(above));
    while (firstOf(part + 1) < above) part++;
  }
  const sorted = sharedFloats(cuts.size);
  sorted.set(Float64Array.from(cuts).sort());
  return sorted;
};

/** How many cuts are at or below the value. */
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
 * Where each bucket begins in an ascending order, and where the one before it ends. Unknown values come after all
 * others, so that the empty bucket begins with them.
 */
export const bucketStarts = (cuts: BucketCuts, order: Permutation, values: Float64Array): Uint32Array => {
  const known = knownLength(order, values);
  const starts = new Uint32Array(bucketCount).fill(known);
  starts.fill(0, 0, firstBucket + 1);
  cuts.forEach((cut, at) => {
    const bucket = firstBucket + at + 1;
    starts[bucket] = firstAtLeast(order, values, cut, wordAt(starts, bucket - 1), known);
  });
  return starts;
};

/** Calls with the bucket of every slot of an ascending order. */
export const eachBucket = (
  cuts: BucketCuts,
  order: Permutation,
  values: Float64Array,
  visit: (slot: number, bucket: number) => void,
): void => {
  let passed = 0;
  for (let place = 0; place < order.length; place++) {
    const slot = wordAt(order, place);
    const value = floatAt(values, slot);
    while (passed < cuts.length && floatAt(cuts, passed) <= value) passed++;
    visit(slot, Number.isNaN(value) ? unknownBucket : firstBucket + passed);
  }
};

/**
 * `binOffset` times the bin of each bucket, the one after the last is "unknown"; the first and the last bin are open.
 */
const binsByBucket = (cuts: BucketCuts, edges: readonly number[]): Uint8Array => {
  const inner = innerEdges(edges);
  const table = new Uint8Array(bucketCount).fill(binOffset * (inner.length + 1));
  let bin = 0;
  table[firstBucket] = bin;
  cuts.forEach((cut, at) => {
    while (bin < inner.length && (inner[bin] ?? Infinity) <= cut) bin++;
    table[firstBucket + at + 1] = binOffset * bin;
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

/** Out of counts by bucket those by bin, the one of unknown values last. */
export const foldBuckets = (counts: Uint32Array, bins: Uint8Array): readonly number[] => {
  const folded = Array.from({ length: byteAt(bins, unknownBucket) / binOffset + 1 }, () => 0);
  counts.forEach((count, bucket) => {
    const bin = byteAt(bins, bucket) / binOffset;
    folded[bin] = (folded[bin] ?? 0) + count;
  });
  return folded;
};
