import type { IndicatorCounts, SearchFilter } from '@tapedeck/search-engine/port';
import type { RowMask } from '../kernel/layout.ts';
import { maskAt, wordAt } from '../snapshot/typed-arrays.ts';
import { candidatesOf } from './candidates.ts';
import { countMatches } from './ranges.ts';
import type { SnapshotView } from './snapshot-view.ts';
import { queryWords, unusedMark, visitRowsWith } from './text-search.ts';

const countPassing = (slots: Uint32Array, mask: RowMask): number => {
  let passing = 0;
  for (let i = 0; i < slots.length; i++) passing += maskAt(mask, wordAt(slots, i)) === 0 ? 1 : 0;
  return passing;
};

/** The same for slots that can occur several times: the first occurrence counts, and marks the slot. */
const countOnce = (slots: Uint32Array, mask: RowMask, marks: Uint32Array, counted: number): number => {
  let passing = 0;
  for (let i = 0; i < slots.length; i++) {
    const slot = wordAt(slots, i);
    if (wordAt(marks, slot) === counted) continue;
    marks[slot] = counted;
    passing += maskAt(mask, slot) === 0 ? 1 : 0;
  }
  return passing;
};

/** For each label the number of rows that a search for it would find instead of the current search. */
export const countIndicators = async (view: SnapshotView, filter: SearchFilter): Promise<IndicatorCounts> => {
  const { snapshot, scheduler, signal, words } = view;
  const others = { ...filter, search: '' };
  const candidates = await candidatesOf(view, others);
  const { mask, total } = await countMatches(view, others, candidates, {});
  if (scheduler.shouldYield()) await scheduler.yieldToEventLoop(signal);
  const counts = new Map<string, number>();
  for (const label of snapshot.labels) {
    const labelWords = queryWords(label);
    let found = 0;
    const counted = unusedMark(words);
    await visitRowsWith(view, labelWords, (slots, mayRepeat) => {
      found += mayRepeat ? countOnce(slots, mask, words.marks, counted) : countPassing(slots, mask);
    });
    // A search for a label without a letter or digit excludes no row.
    counts.set(label, labelWords.length === 0 ? total : found);
  }
  return { position: snapshot.position, counts };
};
