import { describe, expect, it } from '@jest/globals';
import { setMaxListeners } from 'node:events';
import type { TapePage } from '../event-store.ts';
import { eventually } from '../testing/eventually.ts';
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
    const source = { readTape, waitBeyond: poller.waitBeyond, isTransient: () => false };
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
    };
    const pages = followTape(source, { after: 0n, batchSize: 1, signal: new AbortController().signal });
    expect((await pages.next()).value).toMatchObject({ position: 1n });
    expect((await pages.next()).value).toMatchObject({ position: 2n });
    await expect(pages.next()).rejects.toThrow('no such table');
  });
});

describe('the head poller', () => {
  it('polls once for all readers, less often while nothing happens, and never without a reader', async () => {
    const { follow, grow, polls, stop } = emptyTape();
    const all = Promise.all(Array.from({ length: 20 }, () => follow().next()));
    await eventually(() => expect(polls.length).toBeGreaterThan(30));
    const gaps = polls.slice(1).map((at, index) => at - (polls[index] ?? 0));
    expect(Math.min(...gaps.slice(-3))).toBeGreaterThan(35);
    grow(1n);
    expect((await all).map(({ value }) => value?.position)).toEqual(Array.from({ length: 20 }, () => 1n));
    const before = polls.length;
    await new Promise((resolve) => setImmediate(resolve));
    expect(polls.length).toBe(before);
    stop.abort();
  });

  it('polls at once after an append of this process, also when one happens during a poll', async () => {
    const { follow, grow, polls, stop, poller } = emptyTape();
    const next = follow().next();
    await eventually(() => expect(polls.length).toBeGreaterThan(30));
    grow(1n);
    const appended = performance.now();
    poller.pollNow();
    await next;
    expect(performance.now() - appended).toBeLessThan(30);
    stop.abort();

    let head = 0n;
    const grownDuringPoll = createHeadPoller(async () => {
      const read = head;
      if (head === 0n) {
        head = 1n;
        grownDuringPoll.pollNow();
      }
      return read;
    });
    const started = performance.now();
    await grownDuringPoll.waitBeyond(0n, new AbortController().signal);
    expect(performance.now() - started).toBeLessThan(30);
  });

  it('ends the wait when the head cannot be read and when the signal is aborted', async () => {
    const poller = createHeadPoller(() => Promise.reject(new Error('connection lost')));
    expect(await poller.waitBeyond(0n, new AbortController().signal)).toBeUndefined();
    expect(await poller.waitBeyond(0n, AbortSignal.abort())).toBeUndefined();
  });
});
