import { csvLine, csvText, type CsvCell } from '@tapedeck/kernel';
import type { Favourite } from './contract.ts';

type Column = Readonly<{ header: string; cell: (favourite: Favourite, origin: string) => CsvCell }>;

/** Numeric text of the wire; `Infinity` stays a word. */
const number = (text: string | null | undefined): CsvCell => (text == null ? null : Number(text));

const columns: readonly Column[] = [
  { header: 'Title', cell: ({ strategy }) => csvLine(strategy?.title ?? null) },
  { header: 'Author', cell: ({ strategy }) => csvLine(strategy?.author ?? null) },
  { header: 'Link', cell: ({ urlId }, origin) => `${origin}/strategy/${encodeURIComponent(urlId)}` },
  { header: 'Tags', cell: ({ tags }) => csvLine(tags.join(', ')) },
  { header: 'Added', cell: ({ addedAt }) => addedAt.slice(0, 10) },
  { header: 'Total P&L %', cell: ({ strategy }) => number(strategy?.total_pandl_percent) },
  { header: 'Max drawdown %', cell: ({ strategy }) => number(strategy?.max_drawdown_percent) },
  { header: 'Profit factor', cell: ({ strategy }) => number(strategy?.profit_factor_numeric) },
  { header: 'Sharpe ratio', cell: ({ strategy }) => number(strategy?.sharpe_ratio_numeric) },
  { header: 'Total trades', cell: ({ strategy }) => number(strategy?.total_trades) },
  { header: 'Likes', cell: ({ strategy }) => strategy?.likes ?? null },
  { header: 'Views', cell: ({ strategy }) => strategy?.views ?? null },
];

/** With the byte order mark by which spreadsheets recognise UTF-8. */
export const favouritesCsv = (favourites: readonly Favourite[], origin: string): string =>
  csvText(
    [
      columns.map(({ header }) => header),
      ...favourites.map((favourite) => columns.map(({ cell }) => cell(favourite, origin))),
    ],
    true,
  );
