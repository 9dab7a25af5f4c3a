import type { RowUpdate } from '../../../search-port.ts';
import type { BufferPool } from './buffer-pool.ts';
import { eachOrdered, snapshotOf, withNewGeneration, type CatalogueState } from './catalogue-state.ts';
import { excludedRow } from '../kernel/kernel.ts';
import { compareIds, compareValues, insertSlots, type Compare, type Permutation } from '../permutation.ts';
import { slotOf } from '../slot-of.ts';
import { textIndexer } from './text-indexer.ts';
import { withSegment } from '../text-segment.ts';

const idOf = (update: RowUpdate): string => (update.op === 'put' ? update.row.urlId : update.urlId);
const versionOf = (update: RowUpdate): number => (update.op === 'put' ? update.row.version : update.version);

const knownVersion = ({ snapshot, store, removed }: CatalogueState, urlId: string): number => {
  const slot = slotOf(snapshot, urlId);
  return slot < 0 ? (removed.get(urlId) ?? -1) : store.versionAt(slot);
};

/** What each id comes to after all updates; those that are no newer than what is known change nothing. */
const outcomes = (state: CatalogueState, updates: readonly RowUpdate[]): ReadonlyMap<string, RowUpdate> => {
  const newest = new Map<string, RowUpdate>();
  for (const update of updates) {
    const id = idOf(update);
    const before = newest.get(id);
    const known = before ? versionOf(before) : knownVersion(state, id);
    if (versionOf(update) > known) newest.set(id, update);
  }
  return newest;
};

const withRoomFor = (state: CatalogueState, rows: number): CatalogueState => {
  const { snapshot, generation, store, removed } = state;
  const { layout, edges } = generation.generation;
  if (snapshot.size + rows <= layout.capacity) return state;
  return withNewGeneration({ ...snapshot, store, removed }, edges);
};

/**
 * The next state: replaced and removed rows die, new versions take new slots, orders are merged and the words
 * of the new slots make a text segment of their own. Costs copies, never a sort of everything.
 */
export const applyUpdates = (
  present: CatalogueState,
  updates: readonly RowUpdate[],
  position: bigint,
  pool: BufferPool,
): CatalogueState => {
  const changes = outcomes(present, updates);
  const rows = [...changes.values()].flatMap((update) => (update.op === 'put' ? [update.row] : []));
  const state = withRoomFor(present, rows.length);
  const { store, facts, generation, snapshot } = state;
  const removed = new Map(state.removed);
  for (const [urlId, update] of changes) {
    if (update.op === 'put') removed.delete(urlId);
    else removed.set(urlId, update.version);
  }
  const from = snapshot.size;
  const indexer = textIndexer(from);
  for (const row of rows) {
    store.add(row);
    indexer.add(row);
  }
  const size = store.size();
  const columns = store.view();
  generation.addSlots(columns, from, size);

  const alive = pool.bytes(size).fill(0, from);
  alive.set(snapshot.alive);
  let { dead } = snapshot;
  for (const urlId of changes.keys()) {
    const slot = slotOf(snapshot, urlId);
    if (slot < 0) continue;
    alive[slot] = excludedRow;
    facts.count(columns, slot, -1);
    dead++;
  }
  const added = rows.map((_, index) => from + index);
  for (const slot of added) facts.count(columns, slot, 1);
  const inserted = (order: Permutation, compare: Compare): Permutation => {
    if (added.length === 0) return order;
    const result = pool.words(size);
    insertSlots(order, added, compare, result);
    return result;
  };
  const { asc, desc } = snapshot.orders;
  const { numbers, ids } = columns;
  const next = snapshotOf(
    {
      position,
      columns,
      size,
      dead,
      alive,
      byId: inserted(snapshot.byId, compareIds(ids)),
      orders: {
        asc: eachOrdered((column) => inserted(asc[column], compareValues(numbers[column], ids, 1))),
        desc: eachOrdered((column) => inserted(desc[column], compareValues(numbers[column], ids, -1))),
      },
      text: added.length === 0 ? snapshot.text : withSegment(snapshot.text, indexer.finish(pool), pool),
    },
    facts,
  );
  return { ...state, removed, snapshot: next };
};
