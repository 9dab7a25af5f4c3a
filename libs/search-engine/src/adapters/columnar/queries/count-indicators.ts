import type { IndicatorCounts, SearchFilter } from '../../../search-port.ts';
import { refreshed } from './search.ts';
import { candidatesOf } from './candidates.ts';
import type { Reading } from './snapshot-view.ts';
import { queryWords } from './text-search.ts';
import { byteAt, wordAt } from '../snapshot/typed-arrays.ts';
import { freshRound, visitRowsWith } from './word-rounds.ts';

const countPassing = (slots: Uint32Array, mask: Uint8Array): number => {
  let passing = 0;
  for (let i = 0; i < slots.length; i++) passing += byteAt(mask, wordAt(slots, i)) === 0 ? 1 : 0;
  return passing;
};

/** The same where a slot may come several times: it counts with the first, which puts it into a round of its own. */
const countOnce = (slots: Uint32Array, mask: Uint8Array, rounds: Uint32Array, seen: number): number => {
  let passing = 0;
  for (let i = 0; i < slots.length; i++) {
    const slot = wordAt(slots, i);
    if (wordAt(rounds, slot) === seen) continue;
    rounds[slot] = seen;
    passing += byteAt(mask, slot) === 0 ? 1 : 0;
  }
  return passing;
};

/** For every label what a search for it would find in place of the present one. */
export const indicatorCounts = async (reading: Reading, filter: SearchFilter): Promise<IndicatorCounts> => {
  const { snapshot, pace, signal, words } = reading;
  const others = { ...filter, search: '' };
  const candidates = await candidatesOf(reading, others);
  const { mask, total } = await refreshed(reading, others, candidates, {});
  if (pace.isDue()) await pace.rest(signal);
  const counts = new Map<string, number>();
  for (const label of snapshot.labels) {
    const sought = queryWords(label);
    let found = 0;
    const seen = freshRound(words);
    await visitRowsWith(reading, sought, (slots, mayRepeat) => {
      found += mayRepeat ? countOnce(slots, mask, words.rounds, seen) : countPassing(slots, mask);
    });
    // A label without a letter or digit is no search: it would find everything.
    counts.set(label, sought.length === 0 ? total : found);
  }
  return { position: snapshot.position, counts };
};
