/** Milliseconds of work after which the event loop gets its turn. */
const longestPiece = 2;
/** Milliseconds after which work that cannot be cut had better wait for a turn of its own. */
const shortStart = 0.25;

/** Cuts work into pieces, so that requests, timers and other questions come in between. */
export type Pace = Readonly<{
  /**
   * True when this turn of the event loop has worked long enough, or will have with the next piece, which takes
   * about so many milliseconds.
   */
  isDue: (next?: number) => boolean;
  /** Goes on in a later turn; rejects when the question has been given up meanwhile. */
  rest: (signal?: AbortSignal) => Promise<void>;
}>;

export const createPace = (): Pace => {
  /** When this turn has begun to work; null as long as it has not. */
  let begun: number | null = null;
  const begin = (): void => {
    begun = performance.now();
    setImmediate(() => {
      begun = null;
    });
  };
  return {
    isDue: (next = 0) => {
      if (begun !== null) {
        const worked = performance.now() - begun;
        return worked > shortStart && worked + next >= longestPiece;
      }
      begin();
      return false;
    },
    rest: async (signal) => {
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      if (begun === null) begin();
    },
  };
};
