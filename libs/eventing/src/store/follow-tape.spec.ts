import { describe, expect, it } from '@jest/globals';
import { setMaxListeners } from 'node:events';
import type { TapePage } from '../event-store.ts';
import { followTape } from './follow-tape.ts';
import { createTapeWatch } from './head-poller.ts';
import { eventually } from '../testing/eventually.ts';

/** A tape that is nothing but its end. */
const bareTape = () => {
  let end = 0n;
  const looks: number[] = [];
  const watch = createTapeWatch(async () => {
    looks.push(performance.now());
    return end;
  });
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const follow = (after = 0n) => {
    const readTape = async (): Promise<TapePage> => ({ events: [], position: end, head: end });
    const source = { readTape, waitBeyond: watch.waitBeyond, isTransient: () => false };
    return followTape(source, { after, batchSize: 10, signal: stop.signal });
  };
  const grow = (to: bigint): void => {
    end = to;
  };
  return { follow, grow, watch, looks, stop };
};

describe('following the tape', () => {
  it('hands out a page that only moves over other types, and ends with its signal', async () => {
    const { follow, grow, stop } = bareTape();
    grow(5n);
    const pages = follow();
    expect((await pages.next()).value).toMatchObject({ events: [], position: 5n });
    const last = pages.next();
    stop.abort();
    expect((await last).done).toBe(true);
  });

  it('looks once for all who wait, less often while nothing happens, and not at all for nobody', async () => {
    const { follow, grow, looks, stop } = bareTape();
    const all = Promise.all(Array.from({ length: 20 }, () => follow().next()));
    await eventually(() => expect(looks.length).toBeGreaterThan(30));
    const gaps = looks.slice(1).map((at, index) => at - (looks[index] ?? 0));
    expect(Math.min(...gaps.slice(-3))).toBeGreaterThan(35);
    grow(1n);
    expect((await all).map(({ value }) => value?.position)).toEqual(Array.from({ length: 20 }, () => 1n));
    const before = looks.length;
    await new Promise((resolve) => setImmediate(resolve));
    expect(looks.length).toBe(before);
    stop.abort();
  });

  it('looks at once after an append of this process, also when it comes in the middle of a look', async () => {
    const { follow, grow, looks, stop, watch } = bareTape();
    const next = follow().next();
    await eventually(() => expect(looks.length).toBeGreaterThan(30));
    grow(1n);
    const asked = performance.now();
    watch.wake();
    await next;
    expect(performance.now() - asked).toBeLessThan(30);
    stop.abort();

    let end = 0n;
    const busy = createTapeWatch(async () => {
      const seen = end;
      if (end === 0n) {
        end = 1n;
        busy.wake();
      }
      return seen;
    });
    const started = performance.now();
    await busy.waitBeyond(0n, new AbortController().signal);
    expect(performance.now() - started).toBeLessThan(30);
  });

  it('tries again after a lost connection, and gives other errors to the reader', async () => {
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

  it('ends the wait of a reader when the end of the tape cannot be read, and when its signal is aborted', async () => {
    const watch = createTapeWatch(() => Promise.reject(new Error('connection lost')));
    await expect(watch.waitBeyond(0n, new AbortController().signal)).resolves.toBeUndefined();
    await expect(watch.waitBeyond(0n, AbortSignal.abort())).resolves.toBeUndefined();
  });
});
