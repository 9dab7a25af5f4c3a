import { describe, expect, it } from '@jest/globals';
import { rankDetail, rankText } from './rank-text.ts';

const ranked = (worse: number, known: number) => ({ field: 'profitFactor', worse, known }) as const;

describe('the rank of a figure', () => {
  it.each([
    [0, 4_273, '0%'],
    [839, 1_000, '83%'],
    [830, 1_000, '83%'],
    [29, 100, '29%'],
    [990, 1_000, '99%'],
    [9_904, 10_000, '99%'],
    [9_919, 10_000, '99.1%'],
    [4_272, 4_273, '99.9%'],
    [0, 1, '0%'],
    [0, 0, '0%'],
  ])('of %d worse ones among %d is %s', (worse, known, text) => {
    expect(rankText(ranked(worse, known))).toBe(`better than ${text} of strategies`);
  });

  it('has the numbers behind it', () => {
    expect(rankDetail(ranked(3_560, 4_273))).toBe(
      '3,560 of the 4,273 strategies whose PF is known have a lower one',
    );
    expect(rankDetail({ field: 'maxDrawdownPercent', worse: 1, known: 2 })).toBe(
      '1 of the 2 strategies whose drawdown is known has a higher one',
    );
  });
});
