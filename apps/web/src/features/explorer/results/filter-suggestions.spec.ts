import { describe, expect, it } from '@jest/globals';
import type { FacetField, Histogram } from '@tapedeck/search-engine/contract';
import { decodeFilters } from '../filter-state/filters.ts';
import {
  bestFirst,
  catalogueSize,
  maxSuggestions,
  rangeSuggestions,
  singleRemovals,
  jointRemovals,
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

describe('rangeSuggestions', () => {
  const filters = decodeFilters('min_likes=9&min_views=9&min_sharpe_ratio=3');
  const histograms = [
    histogram('sharpeRatio', [3, 4], 2),
    histogram('likes', [0, 0], 0),
    histogram('views', [9, 9], 3),
  ];

  it('gives the results without each range, without suggestions that give none', () => {
    expect(bestFirst(rangeSuggestions(filters, histograms))).toEqual([
      { ids: ['views'], results: 21 },
      { ids: ['sharpeRatio'], results: 9 },
    ]);
  });
});

describe('the removals to request', () => {
  it('are first the single filters without a histogram', () => {
    expect(singleRemovals(decodeFilters('search=x&min_likes=9&symbol=BTC&has_enhanced=true'))).toEqual([
      ['search'],
      ['symbol'],
      ['hasEnhanced'],
    ]);
  });

  it('are then all pairs of up to four filters, or all but one of more filters', () => {
    expect(jointRemovals(decodeFilters('search=x&symbol=y'))).toEqual([]);
    expect(jointRemovals(decodeFilters('search=x&symbol=y&min_likes=1'))).toEqual([
      ['search', 'likes'],
      ['search', 'symbol'],
      ['likes', 'symbol'],
    ]);
    const many = jointRemovals(
      decodeFilters(
        'search=x&symbol=y&min_likes=1&min_views=1&pine_version=5&has_performance=true&min_comments=1',
      ),
    );
    expect(many).toHaveLength(maxSuggestions);
    expect(many.every((ids) => ids.length === 6)).toBe(true);
  });
});

describe('catalogueSize', () => {
  it('counts known and unknown values of one field', () => {
    expect(catalogueSize([histogram('likes', [1, 1], 0)])).toBe(100);
    expect(catalogueSize([])).toBeNull();
  });
});
