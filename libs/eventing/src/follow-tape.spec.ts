import { describe, expect, it } from '@jest/globals';
import type { TapePage } from './event-store.ts';
import { eventually } from './testing/eventually.ts';
import { followTape, type FollowSource } from './follow-tape.ts';

const empty = (position: bigint): TapePage => ({ events: [], position, head: position });

const following = (read: () => Promise<TapePage>) => {
  const wakes = new Set<() => void>();
  const source: FollowSource = {
    readTape: read,
    isTransient: (error) => String(error).includes('lost'),
    onAppend: (wake) => {
      wakes.add(wake);
      return () => wakes.delete(wake);
    },
  };
  const stop = new AbortController();
  const pages = followTape(source, { after: 0n, batchSize: 10, signal: stop.signal });
  return { pages, stop, wakes, wakeAll: () => wakes.forEach((wake) => wake()) };
};

describe('following the tape', () => {
  it('hands out a page that only moves over other types', async () => {
    const { pages, stop } = following(async () => empty(5n));
    expect(await pages.next()).toEqual({ done: false, value: empty(5n) });
    stop.abort();
    expect((await pages.next()).done).toBe(true);
  });

  it('looks less often while nothing happens, and at once after an append', async () => {
    const looks: number[] = [];
    let position = 0n;
    const { pages, stop, wakeAll } = following(async () => {
      looks.push(performance.now());
      return empty(position);
    });
    const next = pages.next();
    await eventually(() => expect(looks.length).toBeGreaterThan(25));
    expect((looks.at(-1) ?? 0) - (looks.at(-2) ?? 0)).toBeGreaterThan(80);
    position = 1n;
    const asked = performance.now();
    wakeAll();
    expect((await next).value).toEqual(empty(1n));
    expect(performance.now() - asked).toBeLessThan(60);
    stop.abort();
    expect((await pages.next()).done).toBe(true);
  });

  it('does not miss an append that comes while it looks', async () => {
    let position = 0n;
    let looks = 0;
    const { pages, stop, wakeAll } = following(async () => {
      const seen = position;
      looks++;
      if (looks === 30) {
        position = 1n;
        wakeAll();
      }
      return empty(seen);
    });
    const next = pages.next();
    await eventually(() => expect(looks).toBeGreaterThanOrEqual(30));
    const asked = performance.now();
    await next;
    expect(performance.now() - asked).toBeLessThan(60);
    stop.abort();
    await pages.next();
  });

  it('tries again after a lost connection, gives other errors to the reader, and lets go of everything', async () => {
    let failures = 2;
    const { pages, wakes } = following(async () => {
      if (failures-- > 0) throw new Error('connection lost');
      if (failures < -2) throw new Error('no such table');
      return empty(BigInt(-failures));
    });
    expect((await pages.next()).value).toEqual(empty(1n));
    expect((await pages.next()).value).toEqual(empty(2n));
    expect(wakes.size).toBe(1);
    await expect(pages.next()).rejects.toThrow('no such table');
    expect(wakes.size).toBe(0);
  });
});
