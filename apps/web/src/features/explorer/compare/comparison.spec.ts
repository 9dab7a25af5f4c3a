import { describe, expect, it } from '@jest/globals';
import type { ComparedStrategy } from '@tapedeck/explorer/contract';
import { itemRecord } from '@tapedeck/search-engine/contract';
import { comparedRows } from './comparison.ts';

const unknown: ComparedStrategy = {
  url_id: 'AAAAAAA1',
  title: 'One',
  author: null,
  ...itemRecord(
    () => null,
    () => null,
  ),
  categories: [],
  publication_date: null,
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

describe('comparedRows', () => {
  it('marks the highest profit and writes its sign', () => {
    expect(row('Total P&L', { total_pandl_percent: '-12.5' }, { total_pandl_percent: '1800' }, {})).toEqual([
      { text: '−12.5%', tone: 'loss', isBest: false },
      { text: '+1.8K%', tone: 'gain', isBest: true },
      { text: 'N/A', tone: null, isBest: false },
    ]);
  });

  it('marks the smallest drawdown, and infinity as the best profit factor', () => {
    expect(best('Max drawdown', { max_drawdown_percent: '24.6' }, { max_drawdown_percent: '9.4' })).toEqual([
      false,
      true,
    ]);
    expect(
      best('Profit factor', { profit_factor_numeric: 'Infinity' }, { profit_factor_numeric: '2.3' }),
    ).toEqual([true, false]);
  });

  it('marks all equal best values, and none if no value is better', () => {
    expect(best('Likes', { likes: 5 }, { likes: 5 }, { likes: 1 })).toEqual([true, true, false]);
    expect(best('Likes', { likes: 5 }, { likes: 5 })).toEqual([false, false]);
    expect(best('Likes', { likes: 5 }, {})).toEqual([false, false]);
    expect(best('Lines of code', { code_lines: 5 }, { code_lines: 9 })).toEqual([false, false]);
  });

  it('has a row for each figure, counts with every digit', () => {
    expect(row('Views', { views: 12_345 }, { views: 12_346 })).toEqual([
      { text: '12,345', tone: null, isBest: false },
      { text: '12,346', tone: null, isBest: true },
    ]);
    expect(row('Win rate', { win_rate: '38.462' }, {})?.map(({ text }) => text)).toEqual(['38.5%', 'N/A']);
    expect(best('Trades', { total_trades: '5' }, { total_trades: '9' })).toEqual([false, false]);
  });

  it('writes facts as text', () => {
    const change = {
      categories: ['MACD', 'RSI'],
      pine_version: 5,
      publication_date: '2024-03-14',
      backtesting_range_start: '2023-01-01',
    };
    const textsOf = (name: string) => row(name, change, {})?.map(({ text }) => text);
    expect(textsOf('Indicators')).toEqual(['MACD, RSI', 'N/A']);
    expect(textsOf('Pine version')).toEqual(['v5', 'N/A']);
    expect(textsOf('Published')).toEqual(['Mar 14, 2024', 'N/A']);
    expect(textsOf('Backtested')).toEqual(['Jan 1, 2023 – N/A', 'N/A']);
  });
});
