import { openSync, readSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

const tickMs = 1;
const nanosPerMilli = 1e6;

/** The milliseconds of processor time of this thread by Linux; on other systems the busy time of its event loop. */
const workClock = (): (() => number) => {
  if (process.platform !== 'linux') return () => performance.eventLoopUtilization().active;
  const file = openSync('/proc/thread-self/schedstat', 'r');
  const line = Buffer.alloc(64);
  return () => {
    const length = readSync(file, line, 0, line.length, 0);
    return Number(line.toString('latin1', 0, length).split(' ')[0]) / nanosPerMilli;
  };
};

const worked = workClock();

export type Watched<T> = Readonly<{
  result: T;
  millis: number;
  /**
   * The longest time for which this thread's event loop was blocked. Does not include the time of other threads and
   * processes.
   */
  maxBlockMs: number;
}>;

/** Runs the work and measures for how long it blocks this thread. */
export const watchLoop = async <T>(work: () => Promise<T>): Promise<Watched<T>> => {
  let maxMs = 0;
  let last = worked();
  const check = (): void => {
    const now = worked();
    maxMs = Math.max(maxMs, now - last);
    last = now;
  };
  const timer = setInterval(check, tickMs);
  const startedAt = performance.now();
  try {
    const result = await work();
    const millis = performance.now() - startedAt;
    // Includes a block that lasts until the end.
    check();
    return { result, millis, maxBlockMs: maxMs };
  } finally {
    clearInterval(timer);
  }
};
