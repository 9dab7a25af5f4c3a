import { openSync, readSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

const tick = 1;
const nanosPerMilli = 1e6;

/** Milliseconds that this thread has worked, as the kernel of Linux counts them; elsewhere that its loop was busy. */
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
  /** Milliseconds from begin to end. */
  millis: number;
  /**
   * The longest piece of work of this thread's event loop, in milliseconds, during which nobody else's turn could come.
   * What other threads and processes take of the processor is not in it.
   */
  longestBlock: number;
}>;

/** Does the work and looks meanwhile how long this thread is kept from anything else. */
export const watchLoop = async <T>(work: () => Promise<T>): Promise<Watched<T>> => {
  let longest = 0;
  let last = worked();
  const look = (): void => {
    const now = worked();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, tick);
  const begun = performance.now();
  try {
    const result = await work();
    const millis = performance.now() - begun;
    // A block that has gone on to the very end is one too.
    look();
    return { result, millis, longestBlock: longest };
  } finally {
    clearInterval(timer);
  }
};
