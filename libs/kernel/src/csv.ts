export type CsvCell = string | number | null;

/** By these a spreadsheet recognises a formula; also in their full-width forms. */
const formula = /^[=+\-@＝＋－＠\t\r]/;
/** In many locales spreadsheets split cells at semicolons, whatever the quotes say. */
const formulaAfterSemicolon = /;(?=[\s"']{0,9}[=+\-@＝＋－＠])/g;
const negativeNumber = /^-\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

const withoutFormula = (text: string): string => {
  const split = text.replaceAll(formulaAfterSemicolon, "; '");
  return formula.test(text) && !negativeNumber.test(text) ? `'${split}` : split;
};

const cellText = (cell: CsvCell): string => {
  if (cell === null) return '';
  const text = typeof cell === 'number' ? String(cell) : withoutFormula(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/**
 * RFC 4180 with CRLF, of the server and of the browser. Texts that a spreadsheet would take for a formula get an apostrophe
 * before them; numbers stay numbers, `Infinity` included; unknown values are empty. With `bom` it begins with the byte order
 * mark by which spreadsheets recognise UTF-8.
 *
 * @example
 * csvText([['=1+1', -1, null]], false); // "'=1+1,-1,\r\n"
 */
export const csvText = (rows: readonly (readonly CsvCell[])[], bom: boolean): string =>
  (bom ? '\ufeff' : '') + rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('');

/** One line without control characters. */
export const csvLine = (text: string | null): string | null =>
  text === null ? null : text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
