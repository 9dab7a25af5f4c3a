import { setImmediate } from 'node:timers/promises';
import type { SearchHit } from '@tapedeck/search-engine/engine';
import { stringify } from 'csv-stringify/sync';

/** Rows written between two yields to the event loop. */
const rowsPerSlice = 100;

/**
 * One line without control characters. In many locales spreadsheets split cells at semicolons, whatever
 * the quotes say, so what follows one must not begin a formula either.
 */
const line = (text: string | null): string | null =>
  text === null
    ? null
    : text
        .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
        .trim()
        .replaceAll(/;(?=[\s"']{0,9}[=+\-@＝＋－＠])/g, "; '");

type Cell = string | number | null;
type Column = Readonly<{ header: string; cell: (hit: SearchHit, origin: string) => Cell }>;

const columns: readonly Column[] = [
  { header: 'Title', cell: ({ title }) => line(title) },
  { header: 'Author', cell: ({ author }) => line(author) },
  { header: 'Link', cell: ({ urlId }, origin) => `${origin}/strategy/${encodeURIComponent(urlId)}` },
  { header: 'Symbol', cell: ({ symbol }) => line(symbol) },
  { header: 'Pine version', cell: ({ pineVersion }) => pineVersion },
  { header: 'Total P&L %', cell: ({ figures }) => figures.totalPandlPercent },
  { header: 'Max drawdown %', cell: ({ figures }) => figures.maxDrawdownPercent },
  { header: 'Profit factor', cell: ({ figures }) => figures.profitFactor },
  { header: 'Sharpe ratio', cell: ({ figures }) => figures.sharpeRatio },
  { header: 'Likes', cell: ({ figures }) => figures.likes },
  { header: 'Views', cell: ({ figures }) => figures.views },
  { header: 'Comments', cell: ({ figures }) => figures.comments },
  { header: 'Lines of code', cell: ({ figures }) => figures.codeLines },
  { header: 'Total trades', cell: ({ totalTrades }) => totalTrades },
  { header: 'Indicators', cell: ({ categories }) => line(categories.join(', ')) },
  { header: 'Published', cell: ({ publicationDate }) => publicationDate },
  { header: 'Backtested from', cell: ({ backtestingStart }) => backtestingStart },
  { header: 'Backtested to', cell: ({ backtestingEnd }) => backtestingEnd },
];

/**
 * RFC 4180 with CRLF. Texts that a spreadsheet would take for a formula (`= + - @` and their full-width forms)
 * get an apostrophe before them; numbers stay numbers, `Infinity` included; unknown values are empty.
 */
const csv = (rows: readonly (readonly Cell[])[], bom: boolean): string =>
  stringify(
    rows.map((row) => [...row]),
    { record_delimiter: 'windows', escape_formulas: true, bom },
  );

/** The first piece begins with a byte order mark, by which spreadsheets recognise UTF-8, and the header row. */
export async function* strategiesCsv(
  pieces: AsyncIterable<readonly SearchHit[]>,
  origin: string,
): AsyncGenerator<string, void> {
  yield csv([columns.map(({ header }) => header)], true);
  for await (const hits of pieces) {
    for (let from = 0; from < hits.length; from += rowsPerSlice) {
      const rows = hits
        .slice(from, from + rowsPerSlice)
        .map((hit) => columns.map(({ cell }) => cell(hit, origin)));
      yield csv(rows, false);
      await setImmediate();
    }
  }
}
