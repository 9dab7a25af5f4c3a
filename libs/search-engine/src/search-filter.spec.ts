import { describe, expect, it } from '@jest/globals';
import { DomainError } from '@tapedeck/kernel';
import {
  effectiveBounds,
  FilterQuery,
  facetFields,
  isReversed,
  facets,
  type FacetField,
} from './contract.ts';
import { toSearchFilter } from './search-filter.ts';

const filterOf = (parameters: Record<string, string>): ReturnType<typeof toSearchFilter> =>
  toSearchFilter(FilterQuery.parse(parameters));

const errorOf = (parameters: Record<string, string>): DomainError => {
  try {
    filterOf(parameters);
  } catch (error) {
    if (error instanceof DomainError) return error;
  }
  throw new Error('The parameters were accepted.');
};

const pathsOf = (parameters: Record<string, unknown>): readonly string[] => {
  const result = FilterQuery.safeParse(parameters);
  return result.success ? [] : result.error.issues.map(({ path }) => path.join('.'));
};

describe('toSearchFilter', () => {
  it('leaves a range open when its bounds are missing or have their unset values', () => {
    const unset = Object.fromEntries(
      facetFields.flatMap((field) => [
        [`min_${facets[field].parameter}`, String(facets[field].openBounds[0])],
        [`max_${facets[field].parameter}`, String(facets[field].openBounds[1])],
      ]),
    );
    for (const { ranges } of [filterOf({}), filterOf(unset)]) {
      for (const field of facetFields) expect(ranges[field]).toEqual({ low: -Infinity, high: Infinity });
    }
  });

  it('accepts a lower bound without an upper one, and the reverse', () => {
    const { ranges } = filterOf({ min_sharpe_ratio: '1.25', max_max_drawdown_percent: '40' });
    expect(ranges.sharpeRatio).toEqual({ low: 1.25, high: Infinity });
    expect(ranges.maxDrawdownPercent).toEqual({ low: -Infinity, high: 40 });
  });

  it('treats an unset bound as open even when the other bound is beyond it', () => {
    const { ranges } = filterOf({ min_max_drawdown_percent: '150', max_max_drawdown_percent: '100' });
    expect(ranges.maxDrawdownPercent).toEqual({ low: 150, high: Infinity });
  });

  it.each<[FacetField, low: number, high: number]>([
    ['likes', 100, 10],
    ['likes', 0, 10],
    ['likes', 10, 999_999],
    ['likes', 999_999, 0],
    ['maxDrawdownPercent', 150, 100],
    ['maxDrawdownPercent', 150, 101],
    ['sharpeRatio', -999, 999],
    ['totalPandlPercent', -50, -60],
  ])('reads the bounds of %s from %d to %d as the shared function does', (field, low, high) => {
    const [min, max] = [`min_${facets[field].parameter}`, `max_${facets[field].parameter}`];
    const parameters = { [min]: String(low), [max]: String(high) };
    const effective = effectiveBounds(field, { low, high });
    if (isReversed(effective.low, effective.high)) {
      expect(errorOf(parameters)).toMatchObject({ code: 'RANGE_REVERSED', details: { parameter: min } });
    } else {
      const range = { low: effective.low ?? -Infinity, high: effective.high ?? Infinity };
      expect(filterOf(parameters).ranges[field]).toEqual(range);
    }
  });

  it('names the parameter when a lower bound is above the upper one', () => {
    const error = errorOf({ min_likes: '10', max_likes: '5' });
    expect([error.kind, error.code]).toEqual(['invalid', 'RANGE_REVERSED']);
    expect(error.message).toContain('min_likes (10)');
    expect(error.details['errors']).toEqual([{ path: 'min_likes', message: 'must not be above max_likes' }]);
    expect(
      errorOf({ publication_date_start: '2024-02-01', publication_date_end: '2024-01-31' }).message,
    ).toContain('publication_date_start');
  });

  it('accepts Pine versions with and without v', () => {
    expect(['v5', '5', 'V5', ''].map((pine_version) => filterOf({ pine_version }).pineVersion)).toEqual([
      5,
      5,
      5,
      null,
    ]);
  });

  it('applies no filter without parameters', () => {
    const filter = filterOf({});
    expect(filter).toMatchObject({ search: '', symbol: '', hasPerformance: false, hasEnhanced: false });
  });
});

describe('FilterQuery', () => {
  it.each([
    [{ min_likes: 'many' }, 'min_likes'],
    [{ max_profit_factor: 'NaN' }, 'max_profit_factor'],
    [{ max_profit_factor: 'Infinity' }, 'max_profit_factor'],
    [{ min_views: '' }, 'min_views'],
    [{ min_views: ['1', '2'] }, 'min_views'],
    [{ publication_date_start: '2024-02-30' }, 'publication_date_start'],
    [{ backtesting_date_end: 'yesterday' }, 'backtesting_date_end'],
    [{ pine_version: 'latest' }, 'pine_version'],
    [{ has_performance: 'yes' }, 'has_performance'],
    [{ search: 'x'.repeat(201) }, 'search'],
  ])('rejects %j and names the parameter', (parameters, path) => {
    expect(pathsOf(parameters)).toEqual([path]);
  });
});
