import { facetFields, type FacetField } from '@tapedeck/search-engine/contract';
import type { HistogramScales, NumberRange, SearchFilter } from '@tapedeck/search-engine/port';
import { rowBlock, type RowMask } from '../kernel/layout.ts';
import { bucketOf, emptyBucket, firstBucket, unknownBucket } from '../snapshot/buckets.ts';
import { firstAbove, firstAtLeast } from '../snapshot/permutation.ts';
import { liveRows } from '../snapshot/snapshot.ts';
import { maskAt, wordAt } from '../snapshot/typed-arrays.ts';
import type { Candidates, SnapshotView } from './snapshot-view.ts';

/** The bucket of a bound, and the positions in the ascending order of its field at which the bucket starts and ends. */
type BoundBucket = Readonly<{ bucket: number; from: number; to: number }>;

const bucketOfBound = (
  { encoding, snapshot }: SnapshotView,
  field: FacetField,
  bound: number,
): BoundBucket => {
  const bucket = bucketOf(encoding.cuts[field], bound);
  const starts = snapshot.starts[field];
  return { bucket, from: wordAt(starts, bucket), to: wordAt(starts, bucket + 1) };
};

const atLeast = (
  { snapshot }: SnapshotView,
  field: FacetField,
  bound: number,
  { from, to }: BoundBucket,
): number => firstAtLeast(snapshot.orders.asc[field], snapshot.columns.numbers[field], bound, from, to);

/** The first position in the ascending order whose value is at or above the bound. */
export const positionAtLeast = (view: SnapshotView, field: FacetField, bound: number): number =>
  atLeast(view, field, bound, bucketOfBound(view, field, bound));

const above = (
  { snapshot }: SnapshotView,
  field: FacetField,
  bound: number,
  { from, to }: BoundBucket,
): number => firstAbove(snapshot.orders.asc[field], snapshot.columns.numbers[field], bound, from, to);

const isActive = ({ low, high }: NumberRange): boolean => low !== -Infinity || high !== Infinity;

const hasActiveRange = ({ ranges }: SearchFilter): boolean =>
  facetFields.some((field) => isActive(ranges[field]));

/** Sets a bit in the mask for the rows from one position to another in the ascending order of a field. */
const setBit = (view: SnapshotView, field: FacetField, bit: number, from: number, to: number): void => {
  const { mask } = view.kernel;
  const order = view.snapshot.orders.asc[field];
  for (let position = from; position < to; position++) {
    const slot = wordAt(order, position);
    mask[slot] = maskAt(mask, slot) | bit;
  }
};

/** The bucket of the low bound; its rows below the bound are marked as failing. */
const lowBucket = (view: SnapshotView, field: FacetField, bit: number, low: number): number => {
  const bound = bucketOfBound(view, field, low);
  setBit(view, field, bit, bound.from, atLeast(view, field, low, bound));
  return bound.bucket;
};

/** The bucket of the high bound; its rows above the bound are marked as failing. */
const highBucket = (view: SnapshotView, field: FacetField, bit: number, high: number): number => {
  const bound = bucketOfBound(view, field, high);
  setBit(view, field, bit, above(view, field, high, bound), bound.to);
  return bound.bucket;
};

/**
 * Writes the candidates into the kernel's mask and returns the ranges as buckets. The bucket of a bound passes as
 * a whole; its few rows outside the range are marked in the mask.
 */
export const prepareMask = (
  view: SnapshotView,
  candidates: Candidates | null,
  ranges: SearchFilter['ranges'],
): Uint8Array => {
  view.kernel.mask.set(candidates?.mask ?? view.snapshot.alive);
  const buckets = new Uint8Array(2 * facetFields.length);
  facetFields.forEach((field, facet) => {
    const { low, high } = ranges[field];
    const bit = 1 << facet;
    const minBucket = isActive(ranges[field]) ? firstBucket : unknownBucket;
    buckets[facet] = low === -Infinity ? minBucket : lowBucket(view, field, bit, low);
    buckets[facetFields.length + facet] =
      high === Infinity ? emptyBucket : highBucket(view, field, bit, high);
  });
  return buckets;
};

/** The rows that pass all filters, and the counts of their bins. */
export type Matches = Readonly<{
  total: number;
  /** 0 for the rows that pass, a single bit for those that fail one range. */
  mask: RowMask;
  /** The kernel's counts; null for the whole catalogue, whose histograms are cached with the snapshot. */
  counts: Uint32Array | null;
}>;

/** Rows that are counted without checking the time. */
const rowsPerPiece = 128 * rowBlock;
const typicalRowsPerMs = 500_000;

/** Applies the ranges to the candidates. */
export const countMatches = async (
  view: SnapshotView,
  filter: SearchFilter,
  candidates: Candidates | null,
  scales: HistogramScales,
): Promise<Matches> => {
  const { kernel, snapshot, scheduler, signal } = view;
  if (!candidates && !hasActiveRange(filter)) {
    return { total: liveRows(snapshot), mask: snapshot.alive, counts: null };
  }
  const ranges = prepareMask(view, candidates, filter.ranges);
  const pass = kernel.refresh({ ranges, bins: view.binTable(scales) });
  for (let from = 0; from < snapshot.size; from += rowsPerPiece) {
    const to = Math.min(snapshot.size, from + rowsPerPiece);
    if (scheduler.shouldYield((to - from) / typicalRowsPerMs)) await scheduler.yieldToEventLoop(signal);
    pass.count(from, to);
  }
  const { total, counts } = pass.done();
  return { total, mask: kernel.mask, counts };
};
