import { describe, expect, it } from '@jest/globals';
import type { FacetField, Histogram } from '@tapedeck/search-engine/contract';
import { decodeFilters } from '../filter-state/filter-address.ts';
import {
  bestFirst,
  catalogueSize,
  mostAsked,
  rangeRepairs,
  singlesToAsk,
  togetherToAsk,
} from './filter-suggestions.ts';

const histogram = (field: FacetField, counts: readonly number[], unknown: number): Histogram => ({
  field,
  scale: 'linear',
  edges: [0, 1, 2],
  counts: [...counts],
  all: [40, 50],
  unknown,
  unknownAll: 10,
  min: 0,
  max: 2,
  filteredMin: null,
  filteredMax: null,
});

describe('rangeRepairs', () => {
  const filters = decodeFilters(new URLSearchParams('min_likes=9&min_views=9&min_sharpe_ratio=3'));
  const histograms = [
    histogram('sharpeRatio', [3, 4], 2),
    histogram('likes', [0, 0], 0),
    histogram('views', [9, 9], 3),
  ];

  it('counts what removing a range would give, the most first, and offers nothing in vain', () => {
    expect(bestFirst(rangeRepairs(filters, histograms))).toEqual([
      { ids: ['views'], results: 21 },
      { ids: ['sharpeRatio'], results: 9 },
    ]);
  });
});

describe('what an empty list asks for', () => {
  const filtersOf = (query: string): ReturnType<typeof decodeFilters> =>
    decodeFilters(new URLSearchParams(query));

  it('is each filter that no histogram leaves out', () => {
    expect(singlesToAsk(filtersOf('search=x&min_likes=9&symbol=BTC&has_enhanced=true'))).toEqual([
      ['search'],
      ['symbol'],
      ['hasEnhanced'],
    ]);
  });

  it('is every pair while there are few, and all but one when there are many', () => {
    expect(togetherToAsk(filtersOf('search=x&symbol=y'))).toEqual([]);
    expect(togetherToAsk(filtersOf('search=x&symbol=y&min_likes=1'))).toEqual([
      ['search', 'likes'],
      ['search', 'symbol'],
      ['likes', 'symbol'],
    ]);
    const many = togetherToAsk(
      filtersOf(
        'search=x&symbol=y&min_likes=1&min_views=1&pine_version=5&has_performance=true&min_comments=1',
      ),
    );
    expect(many).toHaveLength(mostAsked);
    expect(many.every((ids) => ids.length === 6)).toBe(true);
  });
});

describe('catalogueSize', () => {
  it('is every value and every unknown one', () => {
    expect(catalogueSize([histogram('likes', [1, 1], 0)])).toBe(100);
    expect(catalogueSize([])).toBeNull();
  });
});
