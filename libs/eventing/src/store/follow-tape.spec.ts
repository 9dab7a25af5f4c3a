import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setMaxListeners } from 'node:events';
import type { TapePage } from '../event-store.ts';
import { followTape } from './follow-tape.ts';
import { createHeadPoller } from './head-poller.ts';

/** A tape without events: it has only a head, which `grow` moves. `polls` are the times at which it was read. */
const emptyTape = () => {
  let head = 0n;
  const polls: number[] = [];
  const poller = createHeadPoller(async () => {
    polls.push(performance.now());
    return head;
  });
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const follow = (after = 0n) => {
    const readTape = async (): Promise<TapePage> => ({ events: [], position: head, head });
    const watchTape = () => () => {};
    const source = { readTape, waitBeyond: poller.waitBeyond, isTransient: () => false, watchTape };
    return followTape(source, { after, batchSize: 10, signal: stop.signal });
  };
  const grow = (to: bigint): void => {
    head = to;
  };
  return { follow, grow, poller, polls, stop };
};

describe('followTape', () => {
  it('yields a page without events when the position moves, and ends when the signal is aborted', async () => {
    const { follow, grow, stop } = emptyTape();
    grow(5n);
    const pages = follow();
    expect((await pages.next()).value).toMatchObject({ events: [], position: 5n });
    const last = pages.next();
    stop.abort();
    expect((await last).done).toBe(true);
  });

  it('retries after a lost connection and throws other errors', async () => {
    let failures = 2;
    const source = {
      readTape: async (): Promise<TapePage> => {
        if (failures-- > 0) throw new Error('connection lost');
        if (failures < -2) throw new Error('no such table');
        return { events: [], position: BigInt(-failures), head: 0n };
      },
      waitBeyond: async () => {},
      isTransient: (error: unknown) => String(error).includes('lost'),
      watchTape: () => () => {},
    };
    const pages = followTape(source, { after: 0n, batchSize: 1, signal: new AbortController().signal });
    expect((await pages.next()).value).toMatchObject({ position: 1n });
    expect((await pages.next()).value).toMatchObject({ position: 2n });
    await expect(pages.next()).rejects.toThrow('no such table');
  });
});

describe('the head poller', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('polls once for all readers, less often while nothing happens, and never without a reader', async () => {
    const { follow, grow, polls, stop } = emptyTape();
    const all = Promise.all(Array.from({ length: 20 }, () => follow().next()));
    await jest.advanceTimersByTimeAsync(1_500);
    expect(polls.length).toBeGreaterThan(30);
    const gaps = polls.slice(1).map((at, index) => at - (polls[index] ?? 0));
    expect(gaps[0]).toBeLessThan(10);
    expect(Math.min(...gaps.slice(-3))).toBeGreaterThan(35);
    grow(1n);
    await jest.advanceTimersByTimeAsync(100);
    expect((await all).map(({ value }) => value?.position)).toEqual(Array.from({ length: 20 }, () => 1n));
    const before = polls.length;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(polls.length).toBe(before);
    stop.abort();
  });

  it('polls at once after an append of this process', async () => {
    const { follow, grow, polls, stop, poller } = emptyTape();
    const next = follow().next();
    await jest.advanceTimersByTimeAsync(1_500);
    grow(1n);
    const appendedAt = performance.now();
    poller.pollNow();
    await jest.advanceTimersByTimeAsync(0);
    expect(polls.at(-1)).toBe(appendedAt);
    expect((await next).value).toMatchObject({ position: 1n });
    stop.abort();
  });

  it('polls again at once when an append happens during a poll', async () => {
    const polls: number[] = [];
    const poller = createHeadPoller(async () => {
      polls.push(performance.now());
      if (polls.length > 1) return 1n;
      poller.pollNow();
      return 0n;
    });
    const waiting = poller.waitBeyond(0n, new AbortController().signal);
    await jest.advanceTimersByTimeAsync(6);
    await waiting;
    const [first = 0, second = Infinity] = polls;
    expect(second - first).toBeLessThanOrEqual(1);
  });

  it('ends the wait when the head cannot be read and when the signal is aborted', async () => {
    const poller = createHeadPoller(() => Promise.reject(new Error('connection lost')));
    const waiting = poller.waitBeyond(0n, new AbortController().signal);
    await jest.advanceTimersByTimeAsync(5);
    expect(await waiting).toBeUndefined();
    expect(await poller.waitBeyond(0n, AbortSignal.abort())).toBeUndefined();
  });
});
