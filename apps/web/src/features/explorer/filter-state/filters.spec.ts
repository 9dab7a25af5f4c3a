import { describe, expect, it } from '@jest/globals';
import {
  effectiveBounds,
  facetFields,
  facetRecord,
  isReversed,
  scales,
  sortFields,
  facets,
  type FacetField,
} from '@tapedeck/search-engine/contract';
import fc from 'fast-check';
import {
  activeFilters,
  addressOf,
  decodeFilters,
  decodePineVersion,
  defaultFilters,
  filterIds,
  maxPage,
  normaliseScales,
  withoutFilters,
  type Filters,
} from './filters.ts';

const bound = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0));
const text = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: 'grapheme', maxLength: 60 }).map((typed) => typed.trim().slice(0, maxLength).trim());
const day = fc.option(
  fc
    .date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
);
const days = fc.record({ from: day, to: day });
const filters: fc.Arbitrary<Filters> = fc
  .record({
    search: text(200),
    symbol: text(60),
    pineVersion: fc.option(fc.integer({ min: 0, max: 99 })),
    published: days,
    backtested: days,
    hasPerformance: fc.boolean(),
    hasEnhanced: fc.boolean(),
    scales: fc.dictionary(fc.constantFrom(...facetFields), fc.constantFrom(...scales)).map(normaliseScales),
    bounds: fc.array(fc.record({ low: bound, high: bound }), { minLength: 8, maxLength: 8 }),
    sortBy: fc.constantFrom(...sortFields),
    sortOrder: fc.constantFrom('asc' as const, 'desc' as const),
    page: fc.integer({ min: 1, max: maxPage }),
  })
  .map(({ bounds, ...rest }) => ({
    ...rest,
    ranges: facetRecord((field) =>
      effectiveBounds(field, bounds[facetFields.indexOf(field)] ?? { low: null, high: null }),
    ),
  }));

describe('addressOf and decodeFilters', () => {
  it('restore all filters', () => {
    fc.assert(
      fc.property(filters, (given) => {
        expect(decodeFilters(addressOf(given))).toEqual(given);
      }),
      { numRuns: 500 },
    );
  });

  it('normalise any address when it is first read', () => {
    const query = fc.dictionary(
      fc.constantFrom(
        'search',
        'page',
        'sort_by',
        'sort_order',
        'min_likes',
        'max_likes',
        'min_profit_factor',
        'symbol',
        'pine_version',
        'publication_date_start',
        'publication_date_end',
        'has_enhanced',
        'scales',
        'x',
      ),
      fc.oneof(
        fc.string(),
        fc.double().map(String),
        fc.constantFrom('-0', 'NaN', 'Infinity', '1e999', '0x1f'),
        fc.constantFrom('2024-02-30', '2024-02-29', '2023-12-31', 'v5', 'true', 'likes:log,views:cubic'),
      ),
    );
    fc.assert(
      fc.property(query, (given) => {
        const once = addressOf(decodeFilters(new URLSearchParams(given).toString()));
        expect(addressOf(decodeFilters(once))).toBe(once);
      }),
      { numRuns: 500 },
    );
  });

  it('write default filters as an empty address', () => {
    expect(addressOf(defaultFilters)).toBe('');
    expect(decodeFilters('')).toEqual(defaultFilters);
  });

  it('use the parameter names of the API', () => {
    const query =
      'search=macd&min_total_pandl_percent=50&max_sharpe_ratio=2.5&symbol=BTCUSD&pine_version=v5' +
      '&publication_date_start=2024-01-01&backtesting_date_end=2025-12-31&has_performance=true' +
      '&has_enhanced=true&scales=likes:log,views:linear&sort_by=likes&sort_order=asc&page=3';
    expect(addressOf(decodeFilters(query))).toBe(query);
  });

  it('ignore malformed parameters', () => {
    expect(decodeFilters('page=0&sort_by=price&min_likes=many&max_views=')).toEqual(defaultFilters);
    const dates = 'publication_date_start=2024-02-30&backtesting_date_end=soon';
    expect(decodeFilters(`pine_version=five&has_performance=yes&${dates}`)).toEqual(defaultFilters);
    expect(decodeFilters('scales=likes:cubic,price:log,views:quantile,,:')).toEqual(defaultFilters);
    expect(decodeFilters('page=99999').page).toBe(maxPage);
    expect(decodeFilters(`search=${'x'.repeat(300)}`).search).toHaveLength(200);
  });
});

