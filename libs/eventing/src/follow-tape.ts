import type { EventStore, FollowOptions, ReadTapeOptions, TapePage } from './event-store.ts';

/** Milliseconds between two looks at a tape that has nothing new: from the first to the last. */
const shortestPause = 5;
const longestPause = 250;
const growth = 1.15;

const shortestBackoff = 50;
const longestBackoff = 2_000;

export type FollowSource = Readonly<{
  readTape: EventStore['readTape'];
  /** Whether to try again after this error (a lost connection) instead of giving it to the reader. */
  isTransient: (error: unknown) => boolean;
  /** Calls `wake` after every append of this process; returns how to unsubscribe. */
  onAppend: (wake: () => void) => () => void;
}>;

type Sleeper = Readonly<{
  /** Call before looking: what is appended from here on cuts the next sleep short. */
  arm: () => void;
  sleep: (ms: number) => Promise<void>;
  dispose: () => void;
}>;

/** Sleeps no longer than the signal, or an append of this process, lets it. */
const createSleeper = (source: FollowSource, signal: AbortSignal): Sleeper => {
  let appended = false;
  let wake = (): void => {};
  const stop = (): void => wake();
  signal.addEventListener('abort', stop);
  const unsubscribe = source.onAppend(() => {
    appended = true;
    wake();
  });
  return {
    arm: () => {
      appended = false;
    },
    sleep: (ms) =>
      new Promise((resolve) => {
        if (appended || signal.aborted) return resolve();
        const timer = setTimeout(() => wake(), ms);
        wake = () => {
          clearTimeout(timer);
          wake = () => {};
          resolve();
        };
      }),
    dispose: () => {
      wake();
      unsubscribe();
      signal.removeEventListener('abort', stop);
    },
  };
};

/** The next page, however often the connection is lost meanwhile; undefined once the signal is aborted. */
const readPatiently = async (
  source: FollowSource,
  options: ReadTapeOptions,
  sleeper: Sleeper,
  signal: AbortSignal,
): Promise<TapePage | undefined> => {
  for (let backoff = shortestBackoff; !signal.aborted; backoff = Math.min(backoff * 2, longestBackoff)) {
    sleeper.arm();
    try {
      return await source.readTape(options);
    } catch (error) {
      if (!source.isTransient(error)) throw error;
      await sleeper.sleep(backoff);
    }
  }
  return undefined;
};

/** Pages for as long as the signal is not aborted; the pauses grow while nothing happens. */
export const followTape = async function* (
  source: FollowSource,
  { after, batchSize, types, signal }: FollowOptions,
): AsyncGenerator<TapePage, void, void> {
  const sleeper = createSleeper(source, signal);
  let position = after;
  let wait = shortestPause;
  try {
    while (!signal.aborted) {
      const options = { after: position, limit: batchSize, ...(types ? { types } : {}) };
      const page = await readPatiently(source, options, sleeper, signal);
      if (!page || signal.aborted) return;
      if (page.position > position) {
        position = page.position;
        wait = shortestPause;
        yield page;
      } else {
        await sleeper.sleep(wait);
        wait = Math.min(wait * growth, longestPause);
      }
    }
  } finally {
    sleeper.dispose();
  }
};
