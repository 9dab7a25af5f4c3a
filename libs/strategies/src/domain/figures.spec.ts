import { describe, expect, it } from '@jest/globals';
import { figuresOf, profitableTradesOf } from './figures.ts';
import { emptyRecord } from './strategy-record.ts';

const record = { ...emptyRecord, url_id: 'S3LKflwr', title: 'Alligator' };

describe('figuresOf', () => {
  it('is null throughout when the source has no figures', () => {
    expect(new Set(Object.values(figuresOf(record)))).toEqual(new Set([null]));
  });

  it('parses the figures of a losing strategy', () => {
    const figures = figuresOf({
      ...record,
      total_pandl: '−1,667,115.74 USDT (−166.71%)',
      max_equity_drawdown: '1,898,012.87 USDT (154.20%)',
      profit_factor: '0.226',
      sharpe_ratio_all: '−0.489',
      total_trades: '26',
      profitable_trades: '38.46% (10/26)',
      likes: 12,
      views: 340,
      comments_count: 2,
      code_lines: 111,
    });
    expect(figures).toEqual({
      totalPandlPercent: -166.71,
      totalPandlAmount: -1_667_115.74,
      maxDrawdownPercent: 154.2,
      profitFactor: 0.226,
      sharpeRatio: -0.489,
      totalTrades: 26,
      winRate: (100 * 10) / 26,
      likes: 12,
      views: 340,
      comments: 2,
      codeLines: 111,
    });
  });

  it.each([
    ['50% (13/26)', '26', 50],
    ['0% (0/4)', '4', 0],
    [null, '26', null],
    ['50% (13/26)', null, null],
    ['0% (0/0)', '0', null],
    ['38.46%', '26', null],
    ['50% (13/26)', '12', null],
  ])('has the win rate of %j and %j trades: %j', (profitable_trades, total_trades, winRate) => {
    expect(figuresOf({ ...record, profitable_trades, total_trades }).winRate).toBe(winRate);
  });

  it('makes a drawdown positive whatever its sign in the source', () => {
    expect(figuresOf({ ...record, max_equity_drawdown: '−5.3%' }).maxDrawdownPercent).toBe(5.3);
  });

  it('accepts an infinite profit factor, but not a negative one', () => {
    expect(figuresOf({ ...record, profit_factor: '∞' }).profitFactor).toBe(Infinity);
    expect(figuresOf({ ...record, profit_factor: '−1.2' }).profitFactor).toBeNull();
  });

  it('does not accept an infinite Sharpe ratio', () => {
    expect(figuresOf({ ...record, sharpe_ratio_all: '∞' }).sharpeRatio).toBeNull();
  });

  it.each([
    ['a\nb\nc', 3],
    ['a\nb\nc\n', 3],
    ['a\r\nb', 2],
    ['', null],
  ])('counts the lines of the code %j unless the source states them', (pine_script, lines) => {
    expect(figuresOf({ ...record, pine_script }).codeLines).toBe(lines);
    expect(figuresOf({ ...record, pine_script, code_lines: 7 }).codeLines).toBe(7);
  });
});

describe('profitableTradesOf', () => {
  it.each(['38.46% (10/26)', '38.46%\n10/26', '38.46% 10 / 26'])('parses %j', (text) => {
    expect(profitableTradesOf(text)).toEqual({ percent: 38.46, won: 10, total: 26 });
  });

  it.each([null, '', '38.46%', '10/26', '38.46% (27/26)'])('is null for %j', (text) => {
    expect(profitableTradesOf(text)).toBeNull();
  });
});
