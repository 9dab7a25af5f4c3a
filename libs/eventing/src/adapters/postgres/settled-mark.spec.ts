import { describe, expect, it } from '@jest/globals';
import { fixedClock } from '@tapedeck/kernel';
import { createSettledMark, type Settling } from './settled-mark.ts';

const marking = () => {
  const clock = fixedClock(0);
  let state: Settling = { lastPosition: 0n, writers: [] };
  let looks = 0;
  const mark = createSettledMark(async () => {
    looks++;
    const seen = state;
    await new Promise((resolve) => setImmediate(resolve));
    return seen;
  }, clock);
  return {
    clock,
    mark,
    looks: () => looks,
    see: (lastPosition: bigint, ...writers: readonly string[]) => {
      state = { lastPosition, writers };
      return mark.advance();
    },
  };
};

describe('the settled mark', () => {
  it('is the last position when nobody writes', async () => {
    const { see } = marking();
    expect(await see(0n)).toBe(0n);
    expect(await see(7n)).toBe(7n);
  });

  it('waits for those who were writing, not for those who came later', async () => {
    const { see } = marking();
    expect(await see(5n, 'a', 'b')).toBe(0n);
    expect(await see(9n, 'b', 'c')).toBe(0n);
    expect(await see(12n, 'c', 'd')).toBe(5n);
    expect(await see(12n, 'd')).toBe(9n);
    expect(await see(12n)).toBe(12n);
  });

  it('goes on under an endless stream of writers', async () => {
    const { see } = marking();
    let mark = 0n;
    for (let turn = 1; turn <= 50; turn++) mark = await see(BigInt(turn * 10), `w${turn}`, `w${turn + 1}`);
    expect(mark).toBe(480n);
  });

  it('is kept back by one that stays open, tells for how long, and then catches up', async () => {
    const { see, mark, clock } = marking();
    for (let turn = 0; turn < 100; turn++) {
      expect(await see(BigInt(10 + turn), 'stuck')).toBe(0n);
      clock.advance(1_000);
    }
    expect(mark.age()).toBe(100_000);
    expect(await see(200n, 'fresh')).toBeGreaterThanOrEqual(10n);
    expect(await see(200n)).toBe(200n);
    expect(mark.age()).toBe(0);
  });

  it('shares a look among those who ask together, but not one that began earlier', async () => {
    const { see, mark, looks } = marking();
    const first = see(1n);
    const later = [see(2n), mark.advance(), mark.advance()];
    expect(await first).toBe(1n);
    expect(await Promise.all(later)).toEqual([2n, 2n, 2n]);
    expect(looks()).toBe(2);
  });

  it('is not told before there is one, so that a tape that is written to never seems empty', async () => {
    const looks: Settling[] = [
      { lastPosition: 5n, writers: ['a'] },
      { lastPosition: 8n, writers: ['a', 'b'] },
      { lastPosition: 9n, writers: ['b'] },
    ];
    const mark = createSettledMark(
      async () => looks.shift() ?? { lastPosition: 9n, writers: [] },
      fixedClock(0),
    );
    expect(await mark.settled()).toBe(5n);
  });

  it('survives a look that fails', async () => {
    let fail = true;
    const mark = createSettledMark(async () => {
      if (fail) throw new Error('connection lost');
      return { lastPosition: 3n, writers: [] };
    }, fixedClock(0));
    await expect(Promise.all([mark.advance(), mark.advance()])).rejects.toThrow('connection lost');
    fail = false;
    expect(await mark.advance()).toBe(3n);
  });
});
