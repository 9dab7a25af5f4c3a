import type { Position } from '../event.ts';

/** Milliseconds between two looks at a tape that does not grow: at first, and after a while. */
const shortestPause = 5;
const longestPause = 50;
const growth = 1.1;

export type TapeWatch = Readonly<{
  /** Resolves when the tape has grown beyond the position, or cannot be looked at, or the signal is aborted. */
  waitBeyond: (position: Position, signal: AbortSignal) => Promise<void>;
  /** To be called after an append of this process: somebody may be waiting for it. */
  wake: () => void;
}>;

type Waiter = Readonly<{ position: Position; end: () => void }>;

/** One look at the end of the tape serves all who wait; nobody looks when nobody waits. */
export const createTapeWatch = (lookAtEnd: () => Promise<Position>): TapeWatch => {
  const waiters = new Set<Waiter>();
  let pause = shortestPause;
  let looking = false;
  let timer: NodeJS.Timeout | undefined;
  let lookAgain = false;

  const look = async (): Promise<void> => {
    looking = true;
    lookAgain = false;
    timer = undefined;
    const asked = [...waiters];
    // Who waits finds out what is wrong by reading.
    const end = await lookAtEnd().catch(() => undefined);
    const answered = asked.filter((waiter) => end === undefined || end > waiter.position);
    for (const waiter of answered) waiter.end();
    pause = answered.length > 0 ? shortestPause : Math.min(pause * growth, longestPause);
    looking = false;
    schedule();
  };

  const schedule = (): void => {
    if (looking || timer || waiters.size === 0) return;
    timer = setTimeout(() => void look(), lookAgain ? 0 : pause);
  };

  return {
    waitBeyond: (position, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const waiter = {
          position,
          end: () => {
            waiters.delete(waiter);
            signal.removeEventListener('abort', waiter.end);
            resolve();
          },
        };
        waiters.add(waiter);
        signal.addEventListener('abort', waiter.end);
        schedule();
      }),
    wake: () => {
      lookAgain = true;
      clearTimeout(timer);
      timer = undefined;
      schedule();
    },
  };
};
