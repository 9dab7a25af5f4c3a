import type { BufferPool } from '../snapshot/buffer-pool.ts';
import { eachOrdered, withNewGeneration, type CatalogueState } from './catalogue-state.ts';
import { rowStore } from '../snapshot/columns.ts';
import { readHit } from '../snapshot/hits.ts';
import type { Permutation } from '../snapshot/permutation.ts';
import { liveRows, type Snapshot } from '../snapshot/snapshot.ts';
import { renumberedSegment } from '../snapshot/text-segment.ts';
import { byteAt, wordAt } from '../snapshot/typed-arrays.ts';

const fewDead = 1_024;

/** Dead slots cost every query a little; above a quarter of the rows they are worth a clean-up. */
export const wantsCompaction = (snapshot: Snapshot): boolean =>
  snapshot.dead > fewDead + liveRows(snapshot) / 4;

const gone = 0xffff_ffff;

/** The same catalogue without its dead slots, and without texts that no row has any more. */
export const compacted = (state: CatalogueState, pool: BufferPool): CatalogueState => {
  const { snapshot, store: before, removed, generation } = state;
  const { alive, columns, byId, orders } = snapshot;
  const kept = liveRows(snapshot);
  const store = rowStore(Math.ceil(kept * 1.125));
  const numbers = new Uint32Array(snapshot.size).fill(gone);
  for (let slot = 0; slot < snapshot.size; slot++) {
    if (byteAt(alive, slot) !== 0) continue;
    numbers[slot] = store.add({ ...readHit(columns, slot), version: before.versionAt(slot) });
  }
  const mapped = (order: Permutation): Permutation => {
    const result = pool.words(kept);
    let place = 0;
    for (let i = 0; i < order.length; i++) {
      const number = wordAt(numbers, wordAt(order, i));
      if (number !== gone) result[place++] = number;
    }
    return result;
  };
  return withNewGeneration(
    {
      store,
      removed,
      position: snapshot.position,
      alive: pool.bytes(kept).fill(0),
      dead: 0,
      byId: mapped(byId),
      orders: {
        asc: eachOrdered((column) => mapped(orders.asc[column])),
        desc: eachOrdered((column) => mapped(orders.desc[column])),
      },
      text: snapshot.text.map((segment) => renumberedSegment(segment, numbers, gone, pool)),
    },
    generation.generation.edges,
  );
};
