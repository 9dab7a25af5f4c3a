import { describe, expect, it } from '@jest/globals';
import { fixedClock } from '@tapedeck/kernel';
import type { MarkSession } from './mark-connection.ts';
import { createSettledMark } from './settled-mark.ts';

/** A database in which every position but those in `gone` has an event. */
const markOverFakeDatabase = ({ gone = [] as readonly bigint[], waitForFirstMs = 10_000 } = {}) => {
  const clock = fixedClock(0);
  let state = { lastPosition: 0n, writers: [] as readonly string[] };
  let queries = 0;
  let isLost = false;
  const lastEvent = (upTo: bigint): bigint => (gone.includes(upTo) ? lastEvent(upTo - 1n) : upTo);
  const newSession = (server: string): MarkSession => ({
    server,
    readOpenAppends: async (positions) => {
      queries++;
      if (isLost) throw new Error('connection lost');
      const { lastPosition, writers } = state;
      await new Promise((resolve) => setImmediate(resolve));
      const end = lastEvent(lastPosition);
      return { lastPosition, writers, lastEvents: [...positions, lastPosition].map(lastEvent), end };
    },
  });
  let session = newSession('server');
  const mark = createSettledMark({ session: async () => session }, clock, waitForFirstMs);
  return {
    clock,
    mark,
    queries: () => queries,
    lose: (lost: boolean) => {
      isLost = lost;
    },
    reconnect: (server = 'server') => {
      session = newSession(server);
    },
    /** Advances the mark while the database has this last position and these open appends. */
    advanceAt: async (lastPosition: bigint, ...writers: readonly string[]): Promise<bigint> => {
      state = { lastPosition, writers };
      return (await mark.advance()).position;
    },
  };
};

describe('the settled mark', () => {
  it('is the last event while no append is open', async () => {
    const { advanceAt } = markOverFakeDatabase({ gone: [8n, 9n] });
    expect(await advanceAt(0n)).toBe(0n);
    expect(await advanceAt(7n)).toBe(7n);
    expect(await advanceAt(9n)).toBe(7n);
  });

  it('waits for the appends that were open at a position, not for later ones', async () => {
    const { advanceAt } = markOverFakeDatabase({ gone: [9n] });
    expect(await advanceAt(1n)).toBe(1n);
    expect(await advanceAt(5n, 'a', 'b')).toBe(1n);
    expect(await advanceAt(9n, 'b', 'c')).toBe(1n);
    expect(await advanceAt(12n, 'c', 'd')).toBe(5n);
    expect(await advanceAt(12n, 'd')).toBe(8n);
    expect(await advanceAt(12n)).toBe(12n);
  });

  it('advances while there is always an open append', async () => {
    const { advanceAt } = markOverFakeDatabase();
    let mark = await advanceAt(0n);
    for (let n = 1; n <= 50; n++) mark = await advanceAt(BigInt(n * 10), `w${n}`, `w${n + 1}`);
    expect(mark).toBe(480n);
  });

  it('does not advance while one append stays open, reports for how long, and then catches up', async () => {
    const { advanceAt, mark, clock } = markOverFakeDatabase();
    await advanceAt(1n);
    for (let n = 0; n < 100; n++) {
      expect(await advanceAt(BigInt(10 + n), 'stuck')).toBe(1n);
      clock.advance(1_000);
    }
    expect(mark.ageMs()).toBe(100_000);
    expect(await advanceAt(200n, 'later')).toBeGreaterThanOrEqual(10n);
    expect(await advanceAt(200n)).toBe(200n);
    expect(mark.ageMs()).toBe(0);
  });

  it('uses one query for concurrent callers, but none that began before they called', async () => {
    const { advanceAt, queries } = markOverFakeDatabase();
    const first = advanceAt(1n);
    while (queries() === 0) await Promise.resolve();
    const later = [advanceAt(2n), advanceAt(2n), advanceAt(2n)];
    expect(await first).toBe(1n);
    expect(await Promise.all(later)).toEqual([2n, 2n, 2n]);
    expect(queries()).toBe(2);
  });

  it('is not returned before it is known, so that a tape with open appends does not look empty', async () => {
    const { advanceAt, mark } = markOverFakeDatabase();
    const waiting = advanceAt(5n, 'a');
    await new Promise((resolve) => setImmediate(resolve));
    expect(mark.current()).toBeUndefined();
    expect(await Promise.all([waiting, advanceAt(8n, 'b')])).toEqual([5n, 5n]);
    const { advanceAt: advanceStuck } = markOverFakeDatabase({ waitForFirstMs: 20 });
    await expect(advanceStuck(5n, 'stuck')).rejects.toMatchObject({ code: 'TAPE_UNAVAILABLE' });
  });

  it('forgets on a new connection what it has read on an earlier one', async () => {
    const { advanceAt, reconnect, mark } = markOverFakeDatabase({ waitForFirstMs: 20 });
    await advanceAt(1n);
    await advanceAt(60n, 'lost in the crash');
    reconnect();
    await expect(advanceAt(34n, 'gets position 34 again')).rejects.toMatchObject({
      code: 'TAPE_UNAVAILABLE',
    });
    expect(await advanceAt(34n)).toBe(34n);
    expect(mark.tapeChanges()).toBe(0);
  });

  it('counts changes of the tape: another server, and events that are not there any more', async () => {
    const { advanceAt, reconnect, mark } = markOverFakeDatabase();
    await advanceAt(10n);
    reconnect();
    await advanceAt(9n);
    expect(mark.tapeChanges()).toBe(1);
    reconnect('promoted server');
    await advanceAt(8n);
    expect(mark.tapeChanges()).toBe(2);
  });

  it('can be computed after a query that failed', async () => {
    const { advanceAt, lose } = markOverFakeDatabase();
    lose(true);
    await expect(Promise.all([advanceAt(3n), advanceAt(3n)])).rejects.toThrow('connection lost');
    lose(false);
    expect(await advanceAt(3n)).toBe(3n);
  });
});
