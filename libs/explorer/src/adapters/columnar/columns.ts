import { facetFields, type FacetField } from '../../contract.ts';
import type { ExplorerRow, SearchHit } from '../../search-port.ts';
import { foldSymbol } from '../../text.ts';
import { dayNumber, dayText } from './days.ts';

export const rowFlag = { performance: 1, enhanced: 2, demo: 4, dead: 8 } as const;

/** Float64 columns: the eight facets first, in the order of `facetFields`. NaN is unknown. */
export const numberColumns = [
  ...facetFields,
  'totalTrades',
  'publicationDate',
  'backtestingStart',
  'backtestingEnd',
] as const;
export type NumberColumn = (typeof numberColumns)[number];

/**
 * The catalogue column by column; a row is a slot, and slots are only ever added. Snapshots share these
 * columns: each sees the slots below its own size, so a slot, once written, never changes.
 * (The flags of a snapshot are its own copy, because a slot dies when its row is replaced.)
 */
export type Columns = Readonly<{
  capacity: number;
  numbers: Readonly<Record<NumberColumn, Float64Array>>;
  /** Version of the strategy's stream. */
  versions: Uint32Array;
  /** −1 is unknown. */
  pineVersions: Int32Array;
  /** Index into `symbols`; 0 is unknown. */
  symbolCodes: Uint32Array;
  symbols: string[];
  symbolIndex: Map<string, number>;
  /** Symbols as they are written. */
  markets: (string | null)[];
  ids: string[];
  titles: string[];
  authors: (string | null)[];
  categories: (readonly string[])[];
  /** One copy of every repeated text and list. */
  texts: Map<string, string>;
  lists: Map<string, readonly string[]>;
}>;

const eachColumn = (make: (name: NumberColumn) => Float64Array): Columns['numbers'] =>
  Object.fromEntries(numberColumns.map((name) => [name, make(name)])) as Record<NumberColumn, Float64Array>;

export const emptyColumns = (capacity: number): Columns => ({
  capacity,
  numbers: eachColumn(() => new Float64Array(capacity)),
  versions: new Uint32Array(capacity),
  pineVersions: new Int32Array(capacity),
  symbolCodes: new Uint32Array(capacity),
  symbols: [''],
  symbolIndex: new Map(),
  markets: [],
  ids: [],
  titles: [],
  authors: [],
  categories: [],
  texts: new Map(),
  lists: new Map(),
});

const grown = <T extends Float64Array | Int32Array | Uint32Array>(from: T, to: T): T => {
  to.set(from);
  return to;
};

/** The same columns with room for `needed` slots; the old ones stay as they are for whoever reads them. */
export const withCapacity = (columns: Columns, needed: number): Columns => {
  if (needed <= columns.capacity) return columns;
  const capacity = Math.max(needed, Math.ceil(columns.capacity * 1.5));
  return {
    ...columns,
    capacity,
    numbers: eachColumn((name) => grown(columns.numbers[name], new Float64Array(capacity))),
    versions: grown(columns.versions, new Uint32Array(capacity)),
    pineVersions: grown(columns.pineVersions, new Int32Array(capacity)),
    symbolCodes: grown(columns.symbolCodes, new Uint32Array(capacity)),
  };
};

/** Unknown is NaN; −0 becomes 0, which sorts and compares as the same number. */
const known = (value: number | null): number => (value === null || value === -Infinity ? NaN : value + 0);

const symbolCode = (columns: Columns, symbol: string | null): number => {
  const folded = symbol === null ? '' : foldSymbol(symbol);
  if (folded === '') return 0;
  const code = columns.symbolIndex.get(folded) ?? columns.symbols.push(folded) - 1;
  columns.symbolIndex.set(folded, code);
  return code;
};

const oneCopy = <T>(copies: Map<string, T>, key: string, value: T): T => {
  const copy = copies.get(key);
  if (copy !== undefined) return copy;
  copies.set(key, value);
  return value;
};

const performance: readonly FacetField[] = [
  'totalPandlPercent',
  'maxDrawdownPercent',
  'profitFactor',
  'sharpeRatio',
];

export const flagsOf = (row: ExplorerRow): number =>
  (performance.some((field) => !Number.isNaN(known(row.figures[field]))) ? rowFlag.performance : 0) |
  (row.enhanced ? rowFlag.enhanced : 0) |
  (row.demo ? rowFlag.demo : 0);

/** Writes the row into a new slot; the columns must have room for it. */
export const writeRow = (columns: Columns, slot: number, row: ExplorerRow): void => {
  const { numbers } = columns;
  for (const field of facetFields) numbers[field][slot] = known(row.figures[field]);
  numbers.totalTrades[slot] = known(row.totalTrades);
  numbers.publicationDate[slot] = dayNumber(row.publicationDate);
  numbers.backtestingStart[slot] = dayNumber(row.backtestingStart);
  numbers.backtestingEnd[slot] = dayNumber(row.backtestingEnd);
  columns.versions[slot] = row.version;
  columns.pineVersions[slot] = row.pineVersion ?? -1;
  columns.symbolCodes[slot] = symbolCode(columns, row.symbol);
  columns.ids[slot] = row.urlId;
  columns.titles[slot] = row.title;
  columns.markets[slot] = row.symbol === null ? null : oneCopy(columns.texts, row.symbol, row.symbol);
  columns.authors[slot] = row.author === null ? null : oneCopy(columns.texts, row.author, row.author);
  columns.categories[slot] = oneCopy(columns.lists, row.categories.join('\n'), row.categories);
};

const valueAt = (column: Float64Array, slot: number): number | null => {
  const value = column[slot] ?? NaN;
  return Number.isNaN(value) ? null : value;
};

export const readHit = (columns: Columns, flags: Uint8Array, slot: number): SearchHit => {
  const { numbers } = columns;
  const flag = flags[slot] ?? 0;
  return {
    urlId: columns.ids[slot] ?? '',
    title: columns.titles[slot] ?? '',
    author: columns.authors[slot] ?? null,
    categories: columns.categories[slot] ?? [],
    symbol: columns.markets[slot] ?? null,
    pineVersion: (columns.pineVersions[slot] ?? -1) < 0 ? null : (columns.pineVersions[slot] ?? null),
    publicationDate: dayText(numbers.publicationDate[slot] ?? NaN),
    backtestingStart: dayText(numbers.backtestingStart[slot] ?? NaN),
    backtestingEnd: dayText(numbers.backtestingEnd[slot] ?? NaN),
    figures: Object.fromEntries(
      facetFields.map((field) => [field, valueAt(numbers[field], slot)]),
    ) as SearchHit['figures'],
    totalTrades: valueAt(numbers.totalTrades, slot),
    enhanced: (flag & rowFlag.enhanced) !== 0,
    demo: (flag & rowFlag.demo) !== 0,
  };
};
