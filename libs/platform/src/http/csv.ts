import { stringify } from 'csv-stringify/sync';

/**
 * One line without control characters. In many locales spreadsheets split cells at semicolons, whatever
 * the quotes say, so what follows one must not begin a formula either.
 */
export const csvLine = (text: string | null): string | null =>
  text === null
    ? null
    : text
        .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
        .trim()
        .replaceAll(/;(?=[\s"']{0,9}[=+\-@＝＋－＠])/g, "; '");

export type CsvCell = string | number | null;

/**
 * RFC 4180 with CRLF. Texts that a spreadsheet would take for a formula (`= + - @` and their full-width forms)
 * get an apostrophe before them; numbers stay numbers, `Infinity` included; unknown values are empty. Texts
 * of people go through `csvLine` first. With `bom` it begins with the byte order mark by which spreadsheets recognise UTF-8.
 */
export const csvText = (rows: readonly (readonly CsvCell[])[], bom: boolean): string =>
  stringify(
    rows.map((row) => [...row]),
    { record_delimiter: 'windows', escape_formulas: true, bom },
  );
