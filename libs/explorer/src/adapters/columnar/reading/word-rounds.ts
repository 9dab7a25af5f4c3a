import type { Reading } from './reading.ts';
import { slotsOfWord } from './text-search.ts';
import { wordAt } from '../typed-arrays.ts';

/** Slots are looked at in pieces of this many. */
export const pieceLength = 65_536;

/**
 * A number per slot: how many words of the present search, in turn, the row is known to have. Every search counts
 * on from where the last one ended, so that nothing has to be cleared.
 */
export type WordRounds = { readonly rounds: Uint32Array; last: number };

const highestRound = 0xffff_ff00;

const firstRound = (words: WordRounds, count: number): number => {
  if (words.last + count >= highestRound) {
    words.rounds.fill(0);
    words.last = 0;
  }
  const first = words.last;
  words.last += count;
  return first;
};

type Visit = (slots: Uint32Array) => void;

const visitAll = async (
  { pace, signal }: Reading,
  lists: readonly Uint32Array[],
  visit: Visit,
): Promise<void> => {
  for (const slots of lists) {
    for (let from = 0; from < slots.length; from += pieceLength) {
      visit(slots.subarray(from, from + pieceLength));
      if (pace.isDue()) await pace.rest(signal);
    }
  }
};

const lengthOf = (lists: readonly Uint32Array[]): number =>
  lists.reduce((sum, slots) => sum + slots.length, 0);

const advance =
  (rounds: Uint32Array, before: number): Visit =>
  (slots) => {
    for (let i = 0; i < slots.length; i++) {
      const slot = wordAt(slots, i);
      if (wordAt(rounds, slot) === before) rounds[slot] = before + 1;
    }
  };

const begin =
  (rounds: Uint32Array, first: number): Visit =>
  (slots) => {
    for (let i = 0; i < slots.length; i++) rounds[wordAt(slots, i)] = first;
  };

/**
 * Finds the rows that have all these words: they are the slots whose round is the one that `visit` is given. It is
 * called with the slots of the rarest word, where all of them occur, perhaps several times.
 */
export const visitRowsWith = async (
  reading: Reading,
  words: readonly string[],
  visit: (slots: Uint32Array, round: number) => void,
): Promise<void> => {
  const { rounds } = reading.words;
  const found = words
    .map((word) => slotsOfWord(reading.snapshot.text, word))
    .sort((a, b) => lengthOf(a) - lengthOf(b));
  const first = firstRound(reading.words, found.length);
  const [rarest = []] = found;
  for (const [at, lists] of found.entries()) {
    await visitAll(reading, lists, at === 0 ? begin(rounds, first + 1) : advance(rounds, first + at));
  }
  await visitAll(reading, rarest, (slots) => visit(slots, first + found.length));
};
