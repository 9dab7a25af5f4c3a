import { wordsOf } from '@tapedeck/search-engine/catalogue';
import { beginsWith, bytesOf, compareToBytes } from '../snapshot/byte-strings.ts';
import { termCount, type TextSegment } from '../snapshot/text-segment.ts';
import { partitionPoint, wordAt } from '../snapshot/typed-arrays.ts';
import type { SnapshotView, WordMarks } from './snapshot-view.ts';

/** Slots are processed in pieces of this many. */
export const pieceLength = 32_768;

/** The words that a row must have, without those that a longer one implies. */
export const queryWords = (search: string): readonly string[] => {
  const words = [...new Set(wordsOf(search))];
  return words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)));
};

/** The slots of a word in one segment. */
type WordSlots = Readonly<{
  slots: Uint32Array;
  /** True when several terms start with the word: a slot can then occur several times. */
  mayRepeat: boolean;
}>;

/** The slots of all terms that start with the prefix: such terms are neighbours, and so are their slots. */
const prefixSlots = (segment: TextSegment, prefix: Uint8Array): WordSlots => {
  const { terms, offsets, slots } = segment;
  const count = termCount(segment);
  const from = partitionPoint(0, count, (term) => compareToBytes(terms, term, prefix) < 0);
  const to = partitionPoint(from, count, (term) => beginsWith(terms, term, prefix));
  return { slots: slots.subarray(wordAt(offsets, from), wordAt(offsets, to)), mayRepeat: to - from > 1 };
};

/** The slots of a word; no slot is in two segments. */
const slotsOfWord = (segments: readonly TextSegment[], word: string): readonly WordSlots[] => {
  const prefix = bytesOf(word);
  return segments.map((segment) => prefixSlots(segment, prefix)).filter(({ slots }) => slots.length > 0);
};

const maxMark = 0xffff_ff00;

/** Reserves `count` marks that no slot has yet, and returns the first one. */
const reserveMarks = (words: WordMarks, count: number): number => {
  if (words.last + count >= maxMark) {
    words.marks.fill(0);
    words.last = 0;
  }
  const first = words.last + 1;
  words.last += count;
  return first;
};

export const unusedMark = (words: WordMarks): number => reserveMarks(words, 1);

type Visit = (slots: Uint32Array, mayRepeat: boolean) => void;

const visitAll = async (
  { scheduler, signal }: SnapshotView,
  lists: readonly WordSlots[],
  visit: Visit,
): Promise<void> => {
  for (const { slots, mayRepeat } of lists) {
    for (let from = 0; from < slots.length; from += pieceLength) {
      visit(slots.subarray(from, from + pieceLength), mayRepeat);
      if (scheduler.shouldYield()) await scheduler.yieldToEventLoop(signal);
    }
  }
};

const lengthOf = (lists: readonly WordSlots[]): number =>
  lists.reduce((sum, { slots }) => sum + slots.length, 0);

const setMark =
  (marks: Uint32Array, mark: number): Visit =>
  (slots) => {
    for (let i = 0; i < slots.length; i++) marks[wordAt(slots, i)] = mark;
  };

/** Gives the next mark to the slots that have this one. */
const raiseMark =
  (marks: Uint32Array, mark: number): Visit =>
  (slots) => {
    for (let i = 0; i < slots.length; i++) {
      const slot = wordAt(slots, i);
      if (wordAt(marks, slot) === mark) marks[slot] = mark + 1;
    }
  };

/** Visits only the slots that have this mark. */
const visitMarked =
  (marks: Uint32Array, mark: number, visit: Visit): Visit =>
  (slots) => {
    const found = new Uint32Array(slots.length + 1);
    let used = 0;
    for (let i = 0; i < slots.length; i++) {
      const slot = wordAt(slots, i);
      found[used] = slot;
      used += wordAt(marks, slot) === mark ? 1 : 0;
    }
    visit(found.subarray(0, used), true);
  };

/** Calls `visit` with the slots of the rows that have all these words, piece by piece. */
export const visitRowsWith = async (
  view: SnapshotView,
  words: readonly string[],
  visit: Visit,
): Promise<void> => {
  const { marks } = view.words;
  const found = words
    .map((word) => slotsOfWord(view.snapshot.text, word))
    .sort((a, b) => lengthOf(a) - lengthOf(b));
  const [rarest = [], ...others] = found;
  if (others.length === 0) return visitAll(view, rarest, visit);
  const first = reserveMarks(view.words, found.length);
  await visitAll(view, rarest, setMark(marks, first));
  for (const [index, lists] of others.entries()) {
    await visitAll(view, lists, raiseMark(marks, first + index));
  }
  // A row with all words is in the shortest list.
  await visitAll(view, rarest, visitMarked(marks, first + others.length, visit));
};
