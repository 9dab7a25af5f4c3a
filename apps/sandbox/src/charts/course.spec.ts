import { describe, expect, it } from '@jest/globals';
import { courseOf, type Course } from './course.ts';
import type { Script } from './script.ts';

const script: Script = {
  urlId: 'S3LKflwr',
  title: 'A strategy',
  author: 'Ada',
  symbol: 'BTC_USDT',
  timeframe: '1d',
  netPercent: 120,
  drawdownPercent: 25,
  trades: 200,
  won: 90,
  profitFactor: 1.6,
  from: '2020-01-01',
  to: '2024-01-01',
};

const courseWith = (changes: Partial<Script>): Course => {
  const course = courseOf({ ...script, ...changes });
  if (!course) throw new Error('There is no course.');
  return course;
};

const ids = Array.from({ length: 50 }, (_, index) => `Ab${String(index).padStart(6, '0')}`);

describe('courseOf', () => {
  it.each([
    [120, 25],
    [3, 60],
    [0.01, 0.5],
    [300_000_000, 92],
    [-34.46, 48.11],
    [-0.02, 10],
    [-99, 99.2],
  ])('ends at %d %% and falls by %d %% at most, for any strategy', (netPercent, drawdownPercent) => {
    for (const urlId of ids) {
      const { equity, drawdown } = courseWith({ urlId, netPercent, drawdownPercent });
      expect(equity[0]).toBe(1);
      expect((equity.at(-1) ?? 0) / (1 + netPercent / 100)).toBeCloseTo(1, 6);
      expect(Math.max(...drawdown) * 100).toBeCloseTo(drawdownPercent, 3);
    }
  });

  it('ends above its start with a gain, and below with a loss, whatever else is known', () => {
    for (const urlId of ids)
      for (const netPercent of [0.5, 80, -0.5, -80, -166.71])
        for (const drawdownPercent of [null, 0.1, 5, 70, 154.2]) {
          const unknown = { trades: null, won: null, profitFactor: null };
          const { equity } = courseWith({ urlId, netPercent, drawdownPercent, ...unknown });
          expect(Math.sign((equity.at(-1) ?? 0) - 1)).toBe(Math.sign(netPercent));
          expect(equity.every((value) => value > 0 && Number.isFinite(value))).toBe(true);
        }
  });

  it('has the share of profitable trades, also when all or none are', () => {
    const sharesOf = (won: number): number => {
      const course = courseWith({ won, trades: 200 });
      return course.won.filter(Boolean).length / course.won.length;
    };
    expect([0, 90, 200].map(sharesOf)).toEqual([0, 0.45, 1]);
  });

  it('draws few trades as few steps, and many as no more than can be seen', () => {
    expect([1, 100, 24_000].map((trades) => courseWith({ trades, won: 1 }).equity.length)).toEqual([
      25, 101, 241,
    ]);
  });

  it('is the same for the same strategy, and another one for another strategy', () => {
    expect(courseWith({})).toEqual(courseWith({}));
    expect(courseWith({})).not.toEqual(courseWith({ urlId: 's3LKflwr' }));
  });

  it('is missing when the result is unknown', () => {
    expect(courseOf({ ...script, netPercent: null })).toBeUndefined();
  });
});
