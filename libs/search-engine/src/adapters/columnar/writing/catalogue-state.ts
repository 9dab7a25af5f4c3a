import { computeEdges, type EdgeSet, type SortedFigures } from '../../../catalogue/edges.ts';
import { facetRecord } from '../../../contract.ts';
import { bucketStarts } from '../snapshot/buckets.ts';
import type { BufferPool } from '../snapshot/buffer-pool.ts';
import { compareTexts, orderTexts } from '../snapshot/byte-strings.ts';
import { catalogueExtents, catalogueFacts, type CatalogueFacts } from './catalogue-facts.ts';
import type { Columns, RowStore } from '../snapshot/columns.ts';
import { writeGeneration, type GenerationWriter } from './generation.ts';
import { excludedRow } from '../kernel/kernel.ts';
import { firstAtLeast, knownLength, writeDescending, type Permutation } from '../snapshot/permutation.ts';
import { sortSlots } from '../snapshot/radix-sort.ts';
import { knownCounts, orderedColumns, type OrderedColumn, type Snapshot } from '../snapshot/snapshot.ts';
import type { TextSegment } from '../snapshot/text-segment.ts';
import { byteAt, floatAt, wordAt } from '../snapshot/typed-arrays.ts';

/** All that the writer has: the newest snapshot, and what the next one is made of. */
export type CatalogueState = Readonly<{
  store: RowStore;
  snapshot: Snapshot;
  generation: GenerationWriter;
  facts: CatalogueFacts;
  /** Ids of strategies that were withdrawn, with the version of that: nothing older brings them back. */
  removed: ReadonlyMap<string, number>;
}>;

export const eachOrdered = (
  make: (column: OrderedColumn) => Permutation,
): Readonly<Record<OrderedColumn, Permutation>> =>
  Object.fromEntries(orderedColumns.map((column) => [column, make(column)])) as Record<
    OrderedColumn,
    Permutation
  >;

/** What a new generation is made from. */
export type Grounds = Pick<Snapshot, 'position' | 'alive' | 'byId' | 'orders' | 'text' | 'dead'> &
  Readonly<{ store: RowStore; removed: CatalogueState['removed'] }>;

/** Serial numbers of snapshots and generations. */
let serial = 0;
export const nextSerial = (): number => ++serial;

const live = (alive: Uint8Array, visit: (slot: number) => void): void => {
  for (let slot = 0; slot < alive.length; slot++) if (byteAt(alive, slot) === 0) visit(slot);
};

/** The catalogue in a memory of its own: after loading, compaction and growth, and with other edges. */
export const withNewGeneration = (grounds: Grounds, edges: EdgeSet): CatalogueState => {
  const { store, removed, ...own } = grounds;
  const columns = store.view();
  const size = store.size();
  const generation = writeGeneration(nextSerial(), columns, size, edges, own.orders.asc);
  const facts = catalogueFacts(generation);
  live(own.alive, (slot) => facts.count(columns, slot, 1));
  const snapshot = snapshotOf({ ...own, columns, size }, facts, generation);
  return { store, generation, facts, removed, snapshot };
};

/** Completes a snapshot with the facts about all its rows. */
export const snapshotOf = (
  parts: Omit<Snapshot, 'id' | 'demoRows' | 'starts' | 'counts' | 'extents' | 'labels'>,
  facts: CatalogueFacts,
  { generation: { cuts } }: GenerationWriter,
): Snapshot => ({
  ...parts,
  id: nextSerial(),
  starts: facetRecord((field) =>
    bucketStarts(cuts[field], parts.orders.asc[field], parts.columns.numbers[field]),
  ),
  demoRows: facts.demoRows(),
  counts: facts.counts(),
  extents: catalogueExtents(parts),
  labels: facts.labels(),
});

/** Known finite values of every field, ascending, for drawing edges. */
const sortedFigures = (
  { numbers }: Columns,
  orders: Readonly<Record<OrderedColumn, Permutation>>,
  alive: Uint8Array,
): SortedFigures =>
  facetRecord((field) => {
    const values = numbers[field];
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

/** Edges for the catalogue as it is now. */
export const drawnEdges = ({ snapshot }: Pick<CatalogueState, 'snapshot'>, version: number): EdgeSet => ({
  version,
  known: knownCounts(snapshot),
  edges: computeEdges(sortedFigures(snapshot.columns, snapshot.orders.asc, snapshot.alive)),
});

/** Of several rows with one id the last one stays. */
const buryRepeated = (byId: Permutation, { ids }: Columns, alive: Uint8Array): number => {
  let dead = 0;
  for (let place = 1; place < byId.length; place++) {
    const [slot, next] = [wordAt(byId, place - 1), wordAt(byId, place)];
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

const firstEdges = (
  columns: Columns,
  orders: Readonly<Record<OrderedColumn, Permutation>>,
  alive: Uint8Array,
  dead: number,
): EdgeSet => ({
  version: 0,
  known: facetRecord((field) => {
    const values = columns.numbers[field];
    if (dead === 0) return knownLength(orders[field], values);
    let known = 0;
    live(alive, (slot) => (known += Number.isNaN(floatAt(values, slot)) ? 0 : 1));
    return known;
  }),
  edges: computeEdges(sortedFigures(columns, orders, alive)),
});

/** A catalogue from nothing; `edges` null: drawn from the rows themselves, as version 0. */
export const firstState = (
  store: RowStore,
  text: TextSegment,
  pool: BufferPool,
  position: bigint,
  edges: EdgeSet | null,
): CatalogueState => {
  const columns = store.view();
  const byId = pooled(orderTexts(columns.ids, store.size()), pool);
  const alive = pool.bytes(store.size()).fill(0);
  const dead = buryRepeated(byId, columns, alive);
  const asc = eachOrdered((column) => pooled(sortSlots(columns.numbers[column], byId), pool));
  const desc = eachOrdered((column) => {
    const order = pool.words(byId.length);
    writeDescending(asc[column], columns.numbers[column], order);
    return order;
  });
  return withNewGeneration(
    { store, position, alive, byId, orders: { asc, desc }, text: [text], dead, removed: new Map() },
    edges ?? firstEdges(columns, asc, alive, dead),
  );
};
