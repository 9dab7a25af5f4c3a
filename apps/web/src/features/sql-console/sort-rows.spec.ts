import { describe, expect, it } from '@jest/globals';
import { sortRows } from './sort-rows.ts';

describe('the rows of a result', () => {
  it('are sorted by number where both are numbers, with NULL last in both directions', () => {
    const rows = [['10'], [null], ['9'], ['-1.5'], ['1e3']];
    expect(sortRows(rows, { column: 0, isDescending: false }).flat()).toEqual([
      '-1.5',
      '9',
      '10',
      '1e3',
      null,
    ]);
    expect(sortRows(rows, { column: 0, isDescending: true }).flat()).toEqual([
      '1e3',
      '10',
      '9',
      '-1.5',
      null,
    ]);
  });
});
