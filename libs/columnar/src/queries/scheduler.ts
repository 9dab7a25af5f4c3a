import { setImmediate as nextIteration } from 'node:timers/promises';

/** A time slice: milliseconds of work after which the event loop runs other work. */
const minSliceMs = 2;
/**
 * When the other work of an iteration takes longer than a slice, such as the refusals of an overload, the next slice
 * takes as long as that: otherwise a server with many requests would hardly answer any.
 */
const maxSliceMs = 20;
/** Milliseconds of work after which work that cannot be divided should wait for a slice of its own. */
const startedSliceMs = 0.25;

/** Divides work into time slices, so that requests, timers and other queries run in between. */
export type Scheduler = Readonly<{
  /**
   * True when the time slice is used up, or will be by the next piece of work, whose duration in milliseconds can be
   * given.
   */
  shouldYield: (nextMs?: number) => boolean;
  /** Continues in a later iteration of the event loop; rejects when the request has been aborted meanwhile. */
  yieldToEventLoop: (signal?: AbortSignal) => Promise<void>;
}>;

export const createScheduler = (): Scheduler => {
  /** When the work of this iteration started; null before. */
  let startedAt: number | null = null;
  let sliceMs = minSliceMs;
  const startSlice = (): void => {
    startedAt = performance.now();
    setImmediate(() => {
      startedAt = null;
    });
  };
  return {
    shouldYield: (nextMs = 0) => {
      if (startedAt !== null) {
        const workedMs = performance.now() - startedAt;
        return workedMs > startedSliceMs && workedMs + nextMs >= sliceMs;
      }
      startSlice();
      return false;
    },
    yieldToEventLoop: async (signal) => {
      const yieldedAt = performance.now();
      await nextIteration();
      sliceMs = Math.min(maxSliceMs, Math.max(minSliceMs, performance.now() - yieldedAt));
      signal?.throwIfAborted();
      if (startedAt === null) startSlice();
    },
  };
};
