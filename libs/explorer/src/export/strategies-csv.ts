import { setImmediate } from 'node:timers/promises';
import { csvLine, csvText, type CsvCell } from '@tapedeck/kernel';
import { facetFields, facets } from '@tapedeck/search-engine/contract';
import type { SearchHit } from '@tapedeck/search-engine/engine';

/** Rows written between two yields to the event loop. */
const rowsPerSlice = 100;

type Column = Readonly<{ header: string; cell: (hit: SearchHit, origin: string) => CsvCell }>;

const columns: readonly Column[] = [
  { header: 'Title', cell: ({ title }) => csvLine(title) },
  { header: 'Author', cell: ({ author }) => csvLine(author) },
  { header: 'Link', cell: ({ urlId }, origin) => `${origin}/strategy/${encodeURIComponent(urlId)}` },
  { header: 'Symbol', cell: ({ symbol }) => csvLine(symbol) },
  { header: 'Pine version', cell: ({ pineVersion }) => pineVersion },
  ...facetFields.map((field) => ({
    header: facets[field].csv,
    cell: ({ figures }: SearchHit) => figures[field],
  })),
  { header: 'Indicators', cell: ({ categories }) => csvLine(categories.join(', ')) },
  { header: 'Published', cell: ({ publicationDate }) => publicationDate },
  { header: 'Backtested from', cell: ({ backtestingStart }) => backtestingStart },
  { header: 'Backtested to', cell: ({ backtestingEnd }) => backtestingEnd },
];

/** The first piece begins with a byte order mark, by which spreadsheets recognise UTF-8, and the header row. */
export async function* strategiesCsv(
  pieces: AsyncIterable<readonly SearchHit[]>,
  origin: string,
): AsyncGenerator<string, void> {
  yield csvText([columns.map(({ header }) => header)], true);
  for await (const hits of pieces) {
    for (let from = 0; from < hits.length; from += rowsPerSlice) {
      const rows = hits
        .slice(from, from + rowsPerSlice)
        .map((hit) => columns.map(({ cell }) => cell(hit, origin)));
      yield csvText(rows, false);
      await setImmediate();
    }
  }
}
