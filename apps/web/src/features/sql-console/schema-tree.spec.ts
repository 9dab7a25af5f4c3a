import { describe, expect, it } from '@jest/globals';
import { filterTables, shortType } from './schema-tree.ts';

const tables = [
  {
    name: 'strategies',
    columns: [
      { name: 'url_id', type: 'text' },
      { name: 'likes', type: 'integer' },
    ],
  },
  { name: 'strategy_indicators', columns: [{ name: 'url_id', type: 'text' }] },
];

describe('the tree of tables', () => {
  it('shows everything without a filter', () => {
    expect(filterTables(tables, ' ')).toEqual(tables);
  });

  it('shows the columns that fit, and no table without one', () => {
    expect(filterTables(tables, 'LIK')).toEqual([{ name: 'strategies', columns: [tables[0]?.columns[1]] }]);
    expect(filterTables(tables, 'url').map(({ name }) => name)).toEqual([
      'strategies',
      'strategy_indicators',
    ]);
    expect(filterTables(tables, 'nothing')).toEqual([]);
  });

  it('shows all columns of a table whose name fits, and finds columns by their type', () => {
    expect(filterTables(tables, 'indicators')).toEqual([tables[1]]);
    expect(filterTables(tables, 'integer').flatMap(({ columns }) => columns)).toHaveLength(1);
  });

  it('says types briefly', () => {
    expect([shortType('timestamp with time zone'), shortType('text')]).toEqual(['timestamptz', 'text']);
  });
});
