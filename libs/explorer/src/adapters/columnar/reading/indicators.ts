import type { IndicatorCounts, SearchFilter } from '../../../search-port.ts';
import { refreshed } from './answer.ts';
import { candidatesOf } from './candidates.ts';
import type { Reading } from './reading.ts';
import { queryWords } from './text-search.ts';
import { byteAt, wordAt } from '../typed-arrays.ts';
import { visitRowsWith } from './word-rounds.ts';

/** A round that no row is in: a row that has been counted is not counted again. */
const counted = 0;

/** For every label what a search for it would find in place of the present one. */
export const indicatorCounts = async (reading: Reading, filter: SearchFilter): Promise<IndicatorCounts> => {
  const { snapshot, pace, signal, words } = reading;
  const others = { ...filter, search: '' };
  const candidates = await candidatesOf(reading, others);
  if (pace.isDue()) await pace.rest(signal);
  const { mask, total } = refreshed(reading, others, candidates, {});
  const counts = new Map<string, number>();
  for (const label of snapshot.labels) {
    const sought = queryWords(label);
    let found = 0;
    await visitRowsWith(reading, sought, (slots, round) => {
      for (let i = 0; i < slots.length; i++) {
        const slot = wordAt(slots, i);
        if (wordAt(words.rounds, slot) !== round) continue;
        words.rounds[slot] = counted;
        found += byteAt(mask, slot) === 0 ? 1 : 0;
      }
    });
    // A label without a letter or digit is no search: it would find everything.
    counts.set(label, sought.length === 0 ? total : found);
  }
  return { position: snapshot.position, counts };
};
