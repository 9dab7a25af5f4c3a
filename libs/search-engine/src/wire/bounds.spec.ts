import { describe, expect, it } from '@jest/globals';
import { effectiveBounds, isInactive, isReversed, type Bounds } from './bounds.ts';
import { facetFields, facets, type FacetField } from '../catalogue/facets.ts';

const bounds = (low: number | null, high: number | null): Bounds => ({ low, high });

describe('the bounds of a range', () => {
  it.each<[FacetField, Partial<Bounds>, Bounds, 'inactive' | 'active' | 'reversed']>([
    ['likes', {}, bounds(null, null), 'inactive'],
    ['likes', { low: null, high: null }, bounds(null, null), 'inactive'],
    ['likes', { low: 0, high: 999_999 }, bounds(null, null), 'inactive'],
    ['likes', { low: 5 }, bounds(5, null), 'active'],
    ['likes', { low: 0, high: 0 }, bounds(null, 0), 'active'],
    ['likes', { low: 7, high: 7 }, bounds(7, 7), 'active'],
    ['likes', { low: 100, high: 10 }, bounds(100, 10), 'reversed'],
    ['likes', { low: 999_999, high: 0 }, bounds(999_999, 0), 'reversed'],
    ['maxDrawdownPercent', { low: 0, high: 100 }, bounds(null, null), 'inactive'],
    ['maxDrawdownPercent', { low: 150, high: 100 }, bounds(150, null), 'active'],
    ['maxDrawdownPercent', { low: 150, high: 101 }, bounds(150, 101), 'reversed'],
    ['maxDrawdownPercent', { low: 0, high: -1 }, bounds(null, -1), 'active'],
    ['sharpeRatio', { low: -999, high: 999 }, bounds(null, null), 'inactive'],
    ['sharpeRatio', { low: 999, high: -999 }, bounds(999, -999), 'reversed'],
  ])('of %s, given as %j, are %j: %s', (field, given, effective, meaning) => {
    expect(effectiveBounds(field, given)).toEqual(effective);
    expect(isInactive(effective)).toBe(meaning === 'inactive');
    expect(isReversed(effective.low, effective.high)).toBe(meaning === 'reversed');
  });

  it('are open at the unset values of every field', () => {
    for (const field of facetFields) {
      const [low, high] = facets[field].openBounds;
      expect(effectiveBounds(field, { low, high })).toEqual(bounds(null, null));
    }
  });

  it('are compared as text if they are days', () => {
    expect(isReversed('2025-01-02', '2025-01-01')).toBe(true);
    expect(isReversed('2025-01-01', '2025-01-01')).toBe(false);
    expect(isReversed<string>(null, '2025-01-01')).toBe(false);
  });
});
