import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@tapedeck/kernel';
import type { SearchEngine } from '@tapedeck/search-engine/engine';
import { CurrentTeaser, teaserSeconds } from './current-teaser.ts';

type Fake = Readonly<{
  current: CurrentTeaser;
  calls: () => number;
  /** From now on the engine has a newer catalogue with so many strategies. */
  change: (strategies: number) => void;
  fail: (error: Error | null) => void;
  /** The catalogue changes after each of the next searches. */
  changeBetween: (times: number) => void;
  pass: (seconds: number) => void;
}>;

const notUsed = (): never => {
  throw new Error('The teaser does not use this call.');
};

const startFake = (): Fake => {
  let [now, calls, position, strategies, changes] = [1_000_000, 0, 1n, 3, 0];
  let failure: Error | null = null;
  let onChange = (): void => undefined;
  const engine = {
    search: () => {
      calls++;
      if (failure) return Promise.reject(failure);
      const answer = {
        position,
        histograms: [
          { field: 'sharpeRatio', edges: [0, 1] },
          { field: 'maxDrawdownPercent', edges: [0, 50] },
        ],
      };
      if (changes-- > 0) position++;
      return Promise.resolve(answer);
    },
    brush: () =>
      Promise.resolve({
        position,
        snapPoints: [0, 1],
        hits: Uint32Array.of(0, 0, strategies, 0, 0, 0),
        facets: [
          {
            field: 'maxDrawdownPercent',
            counts: Uint32Array.of(0, 0, 0, 0, strategies, 0, 0, 0, 0, 0, 0, 0),
          },
        ],
      }),
    countIndicators: notUsed,
    list: notUsed,
    similar: notUsed,
    // Only what the teaser reads of the answers.
  } as unknown as SearchEngine;
  const feed = {
    assertReady: () => undefined,
    onChange: (listener: () => void) => {
      onChange = listener;
    },
    // Only what the teaser calls of the feed.
  } as unknown as ConstructorParameters<typeof CurrentTeaser>[2];
  return {
    current: new CurrentTeaser(engine, () => false, feed, { now: () => now }),
    calls: () => calls,
    change: (count) => {
      [strategies, position] = [count, position + 1n];
      onChange();
    },
    fail: (error) => {
      failure = error;
    },
    changeBetween: (times) => {
      changes = times;
    },
    pass: (seconds) => {
      now += seconds * 1_000;
    },
  };
};

const totalOf = async ({ current }: Fake): Promise<number> => (await current.get()).teaser.total;

describe('the teaser', () => {
  it('is counted once for visitors that come at the same time', async () => {
    const fake = startFake();
    expect(await Promise.all([totalOf(fake), totalOf(fake), totalOf(fake)])).toEqual([3, 3, 3]);
    expect(fake.calls()).toBe(1);
  });

  it('is not counted again while the catalogue stays as it is', async () => {
    const fake = startFake();
    await totalOf(fake);
    fake.pass(10 * teaserSeconds);
    await totalOf(fake);
    expect(fake.calls()).toBe(1);
  });

  it('is counted again after a change, but not within a minute', async () => {
    const fake = startFake();
    const { etag } = await fake.current.get();
    fake.change(5);
    fake.pass(teaserSeconds - 1);
    expect(await totalOf(fake)).toBe(3);
    fake.pass(1);
    expect(await totalOf(fake)).toBe(5);
    expect((await fake.current.get()).etag).not.toBe(etag);
    expect(fake.calls()).toBe(2);
  });

  it('stays while the engine cannot answer, which is asked once a minute', async () => {
    const fake = startFake();
    await totalOf(fake);
    fake.change(5);
    fake.fail(new DomainError('unavailable', 'SEARCH_UNAVAILABLE', 'Not available.'));
    fake.pass(teaserSeconds);
    expect([await totalOf(fake), await totalOf(fake)]).toEqual([3, 3]);
    expect(fake.calls()).toBe(2);
    fake.fail(null);
    fake.pass(teaserSeconds);
    expect(await totalOf(fake)).toBe(5);
  });

  it('is refused before the first table while the engine cannot answer, and counted when it can', async () => {
    const fake = startFake();
    fake.fail(new DomainError('unavailable', 'SEARCH_UNAVAILABLE', 'Not available.'));
    await expect(fake.current.get()).rejects.toThrow('Not available.');
    fake.fail(null);
    expect(await totalOf(fake)).toBe(3);
  });

  it('takes edges and counts of one catalogue, or none', async () => {
    const fake = startFake();
    fake.changeBetween(2);
    expect(await totalOf(fake)).toBe(3);
    expect(fake.calls()).toBe(3);
    const busy = startFake();
    busy.changeBetween(100);
    await expect(busy.current.get()).rejects.toMatchObject({ code: 'CATALOGUE_CHANGING' });
  });
});
