import { unpackSlice, type BrushSlice } from '@tapedeck/explorer/contract';
import { type FacetField, type Scale } from '@tapedeck/search-engine/contract';
import type { CountsNow } from '../../../ui/range-histogram/range-brush.ts';
import type { Bounds } from '../../../ui/range-histogram/range-thumbs.ts';

/** Running sums over the cells of the active axis: a row of `width` sums before each cell, and one after the last. */
type CellSums = Readonly<{ width: number; sums: Uint32Array }>;

/** A slice made ready for brushing: what a range holds is one subtraction for each bar. */
export type BrushCells = Readonly<{
  field: FacetField;
  scales: Readonly<Record<FacetField, Scale>>;
  stops: readonly number[];
  hits: CellSums;
  /** Counts per bin, and last of unknown values. The active field's own are the same for every range. */
  facets: ReadonlyMap<FacetField, CellSums>;
  own: CountsNow;
}>;

/** Cells from `from` up to, and without, `to`. */
export type CellSpan = Readonly<{ from: number; to: number }>;

const runningSums = (counts: Uint32Array, width: number): CellSums => {
  const sums = new Uint32Array(counts.length + width);
  for (let at = 0; at < counts.length; at++) sums[at + width] = (sums[at] ?? 0) + (counts[at] ?? 0);
  return { width, sums };
};

const sumAt = ({ sums, width }: CellSums, { from, to }: CellSpan, column: number): number =>
  (sums[to * width + column] ?? 0) - (sums[from * width + column] ?? 0);

/** Null when an edge is no stop: then the slice is of a catalogue whose edges are others. */
const ownCounts = (hits: CellSums, stops: readonly number[], edges: readonly number[]): CountsNow | null => {
  const places = edges.map((edge) => stops.indexOf(edge));
  if (places.includes(-1)) return null;
  const bins = edges.length - 1;
  const beyond = 2 * stops.length + 1;
  const counts = Array.from({ length: bins }, (_, bin) => {
    const from = bin === 0 ? 0 : 2 * (places[bin] ?? 0) + 1;
    const to = bin === bins - 1 ? beyond : 2 * (places[bin + 1] ?? 0) + 1;
    return sumAt(hits, { from, to }, 0);
  });
  return { counts, unknown: sumAt(hits, { from: beyond, to: beyond + 1 }, 0) };
};

/**
 * Null when the slice does not belong to the histogram with these edges.
 * @throws Error when it does not hold as many counts as it says.
 */
export const readSlice = (slice: BrushSlice, edges: readonly number[]): BrushCells | null => {
  const unpacked = unpackSlice(slice);
  const hits = runningSums(unpacked.hits, 1);
  const own = ownCounts(hits, slice.stops, edges);
  if (!own) return null;
  const scales = Object.fromEntries([slice, ...slice.facets].map(({ field, scale }) => [field, scale]));
  return {
    field: slice.field,
    scales: scales as Record<FacetField, Scale>,
    stops: slice.stops,
    hits,
    facets: new Map(unpacked.facets.map(({ field, bins, counts }) => [field, runningSums(counts, bins + 1)])),
    own,
  };
};

const isEmptyCell = ({ hits, facets }: BrushCells, cell: number): boolean =>
  [hits, ...facets.values()].every(({ sums, width }) => {
    for (let at = cell * width; at < (cell + 1) * width; at++)
      if (sums[at] !== sums[at + width]) return false;
    return true;
  });

/** The cell a value falls into. */
const cellOf = (stops: readonly number[], value: number): number => {
  let [from, to] = [0, stops.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((stops[middle] ?? Infinity) < value) from = middle + 1;
    else to = middle;
  }
  return stops[from] === value ? 2 * from + 1 : 2 * from;
};

/** The cell that a bound begins or ends with; null where it divides one that is not empty. */
const edgeCell = (cells: BrushCells, bound: number | null, open: number): number | null => {
  if (bound === null) return open;
  const cell = cellOf(cells.stops, bound);
  return cell % 2 === 0 && !isEmptyCell(cells, cell) ? null : cell;
};

/** Cells to be added to what is known already, or to be taken away from it. */
type Count = Readonly<{ span: CellSpan; sign: 1 | -1; known: Found | null }>;

const wholeCount = (cells: BrushCells, { low, high }: Bounds): Count | null => {
  const unknown = 2 * cells.stops.length + 1;
  if (low === null && high === null) return { span: { from: 0, to: unknown + 1 }, sign: 1, known: null };
  const [from, last] = [edgeCell(cells, low, 0), edgeCell(cells, high, unknown - 1)];
  return from === null || last === null ? null : { span: { from, to: last + 1 }, sign: 1, known: null };
};

/** From one range to another with the same bound on one side, wherever that lies. */
const countOn = (cells: BrushCells, known: KnownRange, { low, high }: Bounds): Count | null => {
  const isHighMoved = low !== null && low === known.bounds.low;
  if (!isHighMoved && (high === null || high !== known.bounds.high)) return null;
  const cellOfMoved = (bounds: Bounds): number | null =>
    isHighMoved ? edgeCell(cells, bounds.high, 2 * cells.stops.length) : edgeCell(cells, bounds.low, 0);
  const [before, after] = [cellOfMoved(known.bounds), cellOfMoved({ low, high })];
  if (before === null || after === null) return null;
  const beyond = isHighMoved ? 1 : 0;
  return {
    span: { from: Math.min(before, after) + beyond, to: Math.max(before, after) + beyond },
    sign: after > before === isHighMoved ? 1 : -1,
    known,
  };
};

const countsBy = (cells: BrushCells, { span, sign, known }: Count, field: FacetField): CountsNow => {
  const facet = cells.facets.get(field);
  if (!facet) return cells.own;
  const before = known?.countsOf(field);
  const bins = facet.width - 1;
  const counts = new Uint32Array(bins);
  for (let bin = 0; bin < bins; bin++) {
    counts[bin] = (before?.counts[bin] ?? 0) + sign * sumAt(facet, span, bin);
  }
  return { counts, unknown: (before?.unknown ?? 0) + sign * sumAt(facet, span, bins) };
};

/** The total, and any field's histogram, under all other filters and one range of the active field. */
export type Found = Readonly<{ total: number; countsOf: (field: FacetField) => CountsNow }>;
/** An answer of the server for one range, to count on from. */
export type KnownRange = Found & Readonly<{ bounds: Bounds }>;

/**
 * Null where a bound divides a cell that is not empty, so that what the range holds is not known; unless that bound
 * is also one of a range whose answer is known, and only the other one has moved.
 */
export const foundIn = (cells: BrushCells, bounds: Bounds, known: KnownRange | null): Found | null => {
  const count = wholeCount(cells, bounds) ?? (known && countOn(cells, known, bounds));
  if (!count) return null;
  const read = new Map<FacetField, CountsNow>();
  return {
    total: (count.known?.total ?? 0) + count.sign * sumAt(cells.hits, count.span, 0),
    countsOf: (field) => {
      const counts = read.get(field) ?? countsBy(cells, count, field);
      read.set(field, counts);
      return counts;
    },
  };
};