describe('bounds in the address', () => {
  it('are open at the unset values', () => {
    for (const field of facetFields) {
      const [low, high] = facets[field].openBounds;
      const name = facets[field].parameter;
      expect(decodeFilters(`min_${name}=${low}&max_${name}=${high}`)).toEqual(defaultFilters);
    }
  });

  it.each<[query: string, FacetField, low: number | null, high: number | null]>([
    ['', 'likes', null, null],
    ['min_likes=5', 'likes', 5, null],
    ['min_likes=0&max_likes=10', 'likes', 0, 10],
    ['min_likes=100&max_likes=10', 'likes', 100, 10],
    ['min_likes=999999&max_likes=0', 'likes', 999_999, 0],
    ['min_max_drawdown_percent=0&max_max_drawdown_percent=100', 'maxDrawdownPercent', 0, 100],
    ['min_max_drawdown_percent=150&max_max_drawdown_percent=100', 'maxDrawdownPercent', 150, 100],
    ['min_max_drawdown_percent=150&max_max_drawdown_percent=101', 'maxDrawdownPercent', 150, 101],
    ['min_sharpe_ratio=-999&max_sharpe_ratio=999', 'sharpeRatio', -999, 999],
    ['min_total_pandl_percent=-50&max_total_pandl_percent=-60', 'totalPandlPercent', -50, -60],
  ])('of "%s" mean what the shared function says', (query, field, low, high) => {
    const filters = decodeFilters(query);
    const effective = effectiveBounds(field, { low, high });
    expect(filters.ranges[field]).toEqual(effective);
    expect(activeFilters(filters)).toEqual(effective.low === null && effective.high === null ? [] : [field]);
    // Also a reversed range is sent as it is: the server refuses it.
    if (isReversed(effective.low, effective.high)) expect(addressOf(filters)).toBe(query);
  });

  it('keep reversed days', () => {
    const query = 'backtesting_date_start=2025-01-02&backtesting_date_end=2025-01-01';
    expect(decodeFilters(query).backtested).toEqual({ from: '2025-01-02', to: '2025-01-01' });
    expect(addressOf(decodeFilters(query))).toBe(query);
  });
});

describe('the address of equal filters', () => {
  it.each([
    ['pine_version=5', 'pine_version=v5'],
    ['pine_version=V05', 'pine_version=v5'],
    ['scales=views%3Alog%2Clikes%3Alog', 'scales=likes:log,views:log'],
    ['has_performance=false&min_likes=0&search=+rsi+', 'search=rsi'],
    ['search=a,b%3Ac', 'search=a,b:c'],
  ])('of %s is %s', (typed, address) => {
    expect(addressOf(decodeFilters(typed))).toBe(address);
  });
});

describe('decodePineVersion', () => {
  it.each([
    ['v5', 5],
    [' 4 ', 4],
    ['V12', 12],
    ['v', null],
    ['5.1', null],
    ['v123', null],
    ['', null],
  ])('reads %p as %p', (typed, version) => {
    expect(decodePineVersion(typed)).toBe(version);
  });
});

describe('activeFilters', () => {
  const everything =
    'search=macd&min_likes=5&max_likes=9&max_views=100&symbol=BTC&pine_version=5&publication_date_end=2024-01-01' +
    '&backtesting_date_start=2024-01-01&has_performance=true&has_enhanced=true';

  it('lists the filters that exclude rows, not order and scales', () => {
    expect(activeFilters(decodeFilters(`${everything}&sort_by=likes&scales=likes:log&page=2`))).toEqual(
      filterIds.filter(
        (id) => !facetFields.some((field) => field === id) || id === 'likes' || id === 'views',
      ),
    );
    expect(activeFilters(decodeFilters('sort_by=likes&scales=likes:log'))).toEqual([]);
  });

  it('loses only the removed filter', () => {
    const given = decodeFilters(`${everything}&page=3`);
    for (const id of activeFilters(given)) {
      const left = withoutFilters(given, [id]);
      expect(activeFilters(left)).toEqual(activeFilters(given).filter((other) => other !== id));
      expect(left.page).toBe(1);
    }
  });
});
