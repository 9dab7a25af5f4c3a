import { describe, expect, it } from '@jest/globals';
import type { Teaser } from '@tapedeck/explorer/contract';
import { snapped, teaserView } from './teaser-counts.ts';

const teaser: Teaser = {
  total: 100,
  demo: false,
  sharpeRatio: { edges: [0, 1, 2] },
  maxDrawdownPercent: { edges: [0, 10, 20, 30] },
  counts: [
    [1, 2, 3],
    [10, 20, 30],
  ],
  withoutSharpeRatio: [5, 6, 7],
  withoutDrawdown: [4, 8],
};
const open = { low: null, high: null };

describe('teaserView', () => {
  it('counts every strategy while nothing is bounded, also those without a figure', () => {
    const { total, histograms } = teaserView(teaser, { sharpeRatio: open, maxDrawdownPercent: open });
    expect(total).toBe(100);
    expect(histograms.sharpeRatio).toMatchObject({ counts: [10, 68], all: [10, 68] });
    expect(histograms.maxDrawdownPercent).toMatchObject({ counts: [16, 28, 40], all: [16, 28, 40] });
  });

  it('lets one slider filter the other, and not itself', () => {
    const bounds = { sharpeRatio: { low: 1, high: null }, maxDrawdownPercent: open };
    const { total, histograms } = teaserView(teaser, bounds);
    expect(total).toBe(68);
    expect(histograms.sharpeRatio.counts).toEqual([10, 68]);
    expect(histograms.maxDrawdownPercent.counts).toEqual([10, 20, 30]);
  });

  it('drops strategies without a figure that is bounded, in both directions', () => {
    const bounds = { sharpeRatio: open, maxDrawdownPercent: { low: 10, high: 20 } };
    const { total, histograms } = teaserView(teaser, bounds);
    expect(total).toBe(28);
    expect(histograms.sharpeRatio.counts).toEqual([2, 20]);
    const both = teaserView(teaser, { ...bounds, sharpeRatio: { low: null, high: 1 } });
    expect(both.total).toBe(2);
    expect(both.histograms.maxDrawdownPercent.counts).toEqual([1, 2, 3]);
  });

  it('keeps the bars of the whole catalogue whatever is bounded', () => {
    const bounds = { sharpeRatio: { low: 1, high: null }, maxDrawdownPercent: { low: 20, high: null } };
    const { histograms } = teaserView(teaser, bounds);
    expect([histograms.sharpeRatio.all, histograms.maxDrawdownPercent.all]).toEqual([
      [10, 68],
      [16, 28, 40],
    ]);
  });
});

describe('snapped', () => {
  const edges = [0, 10, 20, 30];

  it('moves a bound to the nearest edge, and opens it at the ends', () => {
    expect(snapped(edges, { low: 8, high: 24 })).toEqual({ low: 10, high: 20 });
    expect(snapped(edges, { low: 1, high: 29 })).toEqual(open);
    expect(snapped(edges, open)).toEqual(open);
  });
});
