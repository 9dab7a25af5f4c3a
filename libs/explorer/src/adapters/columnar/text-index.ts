import type { ExplorerRow } from '../../search-port.ts';
import { wordsOf } from '../../text.ts';
import { wordAt } from './typed-arrays.ts';

/** Terms in order; the slots of term i stand in `slots` from `offsets[i]` to `offsets[i + 1]`, in any order. */
export type TextSegment = Readonly<{
  terms: readonly string[];
  offsets: Uint32Array;
  slots: Uint32Array;
}>;

const textsOf = (row: ExplorerRow): readonly (string | null)[] => [
  row.title,
  row.author,
  row.description,
  ...row.categories,
  ...row.spellings,
];

/** A word that no longer keeps the whole text alive it was cut from. */
const detached = (word: string): string => (word.length < 13 ? word : Buffer.from(word).toString());

export type TextIndexer = Readonly<{
  add: (slot: number, row: ExplorerRow) => void;
  finish: () => TextSegment;
}>;

/** Collects the words of rows and turns them into one segment. */
export const textIndexer = (): TextIndexer => {
  const termIds = new Map<string, number>();
  const lastSlot: number[] = [];
  const rowSlots: number[] = [];
  const rowEnds: number[] = [];
  let pairs = new Uint32Array(1024);
  let used = 0;

  const addWord = (slot: number, word: string): void => {
    let term = termIds.get(word);
    if (term === undefined) {
      term = termIds.size;
      termIds.set(detached(word), term);
      lastSlot.push(-1);
    }
    if (lastSlot[term] === slot) return;
    lastSlot[term] = slot;
    if (used === pairs.length) {
      const larger = new Uint32Array(used * 2);
      larger.set(pairs);
      pairs = larger;
    }
    pairs[used++] = term;
  };

  return {
    add: (slot, row) => {
      for (const text of textsOf(row)) {
        if (text !== null) for (const word of wordsOf(text)) addWord(slot, word);
      }
      rowSlots.push(slot);
      rowEnds.push(used);
    },
    finish: () => segmentOf([...termIds.keys()], pairs.subarray(0, used), rowSlots, rowEnds),
  };
};

const segmentOf = (
  words: readonly string[],
  pairs: Uint32Array,
  rowSlots: readonly number[],
  rowEnds: readonly number[],
): TextSegment => {
  const order = Uint32Array.from(words.keys());
  const text = (id: number): string => words[id] ?? '';
  order.sort((a, b) => (text(a) < text(b) ? -1 : 1));
  const rank = new Uint32Array(words.length);
  order.forEach((id, place) => (rank[id] = place));
  const offsets = new Uint32Array(words.length + 1);
  for (let i = 0; i < pairs.length; i++) {
    const place = wordAt(rank, wordAt(pairs, i)) + 1;
    offsets[place] = wordAt(offsets, place) + 1;
  }
  for (let i = 1; i < offsets.length; i++) offsets[i] = wordAt(offsets, i) + wordAt(offsets, i - 1);
  const next = offsets.slice();
  const slots = new Uint32Array(pairs.length);
  let pair = 0;
  rowSlots.forEach((slot, row) => {
    for (const end = rowEnds[row] ?? 0; pair < end; pair++) {
      const place = wordAt(rank, wordAt(pairs, pair));
      slots[wordAt(next, place)] = slot;
      next[place] = wordAt(next, place) + 1;
    }
  });
  return { terms: Array.from(order, text), offsets, slots };
};

const postings = ({ offsets, slots }: TextSegment, term: number): Uint32Array =>
  slots.subarray(wordAt(offsets, term), wordAt(offsets, term + 1));

const merged = (a: TextSegment, b: TextSegment): TextSegment => {
  const terms: string[] = [];
  const ends: number[] = [0];
  const slots = new Uint32Array(a.slots.length + b.slots.length);
  let [i, j, used] = [0, 0, 0];
  const take = (segment: TextSegment, term: number): void => {
    const list = postings(segment, term);
    slots.set(list, used);
    used += list.length;
  };
  while (i < a.terms.length || j < b.terms.length) {
    const [left, right] = [a.terms[i], b.terms[j]];
    const term = right === undefined || (left !== undefined && left <= right) ? left : right;
    if (term === undefined) break;
    terms.push(term);
    if (term === left) take(a, i++);
    if (term === right) take(b, j++);
    ends.push(used);
  }
  return { terms, offsets: Uint32Array.from(ends), slots };
};

/** Adds a segment; neighbours of like size become one, so that there are few and none is merged often. */
export const withSegment = (segments: readonly TextSegment[], added: TextSegment): readonly TextSegment[] => {
  const result = [...segments];
  let last = added;
  for (
    let before = result.at(-1);
    before && last.slots.length * 4 > before.slots.length;
    before = result.at(-1)
  ) {
    last = merged(before, last);
    result.pop();
  }
  return [...result, last];
};

/** The segment with slots renumbered; slots whose new number is `gone` drop out. */
export const renumbered = (segment: TextSegment, numbers: Uint32Array, gone: number): TextSegment => {
  const terms: string[] = [];
  const ends: number[] = [0];
  const slots = new Uint32Array(segment.slots.length);
  let used = 0;
  segment.terms.forEach((term, index) => {
    const before = used;
    for (const slot of postings(segment, index)) {
      const number = wordAt(numbers, slot);
      if (number !== gone) slots[used++] = number;
    }
    if (used === before) return;
    terms.push(term);
    ends.push(used);
  });
  return { terms, offsets: Uint32Array.from(ends), slots: slots.slice(0, used) };
};

const firstTerm = (terms: readonly string[], before: (term: string) => boolean): number => {
  let [low, high] = [0, terms.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before(terms[middle] ?? '')) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Slots of every term that begins with the prefix: such terms are neighbours, and so are their slots. */
const prefixSlots = ({ terms, offsets, slots }: TextSegment, prefix: string): Uint32Array => {
  const from = firstTerm(terms, (term) => term < prefix);
  const to = firstTerm(terms, (term) => term < prefix || term.startsWith(prefix));
  return slots.subarray(wordAt(offsets, from), wordAt(offsets, to));
};

/** The words that a row must have, without those that a longer one implies. */
export const queryWords = (search: string): readonly string[] => {
  const words = [...new Set(wordsOf(search))];
  return words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)));
};

/** Raises `hits` of a slot by one for every word in turn; slots that reach `words.length` have them all. */
export const countWords = (
  segments: readonly TextSegment[],
  words: readonly string[],
  hits: Uint16Array,
): void => {
  words.forEach((word, round) => {
    for (const segment of segments) {
      const slots = prefixSlots(segment, word);
      for (let i = 0; i < slots.length; i++) {
        const slot = wordAt(slots, i);
        if (hits[slot] === round) hits[slot] = round + 1;
      }
    }
  });
};
