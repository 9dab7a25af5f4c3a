import { describe, expect, it } from '@jest/globals';
import {
  factorLabel,
  firstNames,
  lostTrades,
  readFigure,
  readMoney,
  readWins,
  webAddress,
} from './figures.ts';

describe('readMoney', () => {
  it.each([
    ['+1,234.56 USD (+12.34%)', 12.34, '+1,234.56 USD'],
    ['−1,667,115.74 USDT (−166.71%)', -166.71, '−1,667,115.74 USDT'],
    ['2,430.10\u2009USD (24.6\u2009%)', 24.6, '2,430.10\u2009USD'],
    ['12.5%', 12.5, null],
    ['1,250 USD', null, '1,250 USD'],
    ['—', null, '—'],
    [null, null, null],
  ])('reads %j', (text, percent, amount) => {
    expect(readMoney(text)).toEqual({ percent, amount });
  });
});

describe('readFigure', () => {
  it('reads thousands separators, a minus sign and infinity', () => {
    expect(['1,206', '−0.489', '∞', 'Infinity', 'N/A', null].map(readFigure)).toEqual([
      1_206,
      -0.489,
      Infinity,
      Infinity,
      null,
      null,
    ]);
  });
});

describe('readWins', () => {
  it('reads a percentage with counts, a count alone and a percentage alone', () => {
    expect(readWins('38.46% (10/26)', '26')).toEqual({
      rate: (100 * 10) / 26,
      counts: { won: 10, total: 26 },
    });
    expect(readWins('183', '418')).toEqual({ rate: (100 * 183) / 418, counts: { won: 183, total: 418 } });
    expect(readWins('43.8%', '418')).toEqual({ rate: 43.8, counts: null });
  });

  it('returns null for contradictory or missing counts', () => {
    expect([readWins('30', '26'), readWins('10/0', '0'), readWins('10', null), readWins(null, '26')]).toEqual(
      [null, null, null, null],
    );
  });
});

describe('lostTrades', () => {
  const lost = (profitable: string, total: string | null) => {
    const wins = readWins(profitable, total);
    return wins && lostTrades(wins);
  };
  it('is at most what did not win, because a trade can close even', () => {
    expect(lost('38.46% (10/26)', '26')).toEqual({ max: 16, isExact: false });
    expect(lost('0% (0/4)', '4')).toEqual({ max: 4, isExact: false });
  });
  it('is exact where every trade won, and unknown without counts', () => {
    expect(lost('100% (7/7)', '7')).toEqual({ max: 0, isExact: true });
    expect(lost('43.8%', '418')).toBeNull();
  });
});

describe('firstNames', () => {
  it('has three at most, and is null for none', () => {
    expect(firstNames(['EMA', 'RSI', 'ATR', 'MACD'])).toBe('EMA, RSI, ATR');
    expect(firstNames(['EMA'])).toBe('EMA');
    expect(firstNames([])).toBeNull();
  });
});

describe('factorLabel', () => {
  it('changes at 1.2 and at 1.5', () => {
    expect([0.9, 1.19, 1.2, 1.49, 1.5, Infinity].map(factorLabel)).toEqual([
      'Poor',
      'Poor',
      'Good',
      'Good',
      'Excellent',
      'Excellent',
    ]);
  });
});

describe('webAddress', () => {
  it('returns null for anything but an http or https address', () => {
    expect(webAddress('https://example.com/a')).toBe('https://example.com/a');
    expect(
      ['javascript:alert(1)', 'data:text/html,x', '/strategies', 'https://', null].map(webAddress),
    ).toEqual(Array.from({ length: 5 }, () => null));
  });
});
