import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { amountOf, countOf, percentOf, ratioOf } from './number-text.ts';

const minus = '\u2212';
const thin = '\u2009';

describe('percentOf', () => {
  it.each<[text: string, percent: number | null]>([
    [`${minus}1,667,115.74 USDT (${minus}166.71%)`, -166.71],
    ['+1,234.56 USD (+12.35%)', 12.35],
    ['1,250\nUSD\n2.5%', 2.5],
    [`${minus}344.63${thin}USDT\n${minus}34.46%`, -34.46],
    [`${minus}166${thin}%`, -166],
    [`${minus}166\u202F%`, -166],
    [`${minus}166\u00A0%`, -166],
    [`\u200B${minus}\u200B166.5%\u200B`, -166.5],
    ['\u20135.3%', -5.3],
    ['\u20145.3%', -5.3],
    ['\uFF0D5.3\uFF05', -5.3],
    ['154.20%', 154.2],
    ['1,898,012.87 USDT (154.20%)', 154.2],
    ['+300,000,000.00%', 300_000_000],
    ['+300M%', 300_000_000],
    ['+1.2K%', 1_200],
    ['+1.5 B %', 1_500_000_000],
    ['6e-05%', 0.00006],
    ['1.2E+3%', 1_200],
    ['12,35%', 12.35],
    ['1.234,56%', 1_234.56],
    [`1${thin}234,56${thin}%`, 1_234.56],
    ["1'234.5%", 1_234.5],
    ['12,34,567.8%', 1_234_567.8],
    ['12,345%', 12_345],
    ['0,385%', 0.385],
    ['.5%', 0.5],
    ['0%', 0],
    [`${minus}0.00%`, 0],
    ['38.46%\n10/26', 38.46],
    ['38.46% (10/26)', 38.46],
    ['(2.5%)', 2.5],
  ])('parses %j as %p', (text, percent) => {
    expect(percentOf(text)).toBe(percent);
  });

  it('has the sign of the amount when the per cent has none', () => {
    expect(percentOf(`${minus}1,250.00 USD (5.3%)`)).toBe(-5.3);
    expect(percentOf('(1,250.00)\n5.3%')).toBe(-5.3);
    expect(percentOf(`${minus}1,250.00 USD (+5.3%)`)).toBe(5.3);
  });

  it('prefers the value in parentheses', () => {
    expect(percentOf('50% of equity (12.5%)')).toBe(12.5);
  });

  it.each(['', ' ', '—', 'N/A', '∞', '∞%', '%', '(%)', '1,234.56 USD', '0.3846', 'abc', '--5', '1e999%'])(
    'is null for %j',
    (text) => {
      expect(percentOf(text)).toBeNull();
    },
  );

  it('is null for prose and for null', () => {
    expect(percentOf(`${'x'.repeat(300)} 5%`)).toBeNull();
    expect(percentOf(null)).toBeNull();
  });
});

describe('amountOf', () => {
  it.each<[text: string, amount: number | null]>([
    [`${minus}1,667,115.74 USDT (${minus}166.71%)`, -1_667_115.74],
    ['+1,234.56 USD (+12.35%)', 1_234.56],
    ['1,250\nUSD\n2.5%', 1_250],
    ['(5.3)', -5.3],
    ['(1,250.00) USD', -1_250],
    ['$1,234.56', 1_234.56],
    ['-$1,234.56', -1_234.56],
    ['$-1,234.56', -1_234.56],
    ['USD 1,234.56', 1_234.56],
    ['10000', 10_000],
    ['1.5K', 1_500],
    ['2.25M USDT', 2_250_000],
    ['3B', 3_000_000_000],
    ['10 BTC', 10],
    ['12,5 EUR', 12.5],
    ['3e-05 per order', 0.00003],
    ['1.234.567', 1_234_567],
    ['12.5%', null],
    ['1K%', null],
    ['(2.5%)', null],
    ['∞', null],
    ['—', null],
    ['N/A', null],
    ['', null],
  ])('parses %j as %p', (text, amount) => {
    expect(amountOf(text)).toBe(amount);
  });
});

describe('ratioOf', () => {
  it.each<[text: string, ratio: number | null]>([
    ['1.852', 1.852],
    ['1,852', 1.852],
    ['0.226', 0.226],
    ['1,234.567', 1_234.567],
    [`${minus}0.489`, -0.489],
    ['(5.3)', -5.3],
    ['∞', Infinity],
    ['Infinity', Infinity],
    ['+inf', Infinity],
    [`${minus}∞`, -Infinity],
    ['0', 0],
    ['—', null],
    ['N/A', null],
    ['', null],
    ['12%', null],
    ['1.2 to 1.4', null],
  ])('parses %j as %p', (text, ratio) => {
    expect(ratioOf(text)).toBe(ratio);
  });
});

describe('countOf', () => {
  it.each<[text: string, count: number | null]>([
    ['26', 26],
    ['1,234', 1_234],
    ['20.3K', 20_300],
    ['5 ticks', 5],
    ['0', 0],
    ['-3', null],
    ['many', null],
    ['1e300', null],
  ])('parses %j as %p', (text, count) => {
    expect(countOf(text)).toBe(count);
  });
});

describe('the number parsers', () => {
  it('never throw and never return NaN', () => {
    const pieces = fc.constantFrom(...'0123456789.,%()+-−∞ \n\u2009\u200BeKMB$€’');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 24 }), (parts) => {
        const text = parts.join('');
        for (const value of [percentOf(text), amountOf(text), ratioOf(text), countOf(text)]) {
          expect(value).not.toBeNaN();
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('parse what a screen would show', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (value) => {
        const written = value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
        const shown = `${written.replace('-', minus)} USD (${written.replace('-', minus)}%)`;
        const expected = Number(value.toFixed(2)) + 0;
        expect(amountOf(shown)).toBeCloseTo(expected, 1);
        expect(percentOf(shown)).toBeCloseTo(expected, 1);
      }),
      { numRuns: 500 },
    );
  });
});
