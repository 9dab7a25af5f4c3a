import { compareTexts, type ByteStrings } from './byte-strings.ts';
import { floatAt, wordAt } from './typed-arrays.ts';

/** Slots in order of a column: equal values by id in byte order, unknown (NaN) ones last in either direction. */
export type Permutation = Uint32Array;

export type Compare = (a: number, b: number) => number;

export const compareIds =
  (ids: ByteStrings): Compare =>
  (a, b) =>
    compareTexts(ids, a, ids, b) || a - b;

/** `sign` 1 for smallest first, −1 for largest first. */
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

/** Writes into `result` the order with new slots in their places: searched one by one, moved in blocks. */
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
 * First place of an ascending order, or between two places of it, whose value is at or above `bound`; unknown values
 * count as above all.
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

/** The same whose value is above `bound`, or unknown. */
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

/** How many slots have a known value: they come first. */
export const knownLength = (order: Permutation, values: Float64Array): number =>
  firstAbove(order, values, Infinity);

/** Writes into `result` the order with the largest value first; equal values stay in order of their ids. */
export const writeDescending = (order: Permutation, values: Float64Array, result: Permutation): void => {
  const known = knownLength(order, values);
  let place = 0;
  let end = known;
  while (end > 0) {
    const value = floatAt(values, wordAt(order, end - 1));
    let start = end - 1;
    while (start > 0 && floatAt(values, wordAt(order, start - 1)) === value) start--;
    for (let i = start; i < end; i++) result[place++] = wordAt(order, i);
    end = start;
  }
  result.set(order.subarray(known), known);
};
