import { facetFields, type FacetField, type Scale, type SortField, type SortOrder } from '../../contract.ts';
import { computeEdges, type EdgeSet, type KnownCounts, type SortedFigures } from '../../edges.ts';
import { facetRecord } from '../../facets.ts';
import { rowFlag, type Columns, type NumberColumn } from './columns.ts';
import { excludedRow } from './kernel.ts';
import { descending, firstAtLeast, knownLength, type Permutation } from './permutation.ts';
import type { TextSegment } from './text-index.ts';
import { byteAt, floatAt, wordAt } from './typed-arrays.ts';

/** Columns that the list sorts by or that have a histogram. */
export const orderedColumns = [
  ...facetFields,
  'totalTrades',
  'publicationDate',
] as const satisfies readonly NumberColumn[];
export type OrderedColumn = (typeof orderedColumns)[number];

export const sortColumn: Readonly<Record<SortField, OrderedColumn>> = {
  total_pandl: 'totalPandlPercent',
  max_equity_drawdown: 'maxDrawdownPercent',
  profit_factor: 'profitFactor',
  sharpe_ratio_all: 'sharpeRatio',
  total_trades: 'totalTrades',
  publication_date: 'publicationDate',
  likes: 'likes',
  views: 'views',
};

/** Smallest and largest finite value; null when there is none. */
export type Extent = Readonly<{ min: number | null; max: number | null }>;

/** Counts of the whole catalogue in one histogram; the last one is of unknown values. */
export type CatalogueCounts = readonly number[];

/** What follows from a snapshot, worked out when it is first asked for. */
type Derived = Readonly<{
  bins: Readonly<Record<FacetField, Map<Scale, Uint8Array>>>;
  descending: Map<OrderedColumn, Permutation>;
  counts: Readonly<Record<FacetField, Map<Scale, CatalogueCounts>>>;
  extents: Map<FacetField, Extent>;
}>;

/** One state of the catalogue. Nothing in it changes once it is made. */
export type Snapshot = Readonly<{
  columns: Columns;
  /** Slots in use, dead ones included. */
  size: number;
  dead: number;
  demoRows: number;
  /** Ids of strategies that were withdrawn, with the version of that: nothing older brings them back. */
  removed: ReadonlyMap<string, number>;
  flags: Uint8Array;
  /** `excludedRow` for dead slots, 0 for the others. */
  alive: Uint8Array;
  byId: Permutation;
  orders: Readonly<Record<OrderedColumn, Permutation>>;
  text: readonly TextSegment[];
  edges: EdgeSet;
  position: bigint;
  derived: Derived;
}>;

/** Of an earlier snapshot with the same edges only the bins still hold, for the slots it had. */
export const derivedFrom = (earlier: Snapshot, columns: Columns, size: number): Derived => {
  const derived = nothingDerived();
  for (const field of facetFields) {
    earlier.derived.bins[field].forEach((bins, scale) => {
      const edges = earlier.edges.edges[field][scale];
      derived.bins[field].set(scale, continuedBins(bins, size, columns.numbers[field], edges));
    });
  }
  return derived;
};

export const nothingDerived = (): Derived => ({
  bins: facetRecord(() => new Map()),
  descending: new Map(),
  counts: facetRecord(() => new Map()),
  extents: new Map(),
});

/** The slots of a snapshot that have not died. */
export const aliveOf = (flags: Uint8Array): Uint8Array => {
  const alive = new Uint8Array(flags.length);
  for (let slot = 0; slot < flags.length; slot++) {
    if (byteAt(flags, slot) & rowFlag.dead) alive[slot] = excludedRow;
  }
  return alive;
};

export const columnOrder = (snapshot: Snapshot, column: OrderedColumn, order: SortOrder): Permutation => {
  const ascending = snapshot.orders[column];
  if (order === 'asc') return ascending;
  const made = snapshot.derived.descending.get(column);
  if (made) return made;
  const reverse = descending(ascending, snapshot.columns.numbers[column]);
  snapshot.derived.descending.set(column, reverse);
  return reverse;
};

