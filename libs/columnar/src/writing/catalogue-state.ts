import { computeEdges, type EdgeSet } from '@tapedeck/search-engine/catalogue';
import { facetRecord } from '@tapedeck/search-engine/contract';
import { excludedRow, type RowMask } from '../kernel/layout.ts';
import { bucketStarts } from '../snapshot/buckets.ts';
import type { BufferPool } from '../snapshot/buffer-pool.ts';
import { compareTexts, orderTexts } from '../snapshot/byte-strings.ts';
import type { Columns, RowStore } from '../snapshot/columns.ts';
import {
  finiteLength,
  knownLength,
  minMaxBetween,
  writeDescending,
  type Permutation,
} from '../snapshot/permutation.ts';
import { sortSlots } from '../snapshot/radix-sort.ts';
import { orderedColumns, type OrderedColumn, type Snapshot } from '../snapshot/snapshot.ts';
import type { TextSegment } from '../snapshot/text-segment.ts';
import { floatAt, maskAt, wordAt } from '../snapshot/typed-arrays.ts';
import { catalogueFacts, type CatalogueFacts } from './catalogue-facts.ts';
import { writeEncoding, type EncodingWriter } from './encoding.ts';

/** The writer's state: the newest snapshot, and what is needed to create the next one. */
export type CatalogueState = Readonly<{
  store: RowStore;
  snapshot: Snapshot;
  encodingWriter: EncodingWriter;
  facts: CatalogueFacts;
  /** Ids of withdrawn strategies with the version of the withdrawal, so that no older update brings them back. */
  removed: ReadonlyMap<string, number>;
}>;

export const eachOrdered = (
  make: (column: OrderedColumn) => Permutation,
): Readonly<Record<OrderedColumn, Permutation>> =>
  Object.fromEntries(orderedColumns.map((column) => [column, make(column)])) as Record<
    OrderedColumn,
    Permutation
  >;

/** The parts from which a new encoding is created. */
export type EncodingParts = Pick<Snapshot, 'position' | 'alive' | 'byId' | 'orders' | 'text' | 'dead'> &
  Readonly<{ store: RowStore; removed: CatalogueState['removed'] }>;

/** Ids of snapshots and encodings. */
let lastId = 0;
const nextId = (): number => ++lastId;

/** The catalogue in a new memory: after loading, compaction and growth, and for other edges. */
export const withNewEncoding = (parts: EncodingParts, edges: EdgeSet): CatalogueState => {
  const { store, removed, ...shared } = parts;
  const columns = store.view();
  const size = store.size();
  const encodingWriter = writeEncoding(nextId(), columns, size, edges, shared.orders.asc);
  const facts = catalogueFacts(encodingWriter);
  for (let slot = 0; slot < shared.alive.length; slot++) {
    if (maskAt(shared.alive, slot) === 0) facts.count(columns, slot, 1);
  }
  const snapshot = snapshotOf({ ...shared, columns, size }, facts, encodingWriter);
  return { store, encodingWriter, facts, removed, snapshot };
};

/** Adds to a snapshot what follows from all its rows. */
export const snapshotOf = (
  parts: Omit<Snapshot, 'id' | 'demoRows' | 'starts' | 'counts' | 'minMax' | 'labels'>,
  facts: CatalogueFacts,
  { encoding: { cuts } }: EncodingWriter,
): Snapshot => {
  const { alive, columns, orders } = parts;
  return {
    ...parts,
    id: nextId(),
    starts: facetRecord((field) => bucketStarts(cuts[field], orders.asc[field], columns.numbers[field])),
    demoRows: facts.demoRows(),
    counts: facts.counts(),
    minMax: facetRecord((field) => {
      const [order, values] = [orders.asc[field], columns.numbers[field]];
      return minMaxBetween(order, values, { mask: alive, allowed: 0 }, 0, finiteLength(order, values));
    }),
    labels: facts.labels(),
  };
};

type OrderedRows = Readonly<{
  columns: Columns;
  ascending: Readonly<Record<OrderedColumn, Permutation>>;
  alive: RowMask;
}>;

/** The known values of the live rows, ascending. */
const sortedValues = (order: Permutation, values: Float64Array, alive: RowMask): Float64Array => {
  const known = knownLength(order, values);
  const sorted = new Float64Array(known);
  let used = 0;
  for (let position = 0; position < known; position++) {
    const slot = wordAt(order, position);
    if (maskAt(alive, slot) === 0) sorted[used++] = floatAt(values, slot);
  }
  return sorted.subarray(0, used);
};

const edgeSetOf = ({ columns, ascending, alive }: OrderedRows, version: number): EdgeSet => {
  const figures = facetRecord((field) => sortedValues(ascending[field], columns.numbers[field], alive));
  return {
    version,
    known: facetRecord((field) => figures[field].length),
    edges: computeEdges(
      facetRecord((field) => {
        const infinite = figures[field].indexOf(Infinity);
        return infinite < 0 ? figures[field] : figures[field].subarray(0, infinite);
      }),
    ),
  };
};

/** Edges for the catalogue as it is now. */
export const computeEdgeSet = ({ columns, orders, alive }: Snapshot, version: number): EdgeSet =>
  edgeSetOf({ columns, ascending: orders.asc, alive }, version);

/** Of several rows with one id only the last one stays alive. Returns the number of dead rows. */
const markRepeatedDead = (byId: Permutation, { ids }: Columns, alive: RowMask): number => {
  let dead = 0;
  for (let index = 1; index < byId.length; index++) {
    const [slot, next] = [wordAt(byId, index - 1), wordAt(byId, index)];
    if (compareTexts(ids, slot, ids, next) !== 0) continue;
    alive[slot] = excludedRow;
    dead++;
  }
  return dead;
};

const pooled = (from: Uint32Array, pool: BufferPool): Permutation => {
  const order = pool.words(from.length);
  order.set(from);
  return order;
};

/** A new catalogue; without edges they are computed from its rows, as version 0. */
export const firstState = (
  store: RowStore,
  text: TextSegment,
  pool: BufferPool,
  position: bigint,
  edges: EdgeSet | null,
): CatalogueState => {
  const columns = store.view();
  const byId = pooled(orderTexts(columns.ids, store.size()), pool);
  const alive = pool.masks(store.size()).fill(0);
  const dead = markRepeatedDead(byId, columns, alive);
  const asc = eachOrdered((column) => pooled(sortSlots(columns.numbers[column], byId), pool));
  const desc = eachOrdered((column) => {
    const order = pool.words(byId.length);
    writeDescending(asc[column], columns.numbers[column], order);
    return order;
  });
  return withNewEncoding(
    { store, position, alive, byId, orders: { asc, desc }, text: [text], dead, removed: new Map() },
    edges ?? edgeSetOf({ columns, ascending: asc, alive }, 0),
  );
};
