import { bytesOf, compareToBytes } from './byte-strings.ts';
import type { Snapshot } from './snapshot.ts';
import { byteAt, wordAt } from './typed-arrays.ts';

/** The live slot of an id, or −1. */
export const slotOf = (
  { byId, columns, alive }: Pick<Snapshot, 'byId' | 'columns' | 'alive'>,
  urlId: string,
): number => {
  const { ids } = columns;
  const sought = bytesOf(urlId);
  let [low, high] = [0, byId.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareToBytes(ids, wordAt(byId, middle), sought) < 0) low = middle + 1;
    else high = middle;
  }
  for (let place = low; place < byId.length; place++) {
    const slot = wordAt(byId, place);
    if (compareToBytes(ids, slot, sought) !== 0) return -1;
    if (byteAt(alive, slot) === 0) return slot;
  }
  return -1;
};
