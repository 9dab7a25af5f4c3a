import type { BufferPool } from '../snapshot/buffer-pool.ts';
import { rowStore } from '../snapshot/columns.ts';
import { readHit } from '../snapshot/hits.ts';
import type { Permutation } from '../snapshot/permutation.ts';
import { liveRows, type Snapshot } from '../snapshot/snapshot.ts';
import { renumberedSegment } from '../snapshot/text-segment.ts';
import { maskAt, wordAt } from '../snapshot/typed-arrays.ts';
import { eachOrdered, withNewEncoding, type CatalogueState } from './catalogue-state.ts';

const minDead = 1_024;

/** Dead slots make every query slightly slower: compaction pays above a quarter of the rows. */
export const needsCompaction = (snapshot: Snapshot): boolean =>
  snapshot.dead > minDead + liveRows(snapshot) / 4;

const removedSlot = 0xffff_ffff;

/** The same catalogue without its dead slots, and without texts that no row has any more. */
export const compacted = (state: CatalogueState, pool: BufferPool): CatalogueState => {
  const { snapshot, store: before, removed, encodingWriter } = state;
  const { alive, columns, byId, orders } = snapshot;
  const size = liveRows(snapshot);
  const store = rowStore(Math.ceil(size * 1.125));
  const newSlots = new Uint32Array(snapshot.size).fill(removedSlot);
  for (let slot = 0; slot < snapshot.size; slot++) {
    if (maskAt(alive, slot) !== 0) continue;
    newSlots[slot] = store.add({ ...readHit(columns, slot), version: before.versionAt(slot) });
  }
  const renumbered = (order: Permutation): Permutation => {
    const result = pool.words(size);
    let used = 0;
    for (let i = 0; i < order.length; i++) {
      const slot = wordAt(newSlots, wordAt(order, i));
      if (slot !== removedSlot) result[used++] = slot;
    }
    return result;
  };
  return withNewEncoding(
    {
      store,
      removed,
      position: snapshot.position,
      alive: pool.masks(size).fill(0),
      dead: 0,
      byId: renumbered(byId),
      orders: {
        asc: eachOrdered((column) => renumbered(orders.asc[column])),
        desc: eachOrdered((column) => renumbered(orders.desc[column])),
      },
      text: snapshot.text.map((segment) => renumberedSegment(segment, newSlots, removedSlot, pool)),
    },
    encodingWriter.encoding.edges,
  );
};
