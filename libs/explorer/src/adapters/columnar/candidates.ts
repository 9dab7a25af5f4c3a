import type { DayRange, SearchFilter } from '../../search-port.ts';
import { foldSymbol } from '../../text.ts';
import { slotOf } from './apply.ts';
import { rowFlag } from './columns.ts';
import { dayNumber } from './days.ts';
import { excludedRow } from './kernel.ts';
import type { Snapshot } from './snapshot.ts';
import { countWords, queryWords } from './text-index.ts';
import { byteAt, floatAt, wordAt } from './typed-arrays.ts';

/** Excludes slots whose value lies outside; unknown values do, whenever a bound is set. */
const excludeOutside = (
  values: Float64Array,
  low: number,
  high: number,
  base: Uint8Array,
  size: number,
): void => {
  if (low === -Infinity && high === Infinity) return;
  for (let slot = 0; slot < size; slot++) {
    const value = floatAt(values, slot);
    if (!(value >= low && value <= high)) base[slot] = excludedRow;
  }
};

const fromDay = (day: string | null): number => (day === null ? -Infinity : dayNumber(day));
const toDay = (day: string | null): number => (day === null ? Infinity : dayNumber(day));

const excludeDays = (
  snapshot: Snapshot,
  published: DayRange,
  backtested: DayRange,
  base: Uint8Array,
): void => {
  const { columns, size } = snapshot;
  const { publicationDate, backtestingStart, backtestingEnd } = columns.numbers;
  excludeOutside(publicationDate, fromDay(published.from), toDay(published.to), base, size);
  excludeOutside(backtestingStart, fromDay(backtested.from), Infinity, base, size);
  excludeOutside(backtestingEnd, -Infinity, toDay(backtested.to), base, size);
};

const excludeSymbols = ({ columns, size }: Snapshot, symbol: string, base: Uint8Array): void => {
  const prefix = foldSymbol(symbol);
  if (prefix === '') return;
  const wanted = Uint8Array.from(columns.symbols, (text) => (text.startsWith(prefix) ? 1 : 0));
  for (let slot = 0; slot < size; slot++) {
    if (byteAt(wanted, wordAt(columns.symbolCodes, slot)) === 0) base[slot] = excludedRow;
  }
};

const excludeWords = (snapshot: Snapshot, search: string, base: Uint8Array): void => {
  const words = queryWords(search);
  if (words.length === 0) return;
  const hits = new Uint16Array(snapshot.size);
  countWords(snapshot.text, words, hits);
  for (let slot = 0; slot < snapshot.size; slot++) if (hits[slot] !== words.length) base[slot] = excludedRow;
};

const excludeFlags = ({ flags, size }: Snapshot, wanted: number, base: Uint8Array): void => {
  if (wanted === 0) return;
  for (let slot = 0; slot < size; slot++) {
    if ((byteAt(flags, slot) & wanted) !== wanted) base[slot] = excludedRow;
  }
};

const excludeVersions = ({ columns, size }: Snapshot, version: number | null, base: Uint8Array): void => {
  if (version === null) return;
  for (let slot = 0; slot < size; slot++)
    if (columns.pineVersions[slot] !== version) base[slot] = excludedRow;
};

const excludeOthers = (snapshot: Snapshot, among: readonly string[], base: Uint8Array): void => {
  const named = new Uint8Array(snapshot.size);
  for (const urlId of among) {
    const slot = slotOf(snapshot, urlId);
    if (slot >= 0) named[slot] = 1;
  }
  for (let slot = 0; slot < snapshot.size; slot++) if (byteAt(named, slot) === 0) base[slot] = excludedRow;
};

const isOpen = ({ from, to }: DayRange): boolean => from === null && to === null;

/** True when nothing but the eight ranges narrows the catalogue. */
const isUnfiltered = (filter: SearchFilter): boolean =>
  queryWords(filter.search).length === 0 &&
  filter.among === undefined &&
  foldSymbol(filter.symbol) === '' &&
  filter.pineVersion === null &&
  isOpen(filter.published) &&
  isOpen(filter.backtested) &&
  !filter.hasPerformance &&
  !filter.hasEnhanced;

/** 0 for slots that pass everything but the ranges, `excludedRow` for the others; `alive` itself when all do. */
export const candidates = (snapshot: Snapshot, filter: SearchFilter): Uint8Array => {
  if (isUnfiltered(filter)) return snapshot.alive;
  const base = snapshot.alive.slice();
  excludeFlags(
    snapshot,
    (filter.hasPerformance ? rowFlag.performance : 0) | (filter.hasEnhanced ? rowFlag.enhanced : 0),
    base,
  );
  excludeVersions(snapshot, filter.pineVersion, base);
  excludeSymbols(snapshot, filter.symbol, base);
  excludeDays(snapshot, filter.published, filter.backtested, base);
  excludeWords(snapshot, filter.search, base);
  if (filter.among) excludeOthers(snapshot, filter.among, base);
  return base;
};
