import { describe, expect, it } from '@jest/globals';
import { maxSearchNameLength, type SavedSearch } from '@tapedeck/saved-searches/contract';
import { decodeFilters } from '../explorer/filter-state/filter-address.ts';
import { newMatchesOf, savedAs, searchWords, suggestedName } from './saved-searches.ts';

const filters = (query: string) => decodeFilters(new URLSearchParams(query));
const search = (id: string, query: string, newMatches: number | null = 0): SavedSearch => ({
  id,
  name: id,
  query,
  savedAt: '2026-01-01T00:00:00.000Z',
  newMatches,
});

describe('a saved search in words', () => {
  it('says its filters and an order other than the usual', () => {
    expect(searchWords(filters('search=macd&max_max_drawdown_percent=20&pine_version=5&sort_by=likes'))).toBe(
      '“macd” · Max drawdown ≤ 20\u00a0% · Pine v5 · by Likes, descending',
    );
    expect(searchWords(filters(''))).toBe('All strategies');
    expect(searchWords(filters('sort_order=asc'))).toBe('All strategies · by Total P&L, ascending');
  });

  it('suggests a name that may be kept as it is', () => {
    expect(suggestedName(filters('search=macd&max_max_drawdown_percent=20'))).toBe(
      'macd, Max drawdown ≤ 20 %',
    );
    expect(suggestedName(filters(''))).toBe('All strategies');
    const long = suggestedName(filters(`search=${'long '.repeat(30)}`));
    expect(long.length).toBeLessThanOrEqual(maxSearchNameLength);
    expect(long).toMatch(/\S…$/);
  });
});

describe('the saved search that is on the screen', () => {
  const searches = [search('calm', 'max_max_drawdown_percent=20&pine_version=v5'), search('all', '')];

  it('is known by what it asks, not by how that is written or which page is open', () => {
    expect(savedAs(searches, filters('page=4&pine_version=5&max_max_drawdown_percent=20.0'))?.id).toBe(
      'calm',
    );
    expect(savedAs(searches, filters('page=2'))?.id).toBe('all');
    expect(savedAs(searches, filters('search=macd'))).toBeUndefined();
  });
});

describe('new matches', () => {
  it('are counted together, unknown ones as none', () => {
    expect(newMatchesOf([search('a', '', 3), search('b', '', null), search('c', '', 2)])).toBe(5);
  });
});
