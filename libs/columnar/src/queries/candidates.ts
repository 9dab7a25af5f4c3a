import { foldSymbol } from '@tapedeck/search-engine/catalogue';
import type { DayRange, SearchFilter } from '@tapedeck/search-engine/port';
import { excludedRow, filterColumns, type RowMask } from '../kernel/layout.ts';
import { beginsWith, bytesOf } from '../snapshot/byte-strings.ts';
import { dayCode, dayNumber, hasOwnCode, maxCode, pineCode, rowFlag } from '../snapshot/columns.ts';
import { slotOf } from '../snapshot/snapshot.ts';
import { floatAt, maskAt, shortAt, wordAt } from '../snapshot/typed-arrays.ts';
import type { Candidates, SnapshotView } from './snapshot-view.ts';
import { pieceLength, queryWords, visitRowsWith } from './text-search.ts';

/** Visits all slots in pieces. */
const eachPiece = async (
  { snapshot: { size }, scheduler, signal }: SnapshotView,
  visit: (from: number, to: number) => void,
): Promise<void> => {
  for (let from = 0; from < size; from += pieceLength) {
    visit(from, Math.min(size, from + pieceLength));
    if (scheduler.shouldYield()) await scheduler.yieldToEventLoop(signal);
  }
};

const isOpen = ({ from, to }: DayRange): boolean => from === null && to === null;

type DayColumn = 'publicationDate' | 'backtestingStart' | 'backtestingEnd';

/** Excludes rows outside the range, and those with an unknown day when a bound is set. */
const excludeDays = async (view: SnapshotView, column: DayColumn, range: DayRange): Promise<void> => {
  if (isOpen(range)) return;
  const { kernel, snapshot } = view;
  const low = range.from === null ? -Infinity : dayNumber(range.from);
  const high = range.to === null ? Infinity : dayNumber(range.to);
  const [first, last] = [dayCode(low), dayCode(high)];
  kernel.excludeOutside(filterColumns.indexOf(column), first, last, snapshot.size);
  if ([low, high].every((day) => !Number.isFinite(day) || hasOwnCode(day))) return;
  const values = snapshot.columns.numbers[column];
  await eachPiece(view, (from, to) => {
    for (let slot = from; slot < to; slot++) {
      const day = floatAt(values, slot);
      if (!(day >= low && day <= high)) kernel.mask[slot] = excludedRow;
    }
  });
};

const excludeFlags = ({ kernel, snapshot }: SnapshotView, filter: SearchFilter): void => {
  const wanted =
    (filter.hasPerformance ? rowFlag.performance : 0) | (filter.hasEnhanced ? rowFlag.enhanced : 0);
  if (wanted !== 0) kernel.excludeWithout(filterColumns.indexOf('flags'), wanted, snapshot.size);
};

const excludeVersions = ({ kernel, snapshot }: SnapshotView, version: number | null): void => {
  if (version === null) return;
  // A fraction, or a number without a code of its own, matches no row: no real version has the last code.
  const code = pineCode(version) - 1 === version ? pineCode(version) : maxCode;
  kernel.excludeOutside(filterColumns.indexOf('pineVersion'), code, code, snapshot.size);
};

const excludeSymbols = async (view: SnapshotView, symbol: string): Promise<void> => {
  const prefix = bytesOf(foldSymbol(symbol));
  if (prefix.length === 0) return;
  const { mask } = view.kernel;
  const { symbols, foldedSymbols } = view.snapshot.columns;
  const excluded = new Uint16Array(foldedSymbols.starts.length - 1).fill(excludedRow);
  for (let code = 1; code < excluded.length; code++) {
    if (beginsWith(foldedSymbols, code, prefix)) excluded[code] = 0;
    if (code % pieceLength === 0 && view.scheduler.shouldYield())
      await view.scheduler.yieldToEventLoop(view.signal);
  }
  await eachPiece(view, (from, to) => {
    for (let slot = from; slot < to; slot++) {
      mask[slot] = maskAt(mask, slot) | shortAt(excluded, wordAt(symbols.codes, slot));
    }
  });
};

const includeOnly = async (view: SnapshotView, search: string): Promise<void> => {
  const words = queryWords(search);
  if (words.length === 0) return;
  const { mask } = view.kernel;
  const { alive, size } = view.snapshot;
  mask.fill(excludedRow, 0, size);
  await visitRowsWith(view, words, (slots) => {
    for (let i = 0; i < slots.length; i++) {
      const slot = wordAt(slots, i);
      mask[slot] = maskAt(alive, slot);
    }
  });
};

const idsPerPiece = 256;

const excludeOthers = async (view: SnapshotView, among: readonly string[]): Promise<void> => {
  const { kernel, snapshot, scheduler, signal } = view;
  const included: (readonly [slot: number, mask: number])[] = [];
  for (const [index, urlId] of among.entries()) {
    const slot = slotOf(snapshot, urlId);
    if (slot >= 0) included.push([slot, maskAt(kernel.mask, slot)]);
    if (index % idsPerPiece === 0 && scheduler.shouldYield()) await scheduler.yieldToEventLoop(signal);
  }
  kernel.mask.fill(excludedRow, 0, snapshot.size);
  for (const [slot, mask] of included) kernel.mask[slot] = mask;
};

const hasOtherFilters = (filter: SearchFilter): boolean =>
  filter.search !== '' ||
  filter.among !== undefined ||
  filter.symbol !== '' ||
  filter.pineVersion !== null ||
  !isOpen(filter.published) ||
  !isOpen(filter.backtested) ||
  filter.hasPerformance ||
  filter.hasEnhanced;

/** A key for all filters except the ranges; null when these exclude no row. */
const keyOf = (filter: SearchFilter): string | null => {
  if (!hasOtherFilters(filter)) return null;
  const words = queryWords(filter.search);
  const symbol = foldSymbol(filter.symbol);
  // A search or symbol without a letter or digit excludes no row.
  const excludesRows =
    words.length > 0 || symbol !== '' || hasOtherFilters({ ...filter, search: '', symbol: '' });
  if (!excludesRows) return null;
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

const computeMask = async (view: SnapshotView, filter: SearchFilter): Promise<RowMask> => {
  const { kernel, snapshot } = view;
  kernel.mask.set(snapshot.alive);
  await includeOnly(view, filter.search);
  excludeFlags(view, filter);
  excludeVersions(view, filter.pineVersion);
  await excludeSymbols(view, filter.symbol);
  await excludeDays(view, 'publicationDate', filter.published);
  await excludeDays(view, 'backtestingStart', { from: filter.backtested.from, to: null });
  await excludeDays(view, 'backtestingEnd', { from: null, to: filter.backtested.to });
  if (filter.among) await excludeOthers(view, filter.among);
  return kernel.mask.slice(0, snapshot.size);
};

/** The rows that pass all filters except the ranges; null when all rows do. */
export const candidatesOf = async (view: SnapshotView, filter: SearchFilter): Promise<Candidates | null> => {
  const key = keyOf(filter);
  if (key === null) return null;
  const cached = view.candidates.get(key);
  if (cached) return cached;
  const candidates: Candidates = { mask: await computeMask(view, filter), minMax: null };
  view.candidates.set(key, candidates);
  return candidates;
};
