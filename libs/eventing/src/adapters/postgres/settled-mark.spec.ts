import { describe, expect, it } from '@jest/globals';
import { fixedClock } from '@tapedeck/kernel';
import { createSettledMark, type OpenAppends } from './settled-mark.ts';

const markOverFakeDatabase = () => {
  const clock = fixedClock(0);
  let state: OpenAppends = { lastPosition: 0n, writers: [] };
  let queries = 0;
  const mark = createSettledMark(async () => {
    queries++;
    const read = state;
    await new Promise((resolve) => setImmediate(resolve));
    return read;
  }, clock);
  return {
    clock,
    mark,
    queries: () => queries,
    /** Advances the mark while the database has this last position and these open appends. */
    advanceAt: (lastPosition: bigint, ...writers: readonly string[]) => {
      state = { lastPosition, writers };
      return mark.advance();
    },
  };
};

describe('the settled mark', () => {
  it('is the last position while no append is open', async () => {
    const { advanceAt } = markOverFakeDatabase();
    expect(await advanceAt(0n)).toBe(0n);
    expect(await advanceAt(7n)).toBe(7n);
  });

  it('waits for the appends that were open at a position, not for later ones', async () => {
    const { advanceAt } = markOverFakeDatabase();
    expect(await advanceAt(5n, 'a', 'b')).toBe(0n);
    expect(await advanceAt(9n, 'b', 'c')).toBe(0n);
    expect(await advanceAt(12n, 'c', 'd')).toBe(5n);
    expect(await advanceAt(12n, 'd')).toBe(9n);
    expect(await advanceAt(12n)).toBe(12n);
  });

  it('advances while there is always an open append', async () => {
    const { advanceAt } = markOverFakeDatabase();
    let mark = 0n;
    for (let n = 1; n <= 50; n++) mark = await advanceAt(BigInt(n * 10), `w${n}`, `w${n + 1}`);
    expect(mark).toBe(480n);
  });

  it('does not advance while one append stays open, reports for how long, and then catches up', async () => {
    const { advanceAt, mark, clock } = markOverFakeDatabase();
    for (let n = 0; n < 100; n++) {
      expect(await advanceAt(BigInt(10 + n), 'stuck')).toBe(0n);
      clock.advance(1_000);
    }
    expect(mark.ageMs()).toBe(100_000);
    expect(await advanceAt(200n, 'later')).toBeGreaterThanOrEqual(10n);
    expect(await advanceAt(200n)).toBe(200n);
    expect(mark.ageMs()).toBe(0);
  });

  it('uses one query for concurrent callers, but none that began before they called', async () => {
    const { advanceAt, mark, queries } = markOverFakeDatabase();
    const first = advanceAt(1n);
    const later = [advanceAt(2n), mark.advance(), mark.advance()];
    expect(await first).toBe(1n);
    expect(await Promise.all(later)).toEqual([2n, 2n, 2n]);
    expect(queries()).toBe(2);
  });

  it('is not returned before it is known, so that a tape with open appends does not look empty', async () => {
    const answers: OpenAppends[] = [
      { lastPosition: 5n, writers: ['a'] },
      { lastPosition: 8n, writers: ['a', 'b'] },
      { lastPosition: 9n, writers: ['b'] },
    ];
    const mark = createSettledMark(
      async () => answers.shift() ?? { lastPosition: 9n, writers: [] },
      fixedClock(0),
    );
    expect(await mark.whenKnown()).toBe(5n);
  });

  it('can be computed after a query that failed', async () => {
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
