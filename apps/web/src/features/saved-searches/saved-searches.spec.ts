import { describe, expect, it } from '@jest/globals';
import { maxSearchNameLength, type SavedSearch } from '@tapedeck/saved-searches/contract';
import { findSaved, suggestedName, totalNewMatches } from './saved-searches.ts';

const search = (id: string, query: string, newMatches: number | null = 0): SavedSearch => ({
  id,
  name: id,
  query,
  savedAt: '2026-01-01T00:00:00.000Z',
  newMatches,
});

describe('suggestedName', () => {
  it('shortens a long name at a word', () => {
    expect(suggestedName({ name: 'macd' })).toBe('macd');
    const long = suggestedName({ name: 'long '.repeat(30).trim() });
    expect(long.length).toBeLessThanOrEqual(maxSearchNameLength);
    expect(long).toMatch(/\S…$/);
  });
});

describe('findSaved', () => {
  const searches = [search('calm', 'pine_version=5'), search('all', '')];
  const describeUpperCase = (address: string) => ({ address: address.toUpperCase(), text: '', name: '' });

  it('finds a search by the address of its description', () => {
    expect(findSaved(searches, { address: 'PINE_VERSION=5' }, describeUpperCase)?.id).toBe('calm');
    expect(findSaved(searches, { address: '' }, describeUpperCase)?.id).toBe('all');
    expect(findSaved(searches, { address: 'SEARCH=MACD' }, describeUpperCase)).toBeUndefined();
  });
});

describe('totalNewMatches', () => {
  it('adds the new matches of all searches, unknown ones as 0', () => {
    expect(totalNewMatches([search('a', '', 3), search('b', '', null), search('c', '', 2)])).toBe(5);
  });
});
