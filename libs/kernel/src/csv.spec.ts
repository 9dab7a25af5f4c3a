import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvLine, csvText, type CsvCell } from './csv.ts';
import { readCsv } from './testing/read-csv.ts';

const cellOf = (cell: CsvCell): string | undefined => readCsv(csvText([[cell]], false))[0]?.[0];

describe('csvText', () => {
  it('quotes what separates cells and lines, and writes null as an empty cell', () => {
    const rows = [
      ['a', 'b', 'c'],
      ['a,b', 'say "hi"', null],
      ['two\nlines', '', 'x'],
    ];
    expect(csvText(rows, false)).toBe('a,b,c\r\n"a,b","say ""hi""",\r\n"two\nlines",,x\r\n');
  });

  it('begins with a byte order mark on request', () => {
    expect(csvText([['é']], true)).toBe('\ufeffé\r\n');
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+1 day', "'+1 day"],
    ['@x', "'@x"],
    ['-x', "'-x"],
    ['-1+1', "'-1+1"],
    ['-Infinity', "'-Infinity"],
    ['＝1', "'＝1"],
    ['\t=1', "'\t=1"],
    ['a;=1', "a; '=1"],
    ['a;"=1"', `a; '"=1"`],
    ['=1;-2', "'=1; '-2"],
    ['a − b = c', 'a − b = c'],
  ])('writes the text %j as %j', (text, cell) => {
    expect(cellOf(text)).toBe(cell);
  });

  it.each([
    ['-1.5', '-1.5'],
    ['-6e-05', '-6e-05'],
    [-1.5, '-1.5'],
    [Infinity, 'Infinity'],
    [1e21, '1e+21'],
  ])('leaves the number %j as it is', (number, cell) => {
    expect(cellOf(number)).toBe(cell);
  });

  it('is read back cell by cell, and no cell begins a formula', () => {
    const text = fc.string({ unit: fc.constantFrom(...'=+-@;,"\r\n\t\'1a ＝') });
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 4 }), { minLength: 1 }), (rows) => {
        const read = readCsv(csvText(rows, false));
        expect(read.map((row) => row.length)).toEqual(rows.map((row) => row.length));
        for (const cell of read.flat())
          expect(cell).not.toMatch(/^(?:[=+@＝\t\r]|-(?!\d+$))|;[\s"]{0,9}[=+\-@＝]/);
      }),
    );
  });
});

describe('csvLine', () => {
  it.each([
    ['a\r\n b\u2028c\u0000', 'a b c'],
    ['\t=1', '=1'],
    [null, null],
  ])('makes one line of %j: %j', (text, line) => {
    expect(csvLine(text)).toBe(line);
  });
});
