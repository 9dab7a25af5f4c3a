import { describe, expect, it, jest } from '@jest/globals';
import { createLimiter } from './limited-client.ts';

/** How many requests of each kind were let through in some seconds of a stopped clock, all asked for at once. */
const letThrough = async (
  perSecond: number,
  wanted: Readonly<{ people: number; background: number }>,
  seconds: number,
): Promise<Readonly<{ people: number; background: number }>> => {
  jest.useFakeTimers();
  try {
    const limiter = createLimiter(perSecond, () => Date.now());
    const counts = { people: 0, background: 0 };
    for (let i = 0; i < wanted.background; i++) void limiter.wait(true).then(() => (counts.background += 1));
    for (let i = 0; i < wanted.people; i++) void limiter.wait(false).then(() => (counts.people += 1));
    await jest.advanceTimersByTimeAsync(seconds * 1_000);
    return counts;
  } finally {
    jest.useRealTimers();
  }
};

describe('the limit of requests to Stripe', () => {
  it('holds in every second, after those that were saved up', async () => {
    const { people } = await letThrough(20, { people: 1_000, background: 0 }, 10);
    expect(people).toBeGreaterThanOrEqual(20 * 10);
    expect(people).toBeLessThanOrEqual(20 * 11);
  });

  it('is used by work in the background when no people ask', async () => {
    const { background } = await letThrough(20, { people: 0, background: 1_000 }, 10);
    expect(background).toBeGreaterThanOrEqual(20 * 9);
    expect(background).toBeLessThanOrEqual(20 * 11);
  });

  it.each([1, 2, 3])('lets work in the background go on, at %d in a second', async (perSecond) => {
    const { background } = await letThrough(perSecond, { people: 0, background: 100 }, 10);
    expect(background).toBeGreaterThanOrEqual(perSecond * 9);
    expect(background).toBeLessThanOrEqual(perSecond * 11);
  });

  it('is for people first', async () => {
    const { people, background } = await letThrough(20, { people: 150, background: 1_000 }, 7);
    expect(people).toBe(150);
    expect(background).toBeLessThanOrEqual(20);
  });
});
