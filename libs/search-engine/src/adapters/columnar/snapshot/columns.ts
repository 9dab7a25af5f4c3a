import { facetFields, type FacetField } from '../../../contract.ts';
import type { ExplorerRow, SearchHit } from '../../../search-port.ts';
import { foldSymbol } from '../../../catalogue/text.ts';
import { dictionary, growingStrings, type ByteStrings } from './byte-strings.ts';
import { dayNumber } from './days.ts';
import { moved, sharedFloats, sharedShorts, sharedWords, wordAt } from './typed-arrays.ts';

export const rowFlag = { performance: 1, enhanced: 2, demo: 4 } as const;

/** Float64 columns: the eight facets first, in the order of `facetFields`. NaN is unknown. */
export const numberColumns = [
  ...facetFields,
  'totalTrades',
  'publicationDate',
  'backtestingStart',
  'backtestingEnd',
] as const;
export type NumberColumn = (typeof numberColumns)[number];

/** A text per row out of few different ones. */
export type CodedTexts = Readonly<{ codes: Uint32Array; texts: ByteStrings }>;

/**
 * The catalogue column by column, in memory that all threads read; a row is a slot, and slots are only ever
 * added. Snapshots share these columns: each sees the slots below its own size, and a slot, once written, never
 * changes.
 */
export type Columns = Readonly<{
  numbers: Readonly<Record<NumberColumn, Float64Array>>;
  /** 0 is unknown, else the version plus one. */
  pineVersions: Uint16Array;
  /** Bits of `rowFlag`. */
  flags: Uint16Array;
  ids: ByteStrings;
  titles: ByteStrings;
  authors: CodedTexts;
  /** As they are written. */
  symbols: CodedTexts;
  /** By symbol code. */
  foldedSymbols: ByteStrings;
  /** Lists of labels as JSON. */
  categories: CodedTexts;
}>;

/** What the columns keep of a row; the rest is in the text index. */
export type KeptRow = SearchHit & Pick<ExplorerRow, 'version'>;

/** The columns and what only their writer knows. */
export type RowStore = Readonly<{
  /** Gives the row a new slot. */
  add: (row: KeptRow) => number;
  size: () => number;
  /** Version of the strategy's stream that made the slot's row. */
  versionAt: (slot: number) => number;
  view: () => Columns;
}>;

/** Unknown is NaN; −0 becomes 0, which sorts and compares as the same number. */
const known = (value: number | null): number => (value === null || value === -Infinity ? NaN : value + 0);

const performance: readonly FacetField[] = [
  'totalPandlPercent',
  'maxDrawdownPercent',
  'profitFactor',
  'sharpeRatio',
];

const flagsOf = (row: KeptRow): number =>
  (performance.some((field) => !Number.isNaN(known(row.figures[field]))) ? rowFlag.performance : 0) |
  (row.enhanced ? rowFlag.enhanced : 0) |
  (row.demo ? rowFlag.demo : 0);

const highestCode = 65_535;

/** Of a version that is no whole number only the whole part counts. */
export const pineCode = (version: number | null): number =>
  version === null || version < 0 ? 0 : Math.min(highestCode, Math.trunc(version) + 1);

const eachNumber = (make: (name: NumberColumn) => Float64Array): Columns['numbers'] =>
  Object.fromEntries(numberColumns.map((name) => [name, make(name)])) as Record<NumberColumn, Float64Array>;

type FixedColumns = Readonly<
  Pick<Columns, 'numbers' | 'pineVersions' | 'flags'> &
    Record<'versions' | 'authors' | 'symbols' | 'categories', Uint32Array>
>;

const emptyColumns = (capacity: number): FixedColumns => ({
  numbers: eachNumber(() => sharedFloats(capacity)),
  pineVersions: sharedShorts(capacity),
  flags: sharedShorts(capacity),
  versions: sharedWords(capacity),
  authors: sharedWords(capacity),
  symbols: sharedWords(capacity),
  categories: sharedWords(capacity),
});

const widened = (from: FixedColumns, capacity: number): FixedColumns => {
  const to = emptyColumns(capacity);
  return {
    numbers: eachNumber((name) => moved(from.numbers[name], to.numbers[name])),
    pineVersions: moved(from.pineVersions, to.pineVersions),
    flags: moved(from.flags, to.flags),
    versions: moved(from.versions, to.versions),
    authors: moved(from.authors, to.authors),
    symbols: moved(from.symbols, to.symbols),
    categories: moved(from.categories, to.categories),
  };
};

/** Bytes for which there is room from the start. */
const usualId = 8;
const usualTitle = 40;

export const rowStore = (expectedRows: number): RowStore => {
  let capacity = Math.max(16, expectedRows);
  let columns = emptyColumns(capacity);
  let size = 0;
  const ids = growingStrings(capacity, usualId);
  const titles = growingStrings(capacity, usualTitle);
  const authors = dictionary();
  const symbols = dictionary();
  const categories = dictionary();
  const foldedSymbols = growingStrings(64, 16);
  foldedSymbols.add('');

  const symbolCode = (symbol: string | null): number => {
    const code = symbols.codeOf(symbol);
    if (symbol !== null && code === foldedSymbols.count()) foldedSymbols.add(foldSymbol(symbol));
    return code;
  };

  return {
    add: (row) => {
      if (size === capacity) {
        capacity = Math.ceil(capacity * 1.5);
        columns = widened(columns, capacity);
      }
      const { numbers } = columns;
      for (const field of facetFields) numbers[field][size] = known(row.figures[field]);
      numbers.totalTrades[size] = known(row.totalTrades);
      numbers.publicationDate[size] = dayNumber(row.publicationDate);
      numbers.backtestingStart[size] = dayNumber(row.backtestingStart);
      numbers.backtestingEnd[size] = dayNumber(row.backtestingEnd);
      columns.versions[size] = row.version;
      columns.pineVersions[size] = pineCode(row.pineVersion);
      columns.flags[size] = flagsOf(row);
      columns.authors[size] = authors.codeOf(row.author);
      columns.symbols[size] = symbolCode(row.symbol);
      columns.categories[size] = categories.codeOf(JSON.stringify(row.categories));
      ids.add(row.urlId);
      titles.add(row.title);
      return size++;
    },
    size: () => size,
    versionAt: (slot) => wordAt(columns.versions, slot),
    view: () => ({
      numbers: columns.numbers,
      pineVersions: columns.pineVersions,
      flags: columns.flags,
      ids: ids.view(),
      titles: titles.view(),
      authors: { codes: columns.authors, texts: authors.view() },
      symbols: { codes: columns.symbols, texts: symbols.view() },
      foldedSymbols: foldedSymbols.view(),
      categories: { codes: columns.categories, texts: categories.view() },
    }),
  };
};
