import {
  facetFields,
  type FacetField,
  type SortField,
  type SortOrder,
  facetRecord,
} from '../../../contract.ts';
import type { EdgeSet, KnownCounts } from '../../../catalogue/edges.ts';
import type { Columns, NumberColumn } from './columns.ts';
import { unknownBucket, type BucketCuts } from './buckets.ts';
import type { Stops } from './codes.ts';
import type { Layout } from '../kernel/layout.ts';
import type { KernelMemory } from '../kernel/web-assembly.ts';
import type { Permutation } from './permutation.ts';
import type { TextSegment } from './text-segment.ts';

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

/**
 * The memory in which the kernel works, with the buckets and codes of all slots. Slots are only added and theirs never
 * change, so that all snapshots up to the next compaction, growth or change of the edges share it.
 */
export type Generation = Readonly<{
  id: number;
  memory: KernelMemory;
  layout: Layout;
  edges: EdgeSet;
  cuts: Readonly<Record<FacetField, BucketCuts>>;
  stops: Readonly<Record<FacetField, Stops>>;
}>;

/** One state of the catalogue, in memory that all threads read. Nothing in it changes once it is made. */
export type Snapshot = Readonly<{
  id: number;
  position: bigint;
  columns: Columns;
  /** Slots in use, dead ones included. */
  size: number;
  dead: number;
  demoRows: number;
  /** `excludedRow` for dead slots, 0 for the others. */
  alive: Uint8Array;
  byId: Permutation;
  orders: Readonly<Record<SortOrder, Readonly<Record<OrderedColumn, Permutation>>>>;
  text: readonly TextSegment[];
  /** Where each bucket begins in the ascending order of its field, as `bucketStarts` says. */
  starts: Readonly<Record<FacetField, Uint32Array>>;
  /** Live rows by bucket. */
  counts: Readonly<Record<FacetField, Uint32Array>>;
  extents: Readonly<Record<FacetField, Extent>>;
  /** Of all live rows, each once. */
  labels: readonly string[];
}>;

export const liveRows = ({ size, dead }: Snapshot): number => size - dead;

/** Known values per field, for the rule of `edgesOutgrown`. */
export const knownCounts = ({ counts }: Snapshot): KnownCounts =>
  facetRecord((field) =>
    counts[field].reduce((sum, count, bucket) => (bucket === unknownBucket ? sum : sum + count), 0),
  );

const buffersIn = (value: unknown, found: Set<ArrayBufferLike>): void => {
  if (ArrayBuffer.isView(value)) found.add(value.buffer);
  else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) buffersIn(part, found);
  }
};

/** The memory that is this snapshot's own, or that it shares with its neighbours only. */
export const buffersOf = ({ alive, byId, orders, text }: Snapshot): ReadonlySet<ArrayBufferLike> => {
  const found = new Set<ArrayBufferLike>();
  buffersIn([alive, byId, orders, text], found);
  return found;
};
