import { describe, expect, it } from '@jest/globals';
import { facetFields, scales, sortFields, unsetBounds } from '@tapedeck/search-engine/contract';
import fc from 'fast-check';
import { tidyDays } from '../../../ui/dates/days.ts';
import { addressOf, decodeFilters, decodePineVersion } from './filter-address.ts';
import {
  activeFilters,
  defaultFilters,
  filterIds,
  lastReachablePage,
  mapFacets,
  tidyBounds,
  tidyScales,
  withoutFilters,
  type Filters,
} from './filters.ts';

const bound = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0));
const text = (longest: number): fc.Arbitrary<string> =>
  fc.string({ unit: 'grapheme', maxLength: 60 }).map((typed) => typed.trim().slice(0, longest).trim());
const day = fc.option(
  fc
    .date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
);
const days = fc.record({ from: day, to: day }).map(tidyDays);
const filters: fc.Arbitrary<Filters> = fc
  .record({
    search: text(200),
    symbol: text(60),
    pineVersion: fc.option(fc.integer({ min: 0, max: 99 })),
    published: days,
    backtested: days,
    hasPerformance: fc.boolean(),
    hasEnhanced: fc.boolean(),
    scales: fc.dictionary(fc.constantFrom(...facetFields), fc.constantFrom(...scales)).map(tidyScales),
    bounds: fc.array(fc.record({ low: bound, high: bound }), { minLength: 8, maxLength: 8 }),
    sortBy: fc.constantFrom(...sortFields),
    sortOrder: fc.constantFrom('asc' as const, 'desc' as const),
    page: fc.integer({ min: 1, max: lastReachablePage }),
  })
  .map(({ bounds, ...rest }) => ({
    ...rest,
    ranges: mapFacets((field) =>
      tidyBounds(field, bounds[facetFields.indexOf(field)] ?? { low: null, high: null }),
    ),
  }));

const reread = (query: string): Filters => decodeFilters(new URLSearchParams(query));

describe('filters in the address', () => {
  it('come back as they were', () => {
    fc.assert(
      fc.property(filters, (given) => {
        expect(reread(addressOf(given))).toEqual(given);
      }),
      { numRuns: 500 },
    );
  });

  it('settle after one reading, whatever was typed into the address', () => {
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
        const once = addressOf(decodeFilters(new URLSearchParams(given)));
        expect(addressOf(reread(once))).toBe(once);
      }),
      { numRuns: 500 },
    );
  });

  it('are nothing at all by default', () => {
    expect(addressOf(defaultFilters)).toBe('');
    expect(reread('')).toEqual(defaultFilters);
  });

  it('speak the names of the call', () => {
    const query =
      'search=macd&min_total_pandl_percent=50&max_sharpe_ratio=2.5&symbol=BTCUSD&pine_version=v5' +
      '&publication_date_start=2024-01-01&backtesting_date_end=2025-12-31&has_performance=true' +
      '&has_enhanced=true&scales=likes:log,views:linear&sort_by=likes&sort_order=asc&page=3';
    expect(addressOf(reread(query))).toBe(query);
  });

  it('leave out what makes no sense', () => {
    expect(reread('page=0&sort_by=price&min_likes=many&min_views=9&max_views=3')).toEqual(defaultFilters);
    const dates =
      'publication_date_start=2024-02-30&backtesting_date_start=2025-01-02&backtesting_date_end=2025-01-01';
    expect(reread(`pine_version=five&has_performance=yes&${dates}`)).toEqual(defaultFilters);
    expect(reread('scales=likes:cubic,price:log,views:quantile,,:')).toEqual(defaultFilters);
    expect(reread('page=99999').page).toBe(lastReachablePage);
    expect(reread(`search=${'x'.repeat(300)}`).search).toHaveLength(200);
  });
});

describe('tidyBounds', () => {
  it('takes a bound at the unset value for open', () => {
    for (const field of facetFields) {
      const [low, high] = unsetBounds[field];
      expect(tidyBounds(field, { low, high })).toEqual({ low: null, high: null });
    }
  });
});

describe('one address for one choice', () => {
  it.each([
    ['pine_version=5', 'pine_version=v5'],
    ['pine_version=V05', 'pine_version=v5'],
    ['scales=views%3Alog%2Clikes%3Alog', 'scales=likes:log,views:log'],
    ['has_performance=false&min_likes=0&search=+rsi+', 'search=rsi'],
    ['search=a,b%3Ac', 'search=a,b:c'],
  ])('%s reads %s', (typed, address) => {
    expect(addressOf(reread(typed))).toBe(address);
  });
});

describe('a Pine version', () => {
  it.each([
    ['v5', 5],
    [' 4 ', 4],
    ['V12', 12],
    ['v', null],
    ['5.1', null],
    ['v123', null],
    ['', null],
  ])('%p is %p', (typed, version) => {
    expect(decodePineVersion(typed)).toBe(version);
  });
});

describe('filters that are active', () => {
  const everything =
    'search=macd&min_likes=5&max_likes=9&max_views=100&symbol=BTC&pine_version=5&publication_date_end=2024-01-01' +
    '&backtesting_date_start=2024-01-01&has_performance=true&has_enhanced=true';

  it('are what narrows the list, and neither order nor scale', () => {
    expect(activeFilters(reread(`${everything}&sort_by=likes&scales=likes:log&page=2`))).toEqual(
      filterIds.filter(
        (id) => !facetFields.some((field) => field === id) || id === 'likes' || id === 'views',
      ),
    );
    expect(activeFilters(reread('sort_by=likes&scales=likes:log'))).toEqual([]);
  });

  it('leave one by one, and nothing else with them', () => {
    const given = reread(`${everything}&page=3`);
    for (const id of activeFilters(given)) {
      const left = withoutFilters(given, [id]);
      expect(activeFilters(left)).toEqual(activeFilters(given).filter((other) => other !== id));
      expect(left.page).toBe(1);
    }
  });
});
