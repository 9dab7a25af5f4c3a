import { describe, expect, it } from '@jest/globals';
import { boundsText, describeSearch, filterText } from './filter-text.ts';
import { activeFilters, decodeFilters } from './filters.ts';

const chipTexts = (query: string): readonly string[] => {
  const filters = decodeFilters(query);
  return activeFilters(filters).map((id) => Object.values(filterText(filters, id)).join(' '));
};

describe('boundsText', () => {
  it('writes bounds with signs, groups and a unit', () => {
    expect(boundsText('%', { low: null, high: 35 })).toBe('≤ 35\u00a0%');
    expect(boundsText('', { low: 0.8, high: 2.4 })).toBe('0.8–2.4');
    expect(boundsText('%', { low: -1_250.5, high: null })).toBe('≥ −1,250.5\u00a0%');
    expect(boundsText('%', { low: -20, high: 50 })).toBe('−20 – 50\u00a0%');
    expect(boundsText('', { low: 0, high: 0 })).toBe('0');
  });
});

describe('filterText', () => {
  it.each([
    ['min_sharpe_ratio=1.5', 'Sharpe ≥ 1.5'],
    ['min_total_pandl_percent=10&max_total_pandl_percent=50', 'P&L 10–50\u00a0%'],
    ['max_max_drawdown_percent=35', 'Max drawdown ≤ 35\u00a0%'],
    ['publication_date_start=2024-03-14', 'Published since Mar 14, 2024'],
    ['publication_date_end=2024-03-14', 'Published until Mar 14, 2024'],
    [
      'backtesting_date_start=2020-01-01&backtesting_date_end=2024-12-31',
      'Backtested Jan 1, 2020 – Dec 31, 2024',
    ],
    ['search=macd&symbol=BTCUSD', 'Search “macd”'],
    ['symbol=BTCUSD', 'Symbol BTCUSD'],
    ['pine_version=5', 'Pine v5'],
    ['has_performance=true', 'Has performance data'],
    ['has_enhanced=true', 'Has enhanced data'],
  ])('of %s is %s', (query, text) => {
    expect(chipTexts(query)[0]).toBe(text);
  });
});

describe('describeSearch', () => {
  it('describes the filters, and the order if it is not the default', () => {
    const textOf = (address: string): string => describeSearch(address).text;
    expect(textOf('search=macd&max_max_drawdown_percent=20&pine_version=5&sort_by=likes')).toBe(
      '“macd” · Max drawdown ≤ 20\u00a0% · Pine v5 · by Likes, descending',
    );
    expect(textOf('')).toBe('All strategies');
    expect(textOf('sort_order=asc')).toBe('All strategies · by Total P&L, ascending');
  });

  it('names a search after its filters', () => {
    const nameOf = (address: string): string => describeSearch(address).name;
    expect(nameOf('search=macd&max_max_drawdown_percent=20')).toBe('macd, Max drawdown ≤ 20 %');
    expect(nameOf('')).toBe('All strategies');
  });

  it('gives equal searches equal addresses', () => {
    const addressOf = (address: string): string => describeSearch(address).address;
    expect(addressOf('page=4&pine_version=5&max_max_drawdown_percent=20.0')).toBe(
      addressOf('max_max_drawdown_percent=20&pine_version=v5'),
    );
    expect(addressOf('page=2')).toBe('');
  });
});
