import { describe, expect, it } from '@jest/globals';
import { facetFields, sortFields, unsetBounds } from '@tapedeck/explorer/contract';
import fc from 'fast-check';
import {
  activeCount,
  decodeFilters,
  defaultFilters,
  encodeFilters,
  lastReachablePage,
  mapFacets,
  tidyBounds,
  type Filters,
} from './filters.ts';

const bound = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0));
const filters: fc.Arbitrary<Filters> = fc
  .record({
    search: fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.trim().slice(0, 200).trim()),
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
        expect(reread(encodeFilters(given).toString())).toEqual(given);
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
        'x',
      ),
      fc.oneof(
        fc.string(),
        fc.double().map(String),
        fc.constantFrom('-0', 'NaN', 'Infinity', '1e999', '0x1f'),
      ),
    );
    fc.assert(
      fc.property(query, (given) => {
        const once = encodeFilters(decodeFilters(new URLSearchParams(given))).toString();
        expect(encodeFilters(reread(once)).toString()).toBe(once);
      }),
      { numRuns: 500 },
    );
  });

  it('are nothing at all by default', () => {
    expect(encodeFilters(defaultFilters).toString()).toBe('');
    expect(reread('')).toEqual(defaultFilters);
  });

  it('speak the names of the call', () => {
    const query =
      'search=macd&min_total_pandl_percent=50&max_sharpe_ratio=2.5&sort_by=likes&sort_order=asc&page=3';
    expect(encodeFilters(reread(query)).toString()).toBe(query);
  });

  it('leave out what makes no sense', () => {
    expect(reread('page=0&sort_by=price&min_likes=many&min_views=9&max_views=3')).toEqual(defaultFilters);
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

describe('activeCount', () => {
  it('counts ranges and the search', () => {
    expect(activeCount(reread('search=macd&min_likes=5&max_likes=9&max_views=100&sort_by=likes'))).toBe(3);
  });
});
