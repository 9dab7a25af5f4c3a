import { describe, expect, it } from '@jest/globals';
import { toSearchFilter } from '@tapedeck/search-engine/engine';
import { ListQuery } from '../contract.ts';
import { searchPageOf } from './strategy-list.ts';

const pathsOf = (parameters: Record<string, unknown>): readonly string[] => {
  const result = ListQuery.safeParse(parameters);
  return result.success ? [] : result.error.issues.map(({ path }) => path.join('.'));
};

describe('the parameters of a list', () => {
  it.each([
    [{ page: '0' }, 'page'],
    [{ page: 'two' }, 'page'],
    [{ limit: '101' }, 'limit'],
    [{ limit: '1.5' }, 'limit'],
    [{ page: '834', limit: '12' }, 'page'],
    [{ sort_by: 'title' }, 'sort_by'],
    [{ sort_order: 'up' }, 'sort_order'],
    [{ page: '101', limit: '100' }, 'page'],
  ])('refuses a wrong parameter by name: %j', (parameters, path) => {
    expect(pathsOf(parameters)).toEqual([path]);
  });

  it('has the defaults of the specification', () => {
    const query = ListQuery.parse({});
    expect(searchPageOf(query)).toEqual({ sort: 'total_pandl', order: 'desc', offset: 0, limit: 20 });
    expect(toSearchFilter(query)).toMatchObject({
      search: '',
      symbol: '',
      hasPerformance: false,
      hasEnhanced: false,
    });
    expect(searchPageOf(ListQuery.parse({ page: '833', limit: '12' })).offset).toBe(9_984);
  });
});
