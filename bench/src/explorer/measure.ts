import { isDeepStrictEqual } from 'node:util';
import { median, timed } from '../statistics.ts';
import { countPlainly, type Figures, type Ranges } from './figures.ts';
import type { Subject } from './subject.ts';

/** Returns the mean total. @throws Error when the answer of a subject differs from the plain count. */
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
      throw new Error(`The answer of ${name} differs from a plain count: its measurements would be invalid.`);
    }
  }
  return passing;
};

export type Effort = Readonly<{
  rounds: number;
  /** The maximum time for one subject. A slow subject skips rounds, evenly distributed. */
  budgetMs: number;
}>;

const warmUpAnswers = 200;
const warmUpMs = 1_500;
const minAnswers = 5;
/**
 * The duration of a turn: a subject with short answers gives several of them in a row, so that every subject has a
 * similar time to get its data back into the processor's caches after the others.
 */
const turnMs = 25;
const maxAnswersPerTurn = 1_000;

/** Durations of answers in milliseconds. */
export type Durations = Readonly<{
  all: readonly number[];
  /** Those of the first answer of each turn. */
  first: readonly number[];
}>;

type Plan = Readonly<{
  subject: Subject;
  answers: number;
  answersPerTurn: number;
  all: number[];
  first: number[];
}>;

/** Warms a subject up, and plans its turns by the duration of an answer. */
const warmUp = async (subject: Subject, ask: Ask, { rounds, budgetMs }: Effort): Promise<Plan> => {
  const warm: number[] = [];
  const startedAt = performance.now();
  while (warm.length < warmUpAnswers && performance.now() - startedAt < warmUpMs) {
    warm.push(await ask(subject, warm.length));
  }
  const usualMs = Math.max(0.001, median(warm.slice(warm.length >> 1)));
  const answers = Math.min(rounds, Math.max(Math.min(rounds, minAnswers), Math.floor(budgetMs / usualMs)));
  const answersPerTurn = Math.min(maxAnswersPerTurn, Math.max(1, Math.round(turnMs / usualMs)));
  return { subject, answers, answersPerTurn, all: [], first: [] };
};

const hasTurn = (answers: number, rounds: number, round: number): boolean =>
  Math.floor(((round + 1) * answers) / rounds) > Math.floor((round * answers) / rounds);

/** Returns the duration of one answer in milliseconds. */
export type Ask = (subject: Subject, turn: number) => Promise<number>;

const takeTurn = async (
  { subject, answersPerTurn, all, first }: Plan,
  ask: Ask,
  round: number,
): Promise<void> => {
  for (let answer = 0; answer < answersPerTurn; answer++) all.push(await ask(subject, round + answer * 3));
  const firstOfTurn = all.at(-answersPerTurn);
  if (firstOfTurn !== undefined) first.push(firstOfTurn);
};

/** Measures all subjects in turn, round after round, so that a slow phase of the machine affects all of them. */
export const measure = async (
  subjects: readonly Subject[],
  ask: Ask,
  effort: Effort,
): Promise<ReadonlyMap<Subject, Durations>> => {
  const plans: Plan[] = [];
  for (const subject of subjects) plans.push(await warmUp(subject, ask, effort));
  for (let round = 0; round < effort.rounds; round++) {
    for (const plan of plans) {
      if (hasTurn(plan.answers, effort.rounds, round)) await takeTurn(plan, ask, round);
    }
  }
  return new Map(plans.map(({ subject, all, first }) => [subject, { all, first }]));
};

/** All ranges differ from the previous request. */
export const fullRefresh =
  (sets: readonly Ranges[]): Ask =>
  ({ refresh }, turn) =>
    timed(() => refresh(sets[turn % sets.length] ?? []));

/** The ranges of one set, one of them replaced by that of the next set. */
export const withOneMoved = (sets: readonly Ranges[], turn: number): Ranges => {
  const ranges = sets[turn % sets.length] ?? [];
  const next = sets[(turn + 1) % sets.length] ?? [];
  const moved = turn % ranges.length;
  return ranges.map((range, facet) => (facet === moved ? (next[facet] ?? range) : range));
};

/** One range differs from the previous request. */
export const oneSliderMoved =
  (sets: readonly Ranges[]): Ask =>
  async ({ refresh }, turn) => {
    await refresh(sets[turn % sets.length] ?? []);
    return timed(() => refresh(withOneMoved(sets, turn)));
  };
