import { describe, expect, it } from '@jest/globals';
import type { ComparedStrategy } from '@tapedeck/explorer/contract';
import { comparedRows } from './comparison.ts';

const unknown: ComparedStrategy = {
  url_id: 'AAAAAAA1',
  title: 'One',
  author: null,
  likes: null,
  views: null,
  total_trades: null,
  total_pandl_percent: null,
  max_drawdown_percent: null,
  profit_factor_numeric: null,
  sharpe_ratio_numeric: null,
  categories: [],
  code_lines: null,
  publication_date: null,
  comments: null,
  symbol: null,
  pine_version: null,
  backtesting_range_start: null,
  backtesting_range_end: null,
};

const row = (name: string, ...changes: readonly Partial<ComparedStrategy>[]) =>
  comparedRows(changes.map((change) => ({ ...unknown, ...change }))).find((each) => each.name === name)
    ?.cells;

const best = (name: string, ...changes: readonly Partial<ComparedStrategy>[]) =>
  row(name, ...changes)?.map(({ isBest }) => isBest);

describe('strategies side by side', () => {
  it('mark the highest profit and say its sign', () => {
    expect(row('Total P&L', { total_pandl_percent: '-12.5' }, { total_pandl_percent: '1800' }, {})).toEqual([
      { text: '−12.5%', tone: 'loss', isBest: false },
      { text: '+1.8K%', tone: 'gain', isBest: true },
      { text: 'N/A', isBest: false },
    ]);
  });

  it('mark the smallest drawdown, and infinity as the best profit factor', () => {
    expect(best('Max drawdown', { max_drawdown_percent: '24.6' }, { max_drawdown_percent: '9.4' })).toEqual([
      false,
      true,
    ]);
    expect(
      best('Profit factor', { profit_factor_numeric: 'Infinity' }, { profit_factor_numeric: '2.3' }),
    ).toEqual([true, false]);
  });

  it('mark all of several best ones, and nothing where nothing is better', () => {
    expect(best('Likes', { likes: 5 }, { likes: 5 }, { likes: 1 })).toEqual([true, true, false]);
    expect(best('Likes', { likes: 5 }, { likes: 5 })).toEqual([false, false]);
    expect(best('Likes', { likes: 5 }, {})).toEqual([false, false]);
    expect(best('Lines of code', { code_lines: 5 }, { code_lines: 9 })).toEqual([false, false]);
  });

  it('say what cannot be ranked in words', () => {
    const change = {
      categories: ['MACD', 'RSI'],
      pine_version: 5,
      publication_date: '2024-03-14',
      backtesting_range_start: '2023-01-01',
    };
    const words = (name: string) => row(name, change, {})?.map(({ text }) => text);
    expect(words('Indicators')).toEqual(['MACD, RSI', 'N/A']);
    expect(words('Pine version')).toEqual(['v5', 'N/A']);
    expect(words('Published')).toEqual(['Mar 14, 2024', 'N/A']);
    expect(words('Backtested')).toEqual(['Jan 1, 2023 – N/A', 'N/A']);
  });
});
