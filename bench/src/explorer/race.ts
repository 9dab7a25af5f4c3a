import { isDeepStrictEqual } from 'node:util';
import { median, timed } from '../statistics.ts';
import { countPlainly, type Figures, type Ranges } from './figures.ts';
import type { Subject } from './subject.ts';

/** @throws Error when anybody's answer to one of the sets is not the plain count. Returns the mean total. */
export const checkAnswers = async (
  subjects: readonly Subject[],
  figures: Figures,
  sets: readonly Ranges[],
): Promise<number> => {
  let passing = 0;
  for (const ranges of sets) {
    const truth = countPlainly(figures, ranges);
    passing += truth.total / sets.length;
    for (const { name, refresh } of subjects) {
      if (isDeepStrictEqual(await refresh(ranges), truth)) continue;
      throw new Error(`${name} answers differently from a plain count: its figures would be worth nothing.`);
    }
  }
  return passing;
};

export type Pace = Readonly<{
  rounds: number;
  /** Milliseconds that one contender may take altogether; a slow one then sits out some rounds, evenly. */
  budget: number;
}>;

const warmAnswers = 200;
const warmMillis = 1_500;
const fewestAnswers = 5;
/**
 * Milliseconds of work that make a turn: a contender with short answers gives several of them in a row, so that everybody
 * has about as long to find its data after what the others have left in the processor's caches.
 */
const turnMillis = 25;
const mostInATurn = 1_000;

/** Milliseconds of answers. */
export type Answers = Readonly<{
  all: readonly number[];
  /** The first answer of every turn. */
  first: readonly number[];
}>;

type Runner = Readonly<{
  subject: Subject;
  answers: number;
  inATurn: number;
  all: number[];
  first: number[];
}>;

/** Lets everybody warm up, and plans by what an answer then takes. */
const prepare = async (subject: Subject, ask: Ask, { rounds, budget }: Pace): Promise<Runner> => {
  const warm: number[] = [];
  const begun = performance.now();
  while (warm.length < warmAnswers && performance.now() - begun < warmMillis) {
    warm.push(await ask(subject, warm.length));
  }
  const usual = Math.max(0.001, median(warm.slice(warm.length >> 1)));
  const answers = Math.min(rounds, Math.max(Math.min(rounds, fewestAnswers), Math.floor(budget / usual)));
  const inATurn = Math.min(mostInATurn, Math.max(1, Math.round(turnMillis / usual)));
  return { subject, answers, inATurn, all: [], first: [] };
};

const takesPart = (answers: number, rounds: number, round: number): boolean =>
  Math.floor(((round + 1) * answers) / rounds) > Math.floor((round * answers) / rounds);

/** Asks once, in milliseconds. */
export type Ask = (subject: Subject, turn: number) => Promise<number>;

const takeTurn = async ({ subject, inATurn, all, first }: Runner, ask: Ask, round: number): Promise<void> => {
  for (let answer = 0; answer < inATurn; answer++) all.push(await ask(subject, round + answer * 3));
  const begun = all.at(-inATurn);
  if (begun !== undefined) first.push(begun);
};

/** Everybody in turn, round after round: what slows the machine for a while slows all of them. */
export const race = async (
  subjects: readonly Subject[],
  ask: Ask,
  pace: Pace,
): Promise<ReadonlyMap<Subject, Answers>> => {
  const runners: Runner[] = [];
  for (const subject of subjects) runners.push(await prepare(subject, ask, pace));
  for (let round = 0; round < pace.rounds; round++) {
    for (const runner of runners) {
      if (takesPart(runner.answers, pace.rounds, round)) await takeTurn(runner, ask, round);
    }
  }
  return new Map(runners.map(({ subject, all, first }) => [subject, { all, first }]));
};

/** All eight ranges are new. */
export const fullRefresh =
  (sets: readonly Ranges[]): Ask =>
  ({ refresh }, turn) =>
    timed(() => refresh(sets[turn % sets.length] ?? []));

/** The ranges of one set, one of them from the next. */
export const withOneMoved = (sets: readonly Ranges[], turn: number): Ranges => {
  const moved = turn % 8;
  const next = sets[(turn + 1) % sets.length] ?? [];
  return (sets[turn % sets.length] ?? []).map((range, facet) =>
    facet === moved ? (next[facet] ?? range) : range,
  );
};

/** The question before was the same but for one range. */
export const oneSliderMoved =
  (sets: readonly Ranges[]): Ask =>
  async ({ refresh }, turn) => {
    await refresh(sets[turn % sets.length] ?? []);
    return timed(() => refresh(withOneMoved(sets, turn)));
  };
