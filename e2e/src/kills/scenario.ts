import { expect } from '@jest/globals';
import type { DeathPoint } from '@tapedeck/eventing/testing';
import type { ProcessName } from '../api/payments/real-processes.ts';
import { eventsAfter, headOf, type KillProduct } from './kill-product.ts';

/** A process that ends by SIGKILL at a query of its own. */
export type Kill = Readonly<{
  /** Continues "a process that is killed". */
  name: string;
  process: ProcessName;
  at: DeathPoint;
  /** Whether events of a type, or another fact of the scenario, are there when the process has died. */
  left?: Readonly<Record<string, boolean>>;
}>;

/** Does the work once, with the kill during it, and returns what has come of it: always the same. */
export type Run = (kill?: Kill) => Promise<unknown>;

export type Scenario = Readonly<{
  /** Continues "a process that is killed during". */
  title: string;
  kills: readonly Kill[];
  /** Part of what comes of it when nothing is killed. */
  outcome: object;
  open: (product: KillProduct) => Promise<Run>;
  /** What must be so after all kills. */
  checkEnd?: (product: KillProduct) => Promise<void>;
}>;

/** Where an event is appended. */
export const append = (when: 'before' | 'after', type: string): DeathPoint => ({
  when,
  contains: ['tape_append', type],
});

type Facts = Readonly<Record<string, boolean>>;

/**
 * Does one step of a scenario. With a kill, the process dies during it and is started again; `countFacts` reads, before the step
 * and while the process is dead, numbers that say what else has happened when they have grown.
 */
export const killDuring = async <Result>(
  product: KillProduct,
  kill: Kill | undefined,
  step: (isDead: () => boolean) => Promise<Result>,
  countFacts: () => Promise<Readonly<Record<string, number>>> = () => Promise.resolve({}),
): Promise<Result> => {
  if (!kill) return step(() => true);
  const [position, before] = await Promise.all([headOf(product), countFacts()]);
  const { died } = await product.dieAt(kill.process, kill.at);
  let isDead = false;
  const replace = async (): Promise<void> => {
    await died;
    isDead = true;
    const events = await eventsAfter(product, position);
    const grown = Object.entries(await countFacts()).map(([fact, count]) => [
      fact,
      count > (before[fact] ?? 0),
    ]);
    const types = Object.keys(kill.left ?? {}).map((type) => [type, (events[type] ?? 0) > 0]);
    const facts = Object.fromEntries([...types, ...grown]) as Facts;
    // Also before a failure, so that the other tests have the whole product.
    await product.start(kill.process);
    expect(facts).toMatchObject(kill.left ?? {});
  };
  const [result] = await Promise.all([step(() => isDead), replace()]);
  return result;
};

/** For a step that is one request to the API, which dies before it can answer. */
export const withoutAnswer = async (request: Promise<unknown>): Promise<void> => {
  const answer = await request.catch(() => 'no answer');
  expect(answer).toBe('no answer');
};
