import { describe, expect, it } from '@jest/globals';
import { createScheduler } from './scheduler.ts';

/** Longer than the longest time slice. */
const workLong = (): void => {
  const end = performance.now() + 21;
  while (performance.now() < end);
};

describe('the scheduler', () => {
  it('says to yield after long work, also in the slice that starts after a yield', async () => {
    const scheduler = createScheduler();
    expect(scheduler.shouldYield()).toBe(false);
    workLong();
    expect(scheduler.shouldYield()).toBe(true);
    await scheduler.yieldToEventLoop();
    workLong();
    expect(scheduler.shouldYield()).toBe(true);
  });

  it('says to yield before a long piece of work unless the slice has just started', () => {
    const scheduler = createScheduler();
    expect(scheduler.shouldYield(10)).toBe(false);
    workLong();
    expect(scheduler.shouldYield(10)).toBe(true);
  });

  it('rejects after a yield when the request has been aborted', async () => {
    const scheduler = createScheduler();
    await expect(scheduler.yieldToEventLoop(AbortSignal.abort(new Error('aborted')))).rejects.toThrow(
      'aborted',
    );
  });
});
