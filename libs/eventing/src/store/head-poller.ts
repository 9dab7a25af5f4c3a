import type { Position } from '../event.ts';

/** The interval grows while the head of the tape does not move. */
const minPollIntervalMs = 5;
const maxPollIntervalMs = 50;
const intervalGrowth = 1.1;

export type HeadPoller = Readonly<{
  /** Resolves when the head is another position, when it cannot be read, or when the signal is aborted. */
  waitBeyond: (position: Position, signal: AbortSignal) => Promise<void>;
  /** Polls without delay. Call it after an append of this process. */
  pollNow: () => void;
}>;

type Waiter = Readonly<{ position: Position; resolve: () => void }>;

/** Polls the head of the tape: one poll for all waiting readers, and none while no reader waits. */
export const createHeadPoller = (readHead: () => Promise<Position>): HeadPoller => {
  const waiters = new Set<Waiter>();
  let intervalMs = minPollIntervalMs;
  let polling = false;
  let timer: NodeJS.Timeout | undefined;
  let pollAgain = false;

  const poll = async (): Promise<void> => {
    polling = true;
    pollAgain = false;
    timer = undefined;
    const waiting = [...waiters];
    // After an error, and when the tape ends before what they have read, the readers read it and report what is wrong.
    const head = await readHead().catch(() => undefined);
    const ready = waiting.filter((waiter) => head !== waiter.position);
    for (const waiter of ready) waiter.resolve();
    intervalMs =
      ready.length > 0 ? minPollIntervalMs : Math.min(intervalMs * intervalGrowth, maxPollIntervalMs);
    polling = false;
    schedule();
  };

  const schedule = (): void => {
    if (polling || timer || waiters.size === 0) return;
    timer = setTimeout(() => void poll(), pollAgain ? 0 : intervalMs);
  };

  return {
    waitBeyond: (position, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const waiter = {
          position,
          resolve: () => {
            waiters.delete(waiter);
            signal.removeEventListener('abort', waiter.resolve);
            resolve();
          },
        };
        waiters.add(waiter);
        signal.addEventListener('abort', waiter.resolve);
        schedule();
      }),
    pollNow: () => {
      pollAgain = true;
      clearTimeout(timer);
      timer = undefined;
      schedule();
    },
  };
};
