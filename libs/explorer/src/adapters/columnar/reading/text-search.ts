import { wordsOf } from '../../../text.ts';
import { beginsWith, bytesOf, compareToBytes } from '../byte-strings.ts';
import { termCount, type TextSegment } from '../text-segment.ts';
import { wordAt } from '../typed-arrays.ts';

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

/** Slots of every term that begins with the prefix: such terms are neighbours, and so are their slots. */
const prefixSlots = (segment: TextSegment, prefix: Uint8Array): Uint32Array => {
  const { terms, offsets, slots } = segment;
  const count = termCount(segment);
  const from = firstTerm(count, (term) => compareToBytes(terms, term, prefix) < 0);
  const to = firstTerm(
    count,
    (term) => compareToBytes(terms, term, prefix) < 0 || beginsWith(terms, term, prefix),
  );
  return slots.subarray(wordAt(offsets, from), wordAt(offsets, to));
};

/** Where a word stands: the slots of each segment, a slot as often as the row has words that begin so. */
export const slotsOfWord = (segments: readonly TextSegment[], word: string): readonly Uint32Array[] => {
  const prefix = bytesOf(word);
  return segments.map((segment) => prefixSlots(segment, prefix)).filter((slots) => slots.length > 0);
};
