import type { RowMask } from '../kernel/layout.ts';
import { compareTexts, type ByteStrings } from './byte-strings.ts';
import { floatAt, maskAt, wordAt } from './typed-arrays.ts';

/** Slots in order of a column: equal values by id in byte order, unknown (NaN) values last in either direction. */
export type Permutation = Uint32Array;

export type Compare = (a: number, b: number) => number;

export const compareIds =
  (ids: ByteStrings): Compare =>
  (a, b) =>
    compareTexts(ids, a, ids, b) || a - b;

/** `sign` is 1 for ascending and −1 for descending order. */
export const compareValues = (values: Float64Array, ids: ByteStrings, sign: 1 | -1): Compare => {
  const byId = compareIds(ids);
  return (a, b) => {
    const [left, right] = [floatAt(values, a), floatAt(values, b)];
    if (left < right) return -sign;
    if (left > right) return sign;
    const unknown = Number(Number.isNaN(left)) - Number(Number.isNaN(right));
    return unknown === 0 ? byId(a, b) : unknown;
  };
};

// The binary searches of this file run for each bound of a query and for each added row and order. They compare without
// a callback like that of `partitionPoint`, which would be measurably slower.

/** Writes into `result` the order with the added slots: each position is searched, the slots between are copied. */
export const insertSlots = (
  order: Permutation,
  added: readonly number[],
  compare: Compare,
  result: Permutation,
): void => {
  let copied = 0;
  [...added].sort(compare).forEach((slot, index) => {
    let [low, high] = [copied, order.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(wordAt(order, middle), slot) < 0) low = middle + 1;
      else high = middle;
    }
    result.set(order.subarray(copied, low), copied + index);
    result[low + index] = slot;
    copied = low;
  });
  result.set(order.subarray(copied), copied + added.length);
};

/**
 * The first position of an ascending order, or between two positions of it, whose value is at or above `bound`; unknown
 * values count as above all others.
 */
export const firstAtLeast = (
  order: Permutation,
  values: Float64Array,
  bound: number,
  from = 0,
  to = order.length,
): number => {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (floatAt(values, wordAt(order, middle)) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The same for values above `bound`. Written out, because a comparison passed as a function is measurably slower. */
export const firstAbove = (
  order: Permutation,
  values: Float64Array,
  bound: number,
  from = 0,
  to = order.length,
): number => {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (floatAt(values, wordAt(order, middle)) <= bound) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The number of slots with a known value: these come first. */
export const knownLength = (order: Permutation, values: Float64Array): number =>
  firstAbove(order, values, Infinity);

/** The number of slots with a known, finite value: in an ascending order these come first. */
export const finiteLength = (order: Permutation, values: Float64Array): number =>
  firstAtLeast(order, values, Infinity);

/** Writes into `result` the order by descending value; equal values stay in the order of their ids. */
export const writeDescending = (order: Permutation, values: Float64Array, result: Permutation): void => {
  const known = knownLength(order, values);
  let written = 0;
  let end = known;
  while (end > 0) {
    const value = floatAt(values, wordAt(order, end - 1));
    let start = end - 1;
    while (start > 0 && floatAt(values, wordAt(order, start - 1)) === value) start--;
    for (let i = start; i < end; i++) result[written++] = wordAt(order, i);
    end = start;
  }
  result.set(order.subarray(known), known);
};

/** Minimum and maximum of finite values; null when there are none. */
export type MinMax = Readonly<{ min: number | null; max: number | null }>;

export const noMinMax: MinMax = { min: null, max: null };

/** The rows whose mask has no bits except those of `allowed`. */
export type MaskedRows = Readonly<{ mask: RowMask; allowed: number }>;

/** Minimum and maximum of these rows between two positions of an ascending order: the first and the last row. */
export const minMaxBetween = (
  order: Permutation,
  values: Float64Array,
  { mask, allowed }: MaskedRows,
  from: number,
  to: number,
): MinMax => {
  const refused = ~allowed;
  let first = from;
  while (first < to && (maskAt(mask, wordAt(order, first)) & refused) !== 0) first++;
  if (first >= to) return noMinMax;
  let last = to - 1;
  while (last > first && (maskAt(mask, wordAt(order, last)) & refused) !== 0) last--;
  return { min: floatAt(values, wordAt(order, first)), max: floatAt(values, wordAt(order, last)) };
};
