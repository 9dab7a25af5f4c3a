import { describe, expect, it } from '@jest/globals';
import type { FacetField, Histogram } from '@tapedeck/explorer/contract';
import { decodeFilters } from './filters.ts';
import { boundsWords, catalogueSize, rangeRepairs } from './repairs.ts';

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

describe('boundsWords', () => {
  it('says bounds as people write them', () => {
    expect(boundsWords({ unit: '%' }, { low: null, high: 35 })).toBe('≤ 35\u00a0%');
    expect(boundsWords({ unit: '' }, { low: 0.8, high: 2.4 })).toBe('0.8 – 2.4');
    expect(boundsWords({ unit: '%' }, { low: -1_250.5, high: null })).toBe('≥ −1,250.5\u00a0%');
    expect(boundsWords({ unit: '' }, { low: 0, high: 0 })).toBe('0 – 0');
  });
});

describe('rangeRepairs', () => {
  const filters = decodeFilters(new URLSearchParams('min_likes=9&min_views=9&min_sharpe_ratio=3'));
  const histograms = [
    histogram('sharpeRatio', [3, 4], 2),
    histogram('likes', [0, 0], 0),
    histogram('views', [9, 9], 3),
  ];

  it('counts what removing a range would give, the most first, and offers nothing in vain', () => {
    expect(rangeRepairs(filters, histograms).map(({ field, results }) => [field, results])).toEqual([
      ['views', 21],
      ['sharpeRatio', 9],
    ]);
  });
});

describe('catalogueSize', () => {
  it('is every value and every unknown one', () => {
    expect(catalogueSize([histogram('likes', [1, 1], 0)])).toBe(100);
    expect(catalogueSize([])).toBeNull();
  });
});
