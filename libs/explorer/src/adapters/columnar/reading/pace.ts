/** Milliseconds of work after which the event loop gets its turn. */
const longestPiece = 2;

/** Cuts work into pieces, so that requests, timers and other questions come in between. */
export type Pace = Readonly<{
  /** True when this turn of the event loop has worked long enough. */
  isDue: () => boolean;
  /** Goes on in a later turn; rejects when the question has been given up meanwhile. */
  rest: (signal?: AbortSignal) => Promise<void>;
}>;

export const createPace = (): Pace => {
  let turnEnd: number | null = null;
  return {
    isDue: () => {
      const now = performance.now();
      if (turnEnd !== null) return now >= turnEnd;
      turnEnd = now + longestPiece;
      setImmediate(() => {
        turnEnd = null;
      });
      return false;
    },
    rest: async (signal) => {
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
    },
  };
};
