import { facetFields, facets, sorts, type SortField } from '../../contract.ts';
import type { ExplorerRow, NumberRange, SearchFilter, SearchHit } from '../../search-port.ts';
import { cutWords, foldedSymbol } from './words.ts';

/** A row, with its words and symbol folded. */
export type Prepared = Readonly<{ row: ExplorerRow; words: readonly string[]; symbol: string }>;

const prepared = (row: ExplorerRow): Prepared => ({
  row,
  words: [
    ...new Set(
      cutWords([row.title, row.author, row.description, ...row.categories, ...row.spellings].join(' \n ')),
    ),
  ],
  symbol: row.symbol === null ? '' : foldedSymbol(row.symbol),
});

const preparedRows = new WeakMap<ExplorerRow, Prepared>();

export const prepare = (row: ExplorerRow): Prepared => {
  const found = preparedRows.get(row) ?? prepared(row);
  preparedRows.set(row, found);
  return found;
};

export const isActive = ({ low, high }: NumberRange): boolean => low !== -Infinity || high !== Infinity;

export const inRange = (value: number | null, { low, high }: NumberRange): boolean =>
  value !== null && value >= low && value <= high;

const insideDays = (date: string | null, from: string | null, to: string | null): boolean => {
  if (from === null && to === null) return true;
  if (date === null) return false;
  return (from === null || date >= from) && (to === null || date <= to);
};

export const hasWords = ({ words }: Prepared, searched: readonly string[]): boolean =>
  searched.every((word) => words.some((own) => own.startsWith(word)));

const hasSymbol = (symbol: string, wanted: string): boolean =>
  wanted === '' || (symbol !== '' && symbol.startsWith(wanted));

const performanceFields = facetFields.filter((field) => facets[field].group === 'performance');

/** All filters but the words and the ranges. */
export const passesAttributes = (filter: SearchFilter): ((one: Prepared) => boolean) => {
  const wanted = foldedSymbol(filter.symbol);
  return ({ row, symbol }) => {
    const figures = performanceFields.map((field) => row.figures[field]);
    if (!hasSymbol(symbol, wanted)) return false;
    if (filter.among && !filter.among.includes(row.urlId)) return false;
    if (filter.pineVersion !== null && row.pineVersion !== filter.pineVersion) return false;
    if (filter.hasPerformance && figures.every((figure) => figure === null)) return false;
    if (filter.hasEnhanced && !row.enhanced) return false;
    if (!insideDays(row.publicationDate, filter.published.from, filter.published.to)) return false;
    if (!insideDays(row.backtestingStart, filter.backtested.from, null)) return false;
    return insideDays(row.backtestingEnd, null, filter.backtested.to);
  };
};

const sortValue = ({ figures, publicationDate }: ExplorerRow, sort: SortField): number | null => {
  const { column } = sorts[sort];
  if (column !== 'publicationDate') return figures[column];
  return publicationDate === null ? null : Date.parse(publicationDate);
};

export const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Unknown comes last in both directions, equal values are in byte order of their ids. */
export const sorted = (
  rows: readonly ExplorerRow[],
  sort: SortField,
  order: 'asc' | 'desc',
): readonly ExplorerRow[] =>
  [...rows].sort((a, b) => {
    const [x, y] = [sortValue(a, sort), sortValue(b, sort)];
    if (x === null || y === null)
      return Number(x === null) - Number(y === null) || compareBytes(a.urlId, b.urlId);
    if (x === y) return compareBytes(a.urlId, b.urlId);
    return (x < y ? -1 : 1) * (order === 'asc' ? 1 : -1);
  });

export const hitOf = ({ version: _v, description: _d, spellings: _o, ...hit }: ExplorerRow): SearchHit => ({
  ...hit,
  figures: Object.fromEntries(
    facetFields.map((field) => [field, hit.figures[field] === 0 ? 0 : hit.figures[field]]),
  ) as SearchHit['figures'],
});