const binAt = (edges: readonly number[], value: number): number => {
  const last = edges.length - 2;
  if (Number.isNaN(value)) return last + 1;
  let bin = 0;
  while (bin < last && value >= (edges[bin + 1] ?? Infinity)) bin++;
  return bin;
};

/** The bins of an earlier snapshot, continued over the slots that came since. */
const continuedBins = (
  bins: Uint8Array,
  size: number,
  values: Float64Array,
  edges: readonly number[],
): Uint8Array => {
  const result = new Uint8Array(size);
  result.set(bins);
  for (let slot = bins.length; slot < size; slot++) result[slot] = binAt(edges, floatAt(values, slot));
  return result;
};

/** The bin of every slot; the bin after the last one is "unknown". */
const binsFrom = (order: Permutation, values: Float64Array, edges: readonly number[]): Uint8Array => {
  const bins = new Uint8Array(order.length);
  const last = edges.length - 2;
  let place = 0;
  for (let bin = 0; bin <= last; bin++) {
    const end =
      bin === last ? knownLength(order, values) : firstAtLeast(order, values, edges[bin + 1] ?? Infinity);
    for (; place < end; place++) bins[wordAt(order, place)] = bin;
  }
  for (; place < order.length; place++) bins[wordAt(order, place)] = last + 1;
  return bins;
};

export const binsOf = (snapshot: Snapshot, field: FacetField, scale: Scale): Uint8Array => {
  const made = snapshot.derived.bins[field].get(scale);
  if (made) return made;
  const values = snapshot.columns.numbers[field];
  const bins = binsFrom(snapshot.orders[field], values, snapshot.edges.edges[field][scale]);
  snapshot.derived.bins[field].set(scale, bins);
  return bins;
};

/** Counts of all live rows per bin, the unknown ones last. */
export const catalogueCounts = (snapshot: Snapshot, field: FacetField, scale: Scale): CatalogueCounts => {
  const made = snapshot.derived.counts[field].get(scale);
  if (made) return made;
  const bins = binsOf(snapshot, field, scale);
  const counts = new Uint32Array(snapshot.edges.edges[field][scale].length);
  for (let slot = 0; slot < snapshot.size; slot++) {
    if (byteAt(snapshot.alive, slot) !== 0) continue;
    const bin = byteAt(bins, slot);
    counts[bin] = wordAt(counts, bin) + 1;
  }
  const result = [...counts];
  snapshot.derived.counts[field].set(scale, result);
  return result;
};

type Ordered = Pick<Snapshot, 'columns' | 'orders' | 'alive'>;

/** Known finite values of every field, ascending, for drawing edges. */
const sortedFigures = ({ columns, orders, alive }: Ordered): SortedFigures =>
  facetRecord((field) => {
    const values = columns.numbers[field];
    const order = orders[field];
    const length = firstAtLeast(order, values, Infinity);
    const sorted = new Float64Array(length);
    let used = 0;
    for (let place = 0; place < length; place++) {
      const slot = wordAt(order, place);
      if (byteAt(alive, slot) === 0) sorted[used++] = floatAt(values, slot);
    }
    return sorted.subarray(0, used);
  });

const deadSlots = (alive: Uint8Array): Uint32Array => {
  const dead: number[] = [];
  for (let slot = 0; slot < alive.length; slot++) if (byteAt(alive, slot) !== 0) dead.push(slot);
  return Uint32Array.from(dead);
};

export const knownCounts = ({ columns, orders, alive }: Ordered): KnownCounts => {
  const dead = deadSlots(alive);
  return facetRecord((field) => {
    const values = columns.numbers[field];
    const deadKnown = dead.reduce((count, slot) => count + (Number.isNaN(floatAt(values, slot)) ? 0 : 1), 0);
    return knownLength(orders[field], values) - deadKnown;
  });
};

/** Edges of the catalogue as it is now. */
export const drawEdges = (rows: Ordered, version: number): EdgeSet => ({
  version,
  known: knownCounts(rows),
  edges: computeEdges(sortedFigures(rows)),
});
