import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  formatCount,
  formatDay,
  formatGain,
  formatPercent,
  formatRatio,
  formatSecond,
  formatTime,
  parseNumeric,
  parseTyped,
  shorten,
  formatBytes,
} from './format.ts';

describe('shorten', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1.0K'],
    [1_284, '1.3K'],
    [20_349, '20.3K'],
    [999_949, '999.9K'],
    [999_950, '1.0M'],
    [300_000_000, '300.0M'],
    [2_500_000_000, '2.5B'],
    [1e13, '10000.0B'],
    [-1_284, '−1.3K'],
    [Infinity, '∞'],
  ])('writes %d as %s', (value, text) => {
    expect(shorten(value)).toBe(text);
  });

  it('never writes more than three digits before the decimal point', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e11, max: 1e11, noNaN: true }), (value) => {
        expect(shorten(value, 1)).toMatch(/^−?\d{1,3}\.\d[KMB]?$/);
      }),
    );
  });
});

describe('the formats of figures', () => {
  it('give a gain its sign, and zero no sign', () => {
    expect([91.49, 1_843.2, -45.25, 0, 0.04, -0.04].map(formatGain)).toEqual([
      '+91.5%',
      '+1.8K%',
      '−45.3%',
      '0.0%',
      '0.0%',
      '0.0%',
    ]);
  });

  it('write N/A for a missing value and ∞ for an infinite one', () => {
    expect([formatCount(null), formatPercent(null), formatGain(null), formatRatio(null)]).toEqual(
      Array.from({ length: 4 }, () => 'N/A'),
    );
    expect(formatRatio(Infinity)).toBe('∞');
    expect(formatRatio(-0.489)).toBe('−0.49');
  });

  it('write days in UTC', () => {
    expect(formatDay('2024-03-04')).toBe('Mar 4, 2024');
    expect(formatDay('2023-12-31T23:59:59Z')).toBe('Dec 31, 2023');
    expect(formatDay('soon')).toBe('N/A');
    expect(formatDay(null)).toBe('N/A');
    expect([formatTime('soon'), formatSecond('')]).toEqual(['N/A', 'N/A']);
  });
});

describe('parseNumeric', () => {
  it('returns null for text that is not numeric', () => {
    expect(['38.46', '-100', 'Infinity', '', ' ', 'n/a', null].map(parseNumeric)).toEqual([
      38.46,
      -100,
      Infinity,
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('parseTyped', () => {
  it.each([
    ['50', 50],
    [' 1,200 ', 1_200],
    ['1.5k', 1_500],
    ['2M', 2_000_000],
    ['−40 %', -40],
    ['-.5', -0.5],
    ['38.46', 38.46],
    ['1.1k', 1_100],
    ['', null],
    ['fifty', null],
    ['1..2', null],
    ['0x10', null],
    ['1e9', null],
  ])('reads %j as %j', (text, value) => {
    expect(parseTyped(text)).toBe(value);
  });
});

describe('the size of a file', () => {
  it.each([
    [1, '1 byte'],
    [812, '812 bytes'],
    [25_190, '24.6 KB'],
    [104_857, '102.4 KB'],
    [104_858, '0.1 MB'],
    [1_572_864, '1.5 MB'],
    [20 * 1024 * 1024, '20.0 MB'],
  ])('%d is %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});
