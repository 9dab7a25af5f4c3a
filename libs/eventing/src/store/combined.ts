import { setTimeout } from 'node:timers/promises';

type Waiting<Item, Result> = Readonly<{
  items: readonly Item[];
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}>;

export type CombinedOptions = Readonly<{
  /** From the begin of a run to the begin of the next one. */
  minIntervalMs?: number;
}>;

/**
 * Runs one operation for many callers: those that call while it runs share the next run, each with all items of that
 * run in one list. When a run of several callers fails, each of them gets a run of its own, so that none fails because
 * of another one's items.
 *
 * @example
 * const loadRows = combined((ids: readonly string[]) => load(ids));
 */
export const combined = <Item, Result>(
  run: (items: readonly Item[]) => Promise<Result>,
  { minIntervalMs = 0 }: CombinedOptions = {},
): ((items: readonly Item[]) => Promise<Result>) => {
  let waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;
  let nextAt = 0;

  const runAlone = ({ items, resolve, reject }: Waiting<Item, Result>): Promise<void> =>
    run(items).then(resolve, reject);

  const runFor = async (callers: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const result = await run(callers.flatMap(({ items }) => items));
      for (const { resolve } of callers) resolve(result);
    } catch (error) {
      if (callers.length > 1) await Promise.all(callers.map(runAlone));
      else callers[0]?.reject(error);
    }
  };

  const runAll = async (): Promise<void> => {
    isRunning = true;
    // A call in the same turn of the event loop belongs to the first run.
    await Promise.resolve();
    while (waiting.length > 0) {
      const waitMs = nextAt - performance.now();
      if (waitMs > 0) await setTimeout(waitMs);
      nextAt = performance.now() + minIntervalMs;
      const callers = waiting;
      waiting = [];
      await runFor(callers);
    }
    isRunning = false;
  };

  return (items) =>
    new Promise((resolve, reject) => {
      waiting.push({ items, resolve, reject });
      if (!isRunning) void runAll();
    });
};
