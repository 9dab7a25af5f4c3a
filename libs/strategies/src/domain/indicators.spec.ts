import { describe, expect, it } from '@jest/globals';
import {
  indicatorCatalogue,
  indicatorCategories,
  indicatorLabels,
  indicatorOf,
  knownIndicators,
} from './indicators.ts';

describe('indicatorOf', () => {
  it.each([
    ['ichimoku', 'Ichimoku', 'Trend'],
    ['Ichimoku Cloud', 'Ichimoku', 'Trend'],
    ['SUPER TREND', 'Supertrend', 'Trend'],
    ['kama', 'KAMA', 'Trend'],
    ['macd', 'MACD', 'Momentum'],
    ['Williams%R', 'Williams %R', 'Momentum'],
    ['wave-trend', 'WaveTrend', 'Momentum'],
    ['bollinger', 'Bollinger Bands', 'Volatility'],
    ['On-Balance Volume', 'OBV', 'Volume'],
    ['Fibonacci Retracement', 'Fibonacci', 'Levels'],
    ['zig zag', 'ZigZag', 'Levels'],
    [' Élan ', 'Élan', 'Other'],
  ])('recognises %j as %s in %s', (name, label, category) => {
    expect(indicatorOf(name)).toMatchObject({ label, category });
  });

  it('gives every known indicator an id of its own', () => {
    expect(new Set(knownIndicators.map(({ id }) => id)).size).toBe(knownIndicators.length);
    expect(indicatorOf('Williams %R').id).toBe('williams-r');
  });
});

describe('indicatorLabels', () => {
  it('has each indicator once, however it is spelled', () => {
    expect(indicatorLabels(['EMA', 'ema', 'Exponential Moving Average', 'Foo'])).toEqual(['EMA', 'Foo']);
  });
});

describe('indicatorCatalogue', () => {
  it('has every category, also without strategies', () => {
    const catalogue = indicatorCatalogue([]);
    expect(Object.keys(catalogue)).toEqual([...indicatorCategories]);
    expect(catalogue.Momentum.map(({ label }) => label)).toContain('MACD');
    expect(catalogue.Other).toEqual([]);
  });

  it('adds the indicators that sources name, each once, unknown ones under Other', () => {
    const catalogue = indicatorCatalogue(['macd', 'Élan', 'elan', 'Gann Fan', '%%%']);
    expect(catalogue.Other.map(({ id }) => id)).toEqual(['elan', 'gann-fan']);
    expect(catalogue.Momentum.filter(({ label }) => label === 'MACD')).toHaveLength(1);
  });
});
