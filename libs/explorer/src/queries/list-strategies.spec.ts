import { describe, expect, it } from '@jest/globals';
import { ListQuery } from '../contract.ts';
import { toSearchQuery } from './list-strategies.ts';

const pathsOf = (parameters: Record<string, unknown>): readonly string[] => {
  const result = ListQuery.safeParse(parameters);
  return result.success ? [] : result.error.issues.map(({ path }) => path.join('.'));
};

describe('toSearchQuery', () => {
  it.each([
    [{ page: '0' }, 'page'],
    [{ page: 'two' }, 'page'],
    [{ limit: '101' }, 'limit'],
    [{ limit: '1.5' }, 'limit'],
    [{ page: '834', limit: '12' }, 'page'],
    [{ sort_by: 'title' }, 'sort_by'],
    [{ sort_order: 'up' }, 'sort_order'],
    [{ page: '834', limit: '12' }, 'page'],
  ])('refuses a wrong parameter by name: %j', (parameters, path) => {
    expect(pathsOf(parameters)).toEqual([path]);
  });

  it('has the defaults of the specification', () => {
    const { filter, page } = toSearchQuery(ListQuery.parse({}));
    expect(page).toEqual({ sort: 'total_pandl', order: 'desc', offset: 0, limit: 20 });
    expect(filter).toMatchObject({ search: '', symbol: '', hasPerformance: false, hasEnhanced: false });
    expect(toSearchQuery(ListQuery.parse({ page: '833', limit: '12' })).page.offset).toBe(9_984);
  });
});
