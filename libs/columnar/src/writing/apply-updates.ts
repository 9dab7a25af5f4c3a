import type { ExplorerRow, RowUpdate } from '@tapedeck/search-engine/port';
import { excludedRow } from '../kernel/layout.ts';
import type { BufferPool } from '../snapshot/buffer-pool.ts';
import type { Columns } from '../snapshot/columns.ts';
import {
  compareIds,
  compareValues,
  insertSlots,
  type Compare,
  type Permutation,
} from '../snapshot/permutation.ts';
import { slotOf, type Snapshot } from '../snapshot/snapshot.ts';
import { withSegment } from '../snapshot/text-segment.ts';
import { eachOrdered, snapshotOf, withNewEncoding, type CatalogueState } from './catalogue-state.ts';
import { textIndexer } from './text-indexer.ts';

const idOf = (update: RowUpdate): string => (update.op === 'put' ? update.row.urlId : update.urlId);
const versionOf = (update: RowUpdate): number => (update.op === 'put' ? update.row.version : update.version);

const knownVersion = ({ snapshot, store, removed }: CatalogueState, urlId: string): number => {
  const slot = slotOf(snapshot, urlId);
  return slot < 0 ? (removed.get(urlId) ?? -1) : store.versionAt(slot);
};

/** The newest update of each id; updates that are not newer than the known version are ignored. */
const newestUpdates = (
  state: CatalogueState,
  updates: readonly RowUpdate[],
): ReadonlyMap<string, RowUpdate> => {
  const newest = new Map<string, RowUpdate>();
  for (const update of updates) {
    const id = idOf(update);
    const before = newest.get(id);
    const known = before ? versionOf(before) : knownVersion(state, id);
    if (versionOf(update) > known) newest.set(id, update);
  }
  return newest;
};

const withCapacityFor = (state: CatalogueState, rows: number): CatalogueState => {
  const { snapshot, encodingWriter, store, removed } = state;
  const { layout, edges } = encodingWriter.encoding;
  if (snapshot.size + rows <= layout.capacity) return state;
  return withNewEncoding({ ...snapshot, store, removed }, edges);
};

const withdrawnVersions = (
  before: CatalogueState['removed'],
  changes: ReadonlyMap<string, RowUpdate>,
): CatalogueState['removed'] => {
  const removed = new Map(before);
  for (const [urlId, update] of changes) {
    if (update.op === 'put') removed.delete(urlId);
    else removed.set(urlId, update.version);
  }
  return removed;
};

/** Stores the rows in new slots, and their words in a new text segment. */
const addRows = (
  { store, encodingWriter, snapshot }: CatalogueState,
  rows: readonly ExplorerRow[],
  pool: BufferPool,
): Pick<Snapshot, 'columns' | 'size' | 'text'> => {
  const indexer = textIndexer(snapshot.size);
  for (const row of rows) {
    store.add(row);
    indexer.add(row);
  }
  const [columns, size] = [store.view(), store.size()];
  encodingWriter.addSlots(columns, snapshot.size, size);
  const text = rows.length === 0 ? snapshot.text : withSegment(snapshot.text, indexer.finish(pool), pool);
  return { columns, size, text };
};

/** Marks the rows dead that the updates replace or remove. */
const markDead = (
  { snapshot, facts }: CatalogueState,
  urlIds: Iterable<string>,
  size: number,
  pool: BufferPool,
): Pick<Snapshot, 'alive' | 'dead'> => {
  const alive = pool.masks(size).fill(0, snapshot.size);
  alive.set(snapshot.alive);
  let { dead } = snapshot;
  for (const urlId of urlIds) {
    const slot = slotOf(snapshot, urlId);
    if (slot < 0) continue;
    alive[slot] = excludedRow;
    facts.count(snapshot.columns, slot, -1);
    dead++;
  }
  return { alive, dead };
};

const mergedOrders = (
  { byId, orders }: Snapshot,
  { numbers, ids }: Columns,
  added: readonly number[],
  pool: BufferPool,
): Pick<Snapshot, 'byId' | 'orders'> => {
  const merged = (order: Permutation, compare: Compare): Permutation => {
    if (added.length === 0) return order;
    const result = pool.words(order.length + added.length);
    insertSlots(order, added, compare, result);
    return result;
  };
  const { asc, desc } = orders;
  return {
    byId: merged(byId, compareIds(ids)),
    orders: {
      asc: eachOrdered((column) => merged(asc[column], compareValues(numbers[column], ids, 1))),
      desc: eachOrdered((column) => merged(desc[column], compareValues(numbers[column], ids, -1))),
    },
  };
};

/**
 * The next state: replaced and removed rows are marked dead, new versions get new slots, orders are merged, and the
 * words of the new slots become a text segment. Copies the orders, but never sorts all rows.
 */
export const applyUpdates = (
  current: CatalogueState,
  updates: readonly RowUpdate[],
  position: bigint,
  pool: BufferPool,
): CatalogueState => {
  const changes = newestUpdates(current, updates);
  const rows = [...changes.values()].flatMap((update) => (update.op === 'put' ? [update.row] : []));
  const state = withCapacityFor(current, rows.length);
  const { snapshot, facts } = state;
  const extended = addRows(state, rows, pool);
  const { alive, dead } = markDead(state, changes.keys(), extended.size, pool);
  const added = rows.map((_, index) => snapshot.size + index);
  for (const slot of added) facts.count(extended.columns, slot, 1);
  const merged = mergedOrders(snapshot, extended.columns, added, pool);
  return {
    ...state,
    removed: withdrawnVersions(state.removed, changes),
    snapshot: snapshotOf({ position, ...extended, alive, dead, ...merged }, facts, state.encodingWriter),
  };
};
