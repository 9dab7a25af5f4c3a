import { wordsOf } from '../../../catalogue/text.ts';
import { beginsWith, bytesOf, compareToBytes } from '../snapshot/byte-strings.ts';
import { termCount, type TextSegment } from '../snapshot/text-segment.ts';
import { wordAt } from '../snapshot/typed-arrays.ts';

/** The words that a row must have, without those that a longer one implies. */
export const queryWords = (search: string): readonly string[] => {
  const words = [...new Set(wordsOf(search))];
  return words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)));
};

const firstTerm = (count: number, isBefore: (term: number) => boolean): number => {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Where a word stands in one segment. */
export type WordSlots = Readonly<{
  slots: Uint32Array;
  /** True when several terms begin with the word: then a slot may come several times. */
  mayRepeat: boolean;
}>;

/** Slots of every term that begins with the prefix: such terms are neighbours, and so are their slots. */
const prefixSlots = (segment: TextSegment, prefix: Uint8Array): WordSlots => {
  const { terms, offsets, slots } = segment;
  const count = termCount(segment);
  const from = firstTerm(count, (term) => compareToBytes(terms, term, prefix) < 0);
  const to = firstTerm(
    count,
    (term) => compareToBytes(terms, term, prefix) < 0 || beginsWith(terms, term, prefix),
  );
  return { slots: slots.subarray(wordAt(offsets, from), wordAt(offsets, to)), mayRepeat: to - from > 1 };
};

/** Where a word stands; no slot is in two segments. */
export const slotsOfWord = (segments: readonly TextSegment[], word: string): readonly WordSlots[] => {
  const prefix = bytesOf(word);
  return segments.map((segment) => prefixSlots(segment, prefix)).filter(({ slots }) => slots.length > 0);
};
