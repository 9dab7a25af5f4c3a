import { unpackSlice, type BrushSlice } from '@tapedeck/explorer/contract';
import type { Bounds, FacetField, Scale } from '@tapedeck/search-engine/contract';
import type { LiveCounts } from '../../../ui/range-histogram/range-brush.ts';

/** Running sums over the intervals of the active field's axis: `width` sums before each interval, and after the last one. */
type IntervalSums = Readonly<{ width: number; sums: Uint32Array }>;

/** A slice as running sums: the count of a range is one subtraction per bar. */
export type BrushIntervals = Readonly<{
  field: FacetField;
  scales: Readonly<Record<FacetField, Scale>>;
  snapPoints: readonly number[];
  hits: IntervalSums;
  /** Counts per bin, then of unknown values. */
  facets: ReadonlyMap<FacetField, IntervalSums>;
  /** The active field's own histogram, which is the same for every range. */
  own: LiveCounts;
}>;

/** Intervals from `from` up to, and excluding, `to`. */
type IntervalSpan = Readonly<{ from: number; to: number }>;

const runningSums = (counts: Uint32Array, width: number): IntervalSums => {
  const sums = new Uint32Array(counts.length + width);
  for (let at = 0; at < counts.length; at++) sums[at + width] = (sums[at] ?? 0) + (counts[at] ?? 0);
  return { width, sums };
};

const sumAt = ({ sums, width }: IntervalSums, { from, to }: IntervalSpan, column: number): number =>
  (sums[to * width + column] ?? 0) - (sums[from * width + column] ?? 0);

/** Null if an edge is not a snap point: then the slice is of a catalogue with other edges. */
const ownCounts = (
  hits: IntervalSums,
  snapPoints: readonly number[],
  edges: readonly number[],
): LiveCounts | null => {
  const positions = edges.map((edge) => snapPoints.indexOf(edge));
  if (positions.includes(-1)) return null;
  const bins = edges.length - 1;
  const beyond = 2 * snapPoints.length + 1;
  const counts = Array.from({ length: bins }, (_, bin) => {
    const from = bin === 0 ? 0 : 2 * (positions[bin] ?? 0) + 1;
    const to = bin === bins - 1 ? beyond : 2 * (positions[bin + 1] ?? 0) + 1;
    return sumAt(hits, { from, to }, 0);
  });
  return { counts, unknown: sumAt(hits, { from: beyond, to: beyond + 1 }, 0) };
};

/**
 * Null if the slice does not belong to the histogram with these edges.
 * @throws Error if the slice has another number of counts than it declares.
 */
export const readSlice = (slice: BrushSlice, edges: readonly number[]): BrushIntervals | null => {
  const unpacked = unpackSlice(slice);
  const hits = runningSums(unpacked.hits, 1);
  const own = ownCounts(hits, slice.snapPoints, edges);
  if (!own) return null;
  const scales = Object.fromEntries([slice, ...slice.facets].map(({ field, scale }) => [field, scale]));
  return {
    field: slice.field,
    scales: scales as Record<FacetField, Scale>,
    snapPoints: slice.snapPoints,
    hits,
    facets: new Map(unpacked.facets.map(({ field, bins, counts }) => [field, runningSums(counts, bins + 1)])),
    own,
  };
};

const isEmptyInterval = ({ hits, facets }: BrushIntervals, interval: number): boolean =>
  [hits, ...facets.values()].every(({ sums, width }) => {
    for (let at = interval * width; at < (interval + 1) * width; at++)
      if (sums[at] !== sums[at + width]) return false;
    return true;
  });

/** Even intervals lie between two snap points, odd intervals are the snap points themselves. */
const intervalOf = (snapPoints: readonly number[], value: number): number => {
  let [from, to] = [0, snapPoints.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((snapPoints[middle] ?? Infinity) < value) from = middle + 1;
    else to = middle;
  }
  return snapPoints[from] === value ? 2 * from + 1 : 2 * from;
};

/** The first or last interval of a range; null if the bound divides an interval that is not empty. */
const edgeInterval = (intervals: BrushIntervals, bound: number | null, open: number): number | null => {
  if (bound === null) return open;
  const interval = intervalOf(intervals.snapPoints, bound);
  return interval % 2 === 0 && !isEmptyInterval(intervals, interval) ? null : interval;
};

/** Intervals to add to a known result, or to subtract from it. */
type Count = Readonly<{ span: IntervalSpan; sign: 1 | -1; known: RangeResult | null }>;

const countFromSlice = (intervals: BrushIntervals, { low, high }: Bounds): Count | null => {
  const unknown = 2 * intervals.snapPoints.length + 1;
  if (low === null && high === null) return { span: { from: 0, to: unknown + 1 }, sign: 1, known: null };
  const [from, last] = [edgeInterval(intervals, low, 0), edgeInterval(intervals, high, unknown - 1)];
  return from === null || last === null ? null : { span: { from, to: last + 1 }, sign: 1, known: null };
};

/** Counts from a known range to another one with the same bound on one side, which may lie between two snap points. */
const countFromKnown = (
  intervals: BrushIntervals,
  known: KnownRange,
  { low, high }: Bounds,
): Count | null => {
  const isHighMoved = low !== null && low === known.bounds.low;
  if (!isHighMoved && (high === null || high !== known.bounds.high)) return null;
  const intervalOfMoved = (bounds: Bounds): number | null =>
    isHighMoved
      ? edgeInterval(intervals, bounds.high, 2 * intervals.snapPoints.length)
      : edgeInterval(intervals, bounds.low, 0);
  const [before, after] = [intervalOfMoved(known.bounds), intervalOfMoved({ low, high })];
  if (before === null || after === null) return null;
  const beyond = isHighMoved ? 1 : 0;
  return {
    span: { from: Math.min(before, after) + beyond, to: Math.max(before, after) + beyond },
    sign: after > before === isHighMoved ? 1 : -1,
    known,
  };
};

const countsOfField = (
  intervals: BrushIntervals,
  { span, sign, known }: Count,
  field: FacetField,
): LiveCounts => {
  const facet = intervals.facets.get(field);
  if (!facet) return intervals.own;
  const before = known?.countsOf(field);
  const bins = facet.width - 1;
  const counts = new Uint32Array(bins);
  for (let bin = 0; bin < bins; bin++) {
    counts[bin] = (before?.counts[bin] ?? 0) + sign * sumAt(facet, span, bin);
  }
  return { counts, unknown: (before?.unknown ?? 0) + sign * sumAt(facet, span, bins) };
};

/** The total and every field's histogram, with all other filters and one range of the active field. */
export type RangeResult = Readonly<{ total: number; countsOf: (field: FacetField) => LiveCounts }>;
/** The server's answer for one range. */
export type KnownRange = RangeResult & Readonly<{ bounds: Bounds }>;

/**
 * Null if the count is not known because a bound divides an interval that is not empty; unless a known range has the same
 * bound and only the other bound has moved.
 */
export const countRange = (
  intervals: BrushIntervals,
  bounds: Bounds,
  known: KnownRange | null,
): RangeResult | null => {
  const count = countFromSlice(intervals, bounds) ?? (known && countFromKnown(intervals, known, bounds));
  if (!count) return null;
  const cache = new Map<FacetField, LiveCounts>();
  return {
    total: (count.known?.total ?? 0) + count.sign * sumAt(intervals.hits, count.span, 0),
    countsOf: (field) => {
      const counts = cache.get(field) ?? countsOfField(intervals, count, field);
      cache.set(field, counts);
      return counts;
    },
  };
};
