import type { DayRange, SearchFilter } from '../../../search-port.ts';
import { foldSymbol } from '../../../catalogue/text.ts';
import { beginsWith, bytesOf } from '../snapshot/byte-strings.ts';
import { pineCode, rowFlag } from '../snapshot/columns.ts';
import { dayCode, dayNumber, hasOwnCode } from '../snapshot/days.ts';
import { excludedRow } from '../kernel/kernel.ts';
import { filterColumns } from '../kernel/layout.ts';
import type { Candidates, Reading } from './snapshot-view.ts';
import { slotOf } from '../snapshot/slot-of.ts';
import { queryWords } from './text-search.ts';
import { byteAt, floatAt, wordAt } from '../snapshot/typed-arrays.ts';
import { pieceLength, visitRowsWith } from './word-rounds.ts';

/** A loop over all slots in pieces. */
const eachPiece = async (
  { snapshot: { size }, pace, signal }: Reading,
  visit: (from: number, to: number) => void,
): Promise<void> => {
  for (let from = 0; from < size; from += pieceLength) {
    visit(from, Math.min(size, from + pieceLength));
    if (pace.isDue()) await pace.rest(signal);
  }
};

const highestCode = 65_535;
const isOpen = ({ from, to }: DayRange): boolean => from === null && to === null;

type DayColumn = 'publicationDate' | 'backtestingStart' | 'backtestingEnd';

/** Unknown days are excluded, whenever a bound is set. */
const excludeDays = async (reading: Reading, column: DayColumn, range: DayRange): Promise<void> => {
  if (isOpen(range)) return;
  const { kernel, snapshot } = reading;
  const low = range.from === null ? -Infinity : dayNumber(range.from);
  const high = range.to === null ? Infinity : dayNumber(range.to);
  const [first, last] = [dayCode(low), dayCode(high)];
  kernel.excludeOutside(filterColumns.indexOf(column), first, last, snapshot.size);
  if ([low, high].every((day) => !Number.isFinite(day) || hasOwnCode(day))) return;
  const values = snapshot.columns.numbers[column];
  await eachPiece(reading, (from, to) => {
    for (let slot = from; slot < to; slot++) {
      const day = floatAt(values, slot);
      if (!(day >= low && day <= high)) kernel.mask[slot] = excludedRow;
    }
  });
};

const excludeFlags = ({ kernel, snapshot }: Reading, filter: SearchFilter): void => {
  const wanted =
    (filter.hasPerformance ? rowFlag.performance : 0) | (filter.hasEnhanced ? rowFlag.enhanced : 0);
  if (wanted !== 0) kernel.excludeWithout(filterColumns.indexOf('flags'), wanted, snapshot.size);
};

const excludeVersions = ({ kernel, snapshot }: Reading, version: number | null): void => {
  if (version === null) return;
  // A number that no row can have is looked for where no row is.
  const code = pineCode(version) - 1 === version ? pineCode(version) : highestCode;
  kernel.excludeOutside(filterColumns.indexOf('pineVersion'), code, code, snapshot.size);
};

const excludeSymbols = async (reading: Reading, symbol: string): Promise<void> => {
  const prefix = bytesOf(foldSymbol(symbol));
  if (prefix.length === 0) return;
  const { mask } = reading.kernel;
  const { symbols, foldedSymbols } = reading.snapshot.columns;
  const excluded = new Uint8Array(foldedSymbols.starts.length - 1).fill(excludedRow);
  for (let code = 1; code < excluded.length; code++) {
    if (beginsWith(foldedSymbols, code, prefix)) excluded[code] = 0;
    if (code % pieceLength === 0 && reading.pace.isDue()) await reading.pace.rest(reading.signal);
  }
  await eachPiece(reading, (from, to) => {
    for (let slot = from; slot < to; slot++) {
      mask[slot] = byteAt(mask, slot) | byteAt(excluded, wordAt(symbols.codes, slot));
    }
  });
};

const includeOnly = async (reading: Reading, search: string): Promise<void> => {
  const words = queryWords(search);
  if (words.length === 0) return;
  const { mask } = reading.kernel;
  const { alive, size } = reading.snapshot;
  mask.fill(excludedRow, 0, size);
  await visitRowsWith(reading, words, (slots) => {
    for (let i = 0; i < slots.length; i++) {
      const slot = wordAt(slots, i);
      mask[slot] = byteAt(alive, slot);
    }
  });
};

const idsInAPiece = 256;

const excludeOthers = async (reading: Reading, among: readonly string[]): Promise<void> => {
  const { kernel, snapshot, pace, signal } = reading;
  const kept: (readonly [slot: number, mask: number])[] = [];
  for (const [at, urlId] of among.entries()) {
    const slot = slotOf(snapshot, urlId);
    if (slot >= 0) kept.push([slot, byteAt(kernel.mask, slot)]);
    if (at % idsInAPiece === 0 && pace.isDue()) await pace.rest(signal);
  }
  kernel.mask.fill(excludedRow, 0, snapshot.size);
  for (const [slot, mask] of kept) kernel.mask[slot] = mask;
};

const hasOthers = (filter: SearchFilter): boolean =>
  filter.search !== '' ||
  filter.among !== undefined ||
  filter.symbol !== '' ||
  filter.pineVersion !== null ||
  !isOpen(filter.published) ||
  !isOpen(filter.backtested) ||
  filter.hasPerformance ||
  filter.hasEnhanced;

/** What the filters other than the ranges come to; null when they leave everything. */
const keyOf = (filter: SearchFilter): string | null => {
  if (!hasOthers(filter)) return null;
  const words = queryWords(filter.search);
  const symbol = foldSymbol(filter.symbol);
  // A search or symbol without a letter or digit is none.
  const narrows = words.length > 0 || symbol !== '' || hasOthers({ ...filter, search: '', symbol: '' });
  if (!narrows) return null;
  const { pineVersion, published, backtested, hasPerformance, hasEnhanced, among } = filter;
  return JSON.stringify([
    words,
    symbol,
    pineVersion,
    [published.from, published.to],
    [backtested.from, backtested.to],
    hasPerformance,
    hasEnhanced,
    among ?? null,
  ]);
};

const computed = async (reading: Reading, filter: SearchFilter): Promise<Uint8Array> => {
  const { kernel, snapshot } = reading;
  kernel.mask.set(snapshot.alive);
  await includeOnly(reading, filter.search);
  excludeFlags(reading, filter);
  excludeVersions(reading, filter.pineVersion);
  await excludeSymbols(reading, filter.symbol);
  await excludeDays(reading, 'publicationDate', filter.published);
  await excludeDays(reading, 'backtestingStart', { from: filter.backtested.from, to: null });
  await excludeDays(reading, 'backtestingEnd', { from: null, to: filter.backtested.to });
  if (filter.among) await excludeOthers(reading, filter.among);
  return kernel.mask.slice(0, snapshot.size);
};

/** The rows that pass everything but the ranges; null when all rows do. */
export const candidatesOf = async (reading: Reading, filter: SearchFilter): Promise<Candidates | null> => {
  const key = keyOf(filter);
  if (key === null) return null;
  const known = reading.candidates.get(key);
  if (known) return known;
  const made: Candidates = { mask: await computed(reading, filter), extents: null };
  reading.candidates.set(key, made);
  return made;
};
