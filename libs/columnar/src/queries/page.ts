import { sorts } from '@tapedeck/search-engine/contract';
import type { NumberRange, SearchFilter, SearchPage } from '@tapedeck/search-engine/port';
import type { RowMask } from '../kernel/layout.ts';
import { compareValues, firstAbove, firstAtLeast, knownLength } from '../snapshot/permutation.ts';
import type { OrderedColumn, Snapshot } from '../snapshot/snapshot.ts';
import { maskAt, wordAt } from '../snapshot/typed-arrays.ts';
import type { Matches } from './ranges.ts';
import type { SnapshotView } from './snapshot-view.ts';

/** A scan checks this many rows in the time in which a walk along an order checks one. */
const scanAdvantage = 4;
const stepsPerPiece = 131_072;

/** True when sorting the few rows that pass costs less than walking along the order until the page is full. */
const isSparse = (size: number, total: number, end: number): boolean => {
  const stepsOfWalk = (size * end) / total;
  return size / scanAdvantage + 4 * total * Math.log2(total + 1) < stepsOfWalk;
};

const passingSlots = (mask: RowMask, size: number, total: number): readonly number[] => {
  const slots: number[] = [];
  for (let slot = 0; slot < size && slots.length < total; slot++) {
    if (maskAt(mask, slot) === 0) slots.push(slot);
  }
  return slots;
};

/** Where a walk can start: rows before the range of the sort column do not pass. */
const firstPosition = (
  { orders, columns }: Snapshot,
  column: OrderedColumn,
  order: SearchPage['order'],
  ranges: Readonly<Partial<Record<OrderedColumn, NumberRange>>>,
): number => {
  const { low, high } = ranges[column] ?? { low: -Infinity, high: Infinity };
  const rows = orders.asc[column];
  const values = columns.numbers[column];
  if (order === 'asc') return low === -Infinity ? 0 : firstAtLeast(rows, values, low);
  return high === Infinity ? 0 : knownLength(rows, values) - firstAbove(rows, values, high);
};

/** The slots of a page, in its order. */
export const pageSlots = async (
  { snapshot, scheduler, signal }: SnapshotView,
  { mask, total }: Pick<Matches, 'mask' | 'total'>,
  { ranges }: SearchFilter,
  { sort, order, offset, limit }: SearchPage,
): Promise<readonly number[]> => {
  const wanted = Math.min(limit, total - offset);
  if (wanted <= 0) return [];
  const column = sorts[sort].column;
  if (isSparse(snapshot.size, total, offset + wanted)) {
    const { numbers, ids } = snapshot.columns;
    const compare = compareValues(numbers[column], ids, order === 'asc' ? 1 : -1);
    const all = [...passingSlots(mask, snapshot.size, total)].sort(compare);
    return all.slice(offset, offset + wanted);
  }
  const rows = snapshot.orders[order][column];
  const slots: number[] = [];
  let skip = offset;
  const first = firstPosition(snapshot, column, order, ranges);
  for (let position = first; slots.length < wanted && position < rows.length; position++) {
    if (position % stepsPerPiece === stepsPerPiece - 1 && scheduler.shouldYield())
      await scheduler.yieldToEventLoop(signal);
    const slot = wordAt(rows, position);
    if (maskAt(mask, slot) !== 0) continue;
    if (skip > 0) skip--;
    else slots.push(slot);
  }
  return slots;
};
