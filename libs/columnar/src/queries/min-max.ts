import { facetFields, facetRecord, type FacetField } from '@tapedeck/search-engine/contract';
import type { RowMask } from '../kernel/layout.ts';
import {
  finiteLength,
  minMaxBetween,
  noMinMax,
  type MaskedRows,
  type MinMax,
} from '../snapshot/permutation.ts';
import { floatAt, maskAt, wordAt } from '../snapshot/typed-arrays.ts';
import { positionAtLeast } from './ranges.ts';
import type { Candidates, SnapshotView } from './snapshot-view.ts';

// The minimum and maximum of a field are found in one of two ways: by walking along its ascending order from both ends
// until a row counts, or by going through a list of the rows that count.

/** Minimum and maximum of the finite values of the listed slots that count. */
const minMaxOfList = (values: Float64Array, slots: Uint32Array, { mask, allowed }: MaskedRows): MinMax => {
  const refused = ~allowed;
  let [min, max] = [Infinity, -Infinity];
  for (let i = 0; i < slots.length; i++) {
    const slot = wordAt(slots, i);
    if ((maskAt(mask, slot) & refused) !== 0) continue;
    const value = floatAt(values, slot);
    if (value < min) min = value;
    if (value > max && value < Infinity) max = value;
  }
  return min === Infinity ? noMinMax : { min, max };
};

/** A counted histogram: its bins without that of unknown values. */
export type CountedFacet = Readonly<{
  field: FacetField;
  edges: readonly number[];
  counts: readonly number[];
  /** The counts of the whole catalogue. */
  all: readonly number[];
}>;

/** The first and the last bin that is not empty. */
type BinSpan = Readonly<{ first: number; last: number }>;

const spanOf = ({ counts }: CountedFacet): BinSpan => {
  let [first, last] = [0, counts.length - 1];
  while (first <= last && counts[first] === 0) first++;
  while (last > first && counts[last] === 0) last--;
  return { first, last };
};

/**
 * Expected steps along the order from both ends: the counts say in which bins the first and the last row that count
 * are, and how rare such rows are there.
 */
const expectedSteps = ({ counts, all }: CountedFacet, { first, last }: BinSpan): number => {
  if (first > last) return 0;
  const stepsIn = (bin: number): number => (all[bin] ?? 0) / ((counts[bin] ?? 0) + 1);
  return stepsIn(first) + stepsIn(last);
};

/** The rows that count in the histogram of a field: they pass, or fail only its own range. */
const rowsOf = (field: FacetField, mask: RowMask): MaskedRows => ({
  mask,
  allowed: 1 << facetFields.indexOf(field),
});

const minMaxByOrder = (
  view: SnapshotView,
  { field, edges, counts }: CountedFacet,
  { first, last }: BinSpan,
  mask: RowMask,
): MinMax => {
  if (first > last) return noMinMax;
  const { columns, orders } = view.snapshot;
  const from = first === 0 ? 0 : positionAtLeast(view, field, edges[first] ?? 0);
  const end = last === counts.length - 1 ? Infinity : (edges[last + 1] ?? Infinity);
  const to = positionAtLeast(view, field, end);
  return minMaxBetween(orders.asc[field], columns.numbers[field], rowsOf(field, mask), from, to);
};

/** The slots that fail at most one range; their number is `count`. */
const slotsCounted = ({ slots, snapshot }: SnapshotView, mask: RowMask, count: number): Uint32Array => {
  // A slot that does not count is also written, and then overwritten: hence the additional element.
  let used = 0;
  for (let slot = 0; slot < snapshot.size; slot++) {
    const failed = maskAt(mask, slot);
    slots[used] = slot;
    used += (failed & (failed - 1)) === 0 ? 1 : 0;
  }
  return slots.subarray(0, count);
};

/** For fewer steps than this the time is not checked. */
const minStepsForCheck = 10_000;

/**
 * Minimum and maximum of each histogram, in the way that takes fewer steps. `rowsCounted` returns the number of rows
 * that fail at most one range.
 */
export const histogramMinMax = async (
  view: SnapshotView,
  facets: readonly CountedFacet[],
  mask: RowMask,
  rowsCounted: () => number,
): Promise<readonly MinMax[]> => {
  const { snapshot, scheduler, signal } = view;
  const spans = facets.map(spanOf);
  const noSpan = { first: 0, last: -1 };
  const steps = facets.reduce((sum, facet, index) => sum + expectedSteps(facet, spans[index] ?? noSpan), 0);
  const listIsFaster = steps > snapshot.size && steps > snapshot.size + facets.length * rowsCounted();
  const list = listIsFaster ? slotsCounted(view, mask, rowsCounted()) : null;
  const isLong = list !== null || steps > minStepsForCheck;
  const found: MinMax[] = [];
  for (const [index, facet] of facets.entries()) {
    const { field } = facet;
    found.push(
      list
        ? minMaxOfList(snapshot.columns.numbers[field], list, rowsOf(field, mask))
        : minMaxByOrder(view, facet, spans[index] ?? noSpan, mask),
    );
    if (isLong && scheduler.shouldYield()) await scheduler.yieldToEventLoop(signal);
  }
  return found;
};

/** With more than one candidate in this many rows walking along the orders is faster, with fewer a list of them. */
const rowsPerCandidate = 64;

/** The slots of the candidates; null when there are too many for a list. */
const candidateSlots = ({ slots }: SnapshotView, mask: RowMask): Uint32Array | null => {
  const max = Math.ceil(mask.length / rowsPerCandidate);
  let used = 0;
  for (let slot = 0; slot < mask.length && used <= max; slot++) {
    slots[used] = slot;
    used += maskAt(mask, slot) === 0 ? 1 : 0;
  }
  return used > max ? null : slots.subarray(0, used);
};

/** Minimum and maximum of all fields over the candidates; cached with them. */
export const candidateMinMax = async (
  view: SnapshotView,
  candidates: Candidates | null,
): Promise<Readonly<Record<FacetField, MinMax>>> => {
  const { snapshot, scheduler, signal } = view;
  if (!candidates) return snapshot.minMax;
  if (candidates.minMax) return candidates.minMax;
  const rows: MaskedRows = { mask: candidates.mask, allowed: 0 };
  const list = candidateSlots(view, candidates.mask);
  const found = new Map<FacetField, MinMax>();
  for (const field of facetFields) {
    const values = snapshot.columns.numbers[field];
    const order = snapshot.orders.asc[field];
    found.set(
      field,
      list
        ? minMaxOfList(values, list, rows)
        : minMaxBetween(order, values, rows, 0, finiteLength(order, values)),
    );
    if (scheduler.shouldYield()) await scheduler.yieldToEventLoop(signal);
  }
  candidates.minMax = facetRecord((field) => found.get(field) ?? noMinMax);
  return candidates.minMax;
};
