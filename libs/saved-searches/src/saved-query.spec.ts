import { describe, expect, it } from '@jest/globals';
import { canonicalQuery, filterOfSaved } from './saved-query.ts';

describe('canonicalQuery', () => {
  it.each([
    ['', ''],
    ['?page=3&limit=12&utm_source=x&__proto__=1', ''],
    ['sort_order=asc&search=%20macd%20rsi%20&symbol=BTC', 'search=macd+rsi&symbol=BTC&sort_order=asc'],
    [
      'min_likes=0&max_likes=999999&min_views=010&max_max_drawdown_percent=1e1',
      'max_max_drawdown_percent=10&min_views=10',
    ],
    ['has_performance=true&has_enhanced=false&pine_version=v5', 'pine_version=v5&has_performance=true'],
    ['sort_by=total_pandl&sort_order=desc', ''],
    ['scales=likes:log,views:quantile', 'scales=likes%3Alog'],
    ['search=a&search=b&min_likes=', 'search=a'],
    ['search=%E2%82%BF%20%26%3D', 'search=%E2%82%BF+%26%3D'],
  ])('turns %s into %s, and leaves that unchanged', (text, canonical) => {
    expect(canonicalQuery(text)).toBe(canonical);
    expect(canonicalQuery(canonical)).toBe(canonical);
  });

  it.each([
    ['min_likes=many', 'INVALID_SEARCH', /min_likes: must be a number/],
    ['sort_by=luck', 'INVALID_SEARCH', /sort_by/],
    ['publication_date_start=yesterday', 'INVALID_SEARCH', /publication_date_start/],
    ['scales=likes:cubic', 'INVALID_SEARCH', /scales.*likes:cubic/],
    ['min_likes=9&max_likes=3', 'RANGE_REVERSED', /min_likes/],
  ])('refuses %s', (text, code, words) => {
    expect(() => canonicalQuery(text)).toThrow(words);
    expect(() => canonicalQuery(text)).toThrow(expect.objectContaining({ code }));
  });

  it('has a filter, or none when its parameters are no longer valid', () => {
    expect(filterOfSaved('search=macd&min_likes=5')).toMatchObject({
      search: 'macd',
      ranges: { likes: { low: 5, high: Infinity } },
    });
    expect(filterOfSaved('min_likes=many')).toBeNull();
    expect(filterOfSaved('min_likes=9&max_likes=3')).toBeNull();
  });
});
