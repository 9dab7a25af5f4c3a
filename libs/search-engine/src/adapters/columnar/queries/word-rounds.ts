import type { Reading } from './snapshot-view.ts';
import { slotsOfWord, type WordSlots } from './text-search.ts';
import { wordAt } from '../snapshot/typed-arrays.ts';

/** Slots are looked at in pieces of this many. */
export const pieceLength = 32_768;

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

/** A number that no slot has yet. */
export const freshRound = (words: WordRounds): number => firstRound(words, 1) + 1;

type Visit = (slots: Uint32Array, mayRepeat: boolean) => void;

const visitAll = async (
  { pace, signal }: Reading,
  lists: readonly WordSlots[],
  visit: Visit,
): Promise<void> => {
  for (const { slots, mayRepeat } of lists) {
    for (let from = 0; from < slots.length; from += pieceLength) {
      visit(slots.subarray(from, from + pieceLength), mayRepeat);
      if (pace.isDue()) await pace.rest(signal);
    }
  }
};

const lengthOf = (lists: readonly WordSlots[]): number =>
  lists.reduce((sum, { slots }) => sum + slots.length, 0);

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

/** Those of the slots that have reached the round. */
const inRound =
  (rounds: Uint32Array, round: number, visit: Visit): Visit =>
  (slots) => {
    const found = new Uint32Array(slots.length + 1);
    let used = 0;
    for (let i = 0; i < slots.length; i++) {
      const slot = wordAt(slots, i);
      found[used] = slot;
      used += wordAt(rounds, slot) === round ? 1 : 0;
    }
    visit(found.subarray(0, used), true);
  };

/** Calls with the slots of the rows that have all these words, piece by piece. */
export const visitRowsWith = async (
  reading: Reading,
  words: readonly string[],
  visit: Visit,
): Promise<void> => {
  const { rounds } = reading.words;
  const found = words
    .map((word) => slotsOfWord(reading.snapshot.text, word))
    .sort((a, b) => lengthOf(a) - lengthOf(b));
  const [rarest = [], ...others] = found;
  if (others.length === 0) return visitAll(reading, rarest, visit);
  const first = firstRound(reading.words, found.length) + 1;
  await visitAll(reading, rarest, begin(rounds, first));
  for (const [at, lists] of others.entries()) await visitAll(reading, lists, advance(rounds, first + at));
  // All of them stand in the shortest list.
  await visitAll(reading, rarest, inRound(rounds, first + others.length, visit));
};
