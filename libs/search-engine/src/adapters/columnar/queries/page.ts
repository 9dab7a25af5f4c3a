import type { NumberRange, SearchFilter, SearchPage } from '../../../search-port.ts';
import { compareValues, firstAbove, firstAtLeast, knownLength } from '../snapshot/permutation.ts';
import type { Reading } from './snapshot-view.ts';
import { sortColumn, type OrderedColumn, type Snapshot } from '../snapshot/snapshot.ts';
import { byteAt, wordAt } from '../snapshot/typed-arrays.ts';

/** A scan looks at this many rows in the time in which a walk along an order looks at one. */
const scanAdvantage = 4;
/** Steps of a walk in a piece. */
const walkPiece = 131_072;

/** True when putting the few rows that pass in order costs less than walking until the page is full. */
const isSparse = (size: number, total: number, end: number): boolean => {
  const walk = (size * end) / total;
  return size / scanAdvantage + 4 * total * Math.log2(total + 1) < walk;
};

const slotsThatPass = (mask: Uint8Array, size: number, total: number): readonly number[] => {
  const slots: number[] = [];
  for (let slot = 0; slot < size && slots.length < total; slot++) {
    if (byteAt(mask, slot) === 0) slots.push(slot);
  }
  return slots;
};

/** Where a walk can begin: rows that lie before the range of the column itself do not pass. */
const firstPlace = (
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

/** The slots of a page, in its order; `total` slots of the mask pass. */
export const pageSlots = async (
  { snapshot, pace, signal }: Reading,
  { mask, total }: Readonly<{ mask: Uint8Array; total: number }>,
  { ranges }: SearchFilter,
  { sort, order, offset, limit }: SearchPage,
): Promise<readonly number[]> => {
  const wanted = Math.min(limit, total - offset);
  if (wanted <= 0) return [];
  const column = sortColumn[sort];
  if (isSparse(snapshot.size, total, offset + wanted)) {
    const { numbers, ids } = snapshot.columns;
    const compare = compareValues(numbers[column], ids, order === 'asc' ? 1 : -1);
    const all = [...slotsThatPass(mask, snapshot.size, total)].sort(compare);
    return all.slice(offset, offset + wanted);
  }
  const rows = snapshot.orders[order][column];
  const slots: number[] = [];
  let skip = offset;
  const first = firstPlace(snapshot, column, order, ranges);
  for (let place = first; slots.length < wanted && place < rows.length; place++) {
    if (place % walkPiece === walkPiece - 1 && pace.isDue()) await pace.rest(signal);
    const slot = wordAt(rows, place);
    if (byteAt(mask, slot) !== 0) continue;
    if (skip > 0) skip--;
    else slots.push(slot);
  }
  return slots;
};
