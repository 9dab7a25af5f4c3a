import { describe, expect, it } from '@jest/globals';
import { decodeFilters } from './filter-address.ts';
import { boundsWords, wordsOf } from './filter-words.ts';
import { activeFilters } from './filters.ts';

const said = (query: string): readonly string[] => {
  const filters = decodeFilters(new URLSearchParams(query));
  return activeFilters(filters).map((id) => Object.values(wordsOf(filters, id)).join(' '));
};

describe('boundsWords', () => {
  it('says bounds as people write them', () => {
    expect(boundsWords('%', { low: null, high: 35 })).toBe('≤ 35\u00a0%');
    expect(boundsWords('', { low: 0.8, high: 2.4 })).toBe('0.8–2.4');
    expect(boundsWords('%', { low: -1_250.5, high: null })).toBe('≥ −1,250.5\u00a0%');
    expect(boundsWords('%', { low: -20, high: 50 })).toBe('−20 – 50\u00a0%');
    expect(boundsWords('', { low: 0, high: 0 })).toBe('0');
  });
});

describe('a chip', () => {
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
  ])('of %s reads %s', (query, words) => {
    expect(said(query)[0]).toBe(words);
  });
});
