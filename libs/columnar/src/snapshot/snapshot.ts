import type { EdgeSet, KnownCounts } from '@tapedeck/search-engine/catalogue';
import { facetFields, facetRecord, type FacetField, type SortOrder } from '@tapedeck/search-engine/contract';
import type { KernelMemory, Layout, RowMask } from '../kernel/layout.ts';
import { unknownBucket, type BucketCuts } from './buckets.ts';
import { bytesOf, compareToBytes } from './byte-strings.ts';
import type { SnapPoints } from './codes.ts';
import type { Columns, NumberColumn } from './columns.ts';
import type { MinMax, Permutation } from './permutation.ts';
import type { TextSegment } from './text-segment.ts';
import { maskAt, partitionPoint, wordAt } from './typed-arrays.ts';

/** Columns by which the list can be sorted or that have a histogram. */
export const orderedColumns = [...facetFields, 'publicationDate'] as const satisfies readonly NumberColumn[];
export type OrderedColumn = (typeof orderedColumns)[number];

/**
 * The kernel's memory, with the buckets and codes of all slots. Slots are only added and never change, so that all
 * snapshots share it until the next compaction, growth or change of the edges.
 */
export type Encoding = Readonly<{
  id: number;
  memory: KernelMemory;
  layout: Layout;
  edges: EdgeSet;
  cuts: Readonly<Record<FacetField, BucketCuts>>;
  snapPoints: Readonly<Record<FacetField, SnapPoints>>;
}>;

/** One state of the catalogue, in memory that all threads can read. It never changes. */
export type Snapshot = Readonly<{
  id: number;
  position: bigint;
  columns: Columns;
  /** The number of slots in use, including dead ones. */
  size: number;
  dead: number;
  demoRows: number;
  /** `excludedRow` for dead slots, 0 for the others. */
  alive: RowMask;
  byId: Permutation;
  orders: Readonly<Record<SortOrder, Readonly<Record<OrderedColumn, Permutation>>>>;
  text: readonly TextSegment[];
  /** The position of each bucket in the ascending order of its field, by `bucketStarts`. */
  starts: Readonly<Record<FacetField, Uint32Array>>;
  /** Live rows by bucket. */
  counts: Readonly<Record<FacetField, Uint32Array>>;
  minMax: Readonly<Record<FacetField, MinMax>>;
  /** The different labels of all live rows. */
  labels: readonly string[];
}>;

export const liveRows = ({ size, dead }: Snapshot): number => size - dead;

/** The number of known values per field, for `edgesOutgrown`. */
export const knownCounts = ({ counts }: Snapshot): KnownCounts =>
  facetRecord((field) =>
    counts[field].reduce((sum, count, bucket) => (bucket === unknownBucket ? sum : sum + count), 0),
  );

/** The live slot of an id, or −1. */
export const slotOf = (
  { byId, columns, alive }: Pick<Snapshot, 'byId' | 'columns' | 'alive'>,
  urlId: string,
): number => {
  const { ids } = columns;
  const id = bytesOf(urlId);
  const first = partitionPoint(0, byId.length, (index) => compareToBytes(ids, wordAt(byId, index), id) < 0);
  for (let index = first; index < byId.length; index++) {
    const slot = wordAt(byId, index);
    if (compareToBytes(ids, slot, id) !== 0) return -1;
    if (maskAt(alive, slot) === 0) return slot;
  }
  return -1;
};

const collectBuffers = (value: unknown, buffers: Set<ArrayBufferLike>): void => {
  if (ArrayBuffer.isView(value)) buffers.add(value.buffer);
  else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) collectBuffers(part, buffers);
  }
};

/** The buffers that belong to this snapshot alone, or that only the snapshots before and after it share. */
export const buffersOf = ({ alive, byId, orders, text }: Snapshot): ReadonlySet<ArrayBufferLike> => {
  const buffers = new Set<ArrayBufferLike>();
  collectBuffers([alive, byId, orders, text], buffers);
  return buffers;
};
