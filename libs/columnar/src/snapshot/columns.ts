import { facetFields, facets } from '@tapedeck/search-engine/contract';
import type { ExplorerRow, SearchHit } from '@tapedeck/search-engine/port';
import { foldSymbol } from '@tapedeck/search-engine/catalogue';
import { dictionary, growingStrings, type ByteStrings } from './byte-strings.ts';
import { copyTo, sharedFloats, sharedShorts, sharedWords, wordAt } from './typed-arrays.ts';

export const rowFlag = { performance: 1, enhanced: 2, demo: 4 } as const;

const millisPerDay = 86_400_000;

/** Days since 1970-01-01 of `YYYY-MM-DD`; NaN when unknown, as in all columns. */
export const dayNumber = (date: string | null): number =>
  date === null ? NaN : Math.floor(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / millisPerDay);

export const dayText = (day: number): string | null =>
  Number.isNaN(day) ? null : new Date(day * millisPerDay).toISOString().slice(0, 10);

/** Two bytes hold 179 years of days. The oldest prices that strategies are tested on are of 1871. */
const firstCodedDay = dayNumber('1871-01-01');

/** Of a u16 column. */
export const maxCode = 65_535;

/** Code 0 is unknown; all days up to the first coded one share its code, and so do all from the last one on. */
export const dayCode = (day: number): number =>
  Number.isNaN(day) ? 0 : Math.min(maxCode, Math.max(1, day - firstCodedDay + 1));

/** True when no other day has the code of this day. */
export const hasOwnCode = (day: number): boolean => day > firstCodedDay && day - firstCodedDay + 1 < maxCode;

/** Float64 columns: the facets first, in the order of `facetFields`. NaN is unknown. */
export const numberColumns = [
  ...facetFields,
  'publicationDate',
  'backtestingStart',
  'backtestingEnd',
] as const;
export type NumberColumn = (typeof numberColumns)[number];

/** A text per row, for columns with few different texts. */
export type CodedTexts = Readonly<{ codes: Uint32Array; texts: ByteStrings }>;

/**
 * The catalogue column by column, in memory that all threads can read. A row is a slot; slots are only added, and a
 * slot never changes once it is written. Snapshots share these columns: each uses the slots below its own size.
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
  /** As given. */
  symbols: CodedTexts;
  /** By symbol code. */
  foldedSymbols: ByteStrings;
  /** Lists of labels as JSON. */
  categories: CodedTexts;
}>;

/** The part of a row that the columns store; the rest is in the text index. */
export type ColumnRow = SearchHit & Pick<ExplorerRow, 'version'>;

/** The columns, and what only their writer needs. */
export type RowStore = Readonly<{
  /** Stores the row in a new slot. */
  add: (row: ColumnRow) => number;
  size: () => number;
  /** The version of the strategy's stream that produced the slot's row. */
  versionAt: (slot: number) => number;
  view: () => Columns;
}>;

/** Unknown and −Infinity become NaN. Adding 0 turns −0 into 0, so that both compare as the same number. */
const columnValue = (value: number | null): number =>
  value === null || value === -Infinity ? NaN : value + 0;

const performanceFields = facetFields.filter((field) => facets[field].group === 'performance');

const flagsOf = (row: ColumnRow): number =>
  (performanceFields.some((field) => !Number.isNaN(columnValue(row.figures[field])))
    ? rowFlag.performance
    : 0) |
  (row.enhanced ? rowFlag.enhanced : 0) |
  (row.demo ? rowFlag.demo : 0);

/** 0 is unknown. The fraction of a version is ignored. */
export const pineCode = (version: number | null): number =>
  version === null || version < 0 ? 0 : Math.min(maxCode, Math.trunc(version) + 1);

const eachNumberColumn = (make: (name: NumberColumn) => Float64Array): Columns['numbers'] =>
  Object.fromEntries(numberColumns.map((name) => [name, make(name)])) as Record<NumberColumn, Float64Array>;

type FixedColumns = Readonly<
  Pick<Columns, 'numbers' | 'pineVersions' | 'flags'> &
    Record<'versions' | 'authors' | 'symbols' | 'categories', Uint32Array>
>;

const emptyColumns = (capacity: number): FixedColumns => ({
  numbers: eachNumberColumn(() => sharedFloats(capacity)),
  pineVersions: sharedShorts(capacity),
  flags: sharedShorts(capacity),
  versions: sharedWords(capacity),
  authors: sharedWords(capacity),
  symbols: sharedWords(capacity),
  categories: sharedWords(capacity),
});

const grown = (from: FixedColumns, capacity: number): FixedColumns => {
  const to = emptyColumns(capacity);
  return {
    numbers: eachNumberColumn((name) => copyTo(from.numbers[name], to.numbers[name])),
    pineVersions: copyTo(from.pineVersions, to.pineVersions),
    flags: copyTo(from.flags, to.flags),
    versions: copyTo(from.versions, to.versions),
    authors: copyTo(from.authors, to.authors),
    symbols: copyTo(from.symbols, to.symbols),
    categories: copyTo(from.categories, to.categories),
  };
};

/** Bytes per text that are reserved from the start. */
const typicalIdBytes = 8;
const typicalTitleBytes = 40;

export const rowStore = (expectedRows: number): RowStore => {
  let capacity = Math.max(16, expectedRows);
  let columns = emptyColumns(capacity);
  let size = 0;
  const ids = growingStrings(capacity, typicalIdBytes);
  const titles = growingStrings(capacity, typicalTitleBytes);
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
        columns = grown(columns, capacity);
      }
      const { numbers } = columns;
      for (const field of facetFields) numbers[field][size] = columnValue(row.figures[field]);
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
