import { describe, expect, it } from '@jest/globals';
import { toCsv } from './csv.ts';

describe('a result as CSV', () => {
  it('quotes what separates cells and lines, and writes NULL as an empty cell', () => {
    const rows = [
      ['a,b', 'say "hi"', null],
      ['two\nlines', '', 'x'],
    ];
    expect(toCsv({ columns: ['a', 'b', 'c'], rows })).toBe(
      'a,b,c\r\n"a,b","say ""hi""",\r\n"two\nlines",,x\r\n',
    );
  });

  it('contains no formula, and leaves numbers as they are', () => {
    const rows = [['=1+1', '+1 day', '@x', '-1.5', '-x']];
    expect(toCsv({ columns: ['a', 'b', 'c', 'd', 'e'], rows })).toBe(
      "a,b,c,d,e\r\n'=1+1,'+1 day,'@x,-1.5,'-x\r\n",
    );
  });
});
