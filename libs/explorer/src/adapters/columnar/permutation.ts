import { floatAt, wordAt } from './typed-arrays.ts';

/** Slots in ascending order of a column; unknown (NaN) last, equal values by id in byte order. */
export type Permutation = Uint32Array;

/** Bits of a float as two unsigned words that sort as the number does, NaN after Infinity. */
const sortKeys = (values: Float64Array, size: number): readonly [low: Uint32Array, high: Uint32Array] => {
  const bits = new Uint32Array(values.slice(0, size).buffer);
  const low = new Uint32Array(size);
  const high = new Uint32Array(size);
  for (let i = 0; i < size; i++) {
    const top = wordAt(bits, 2 * i + 1);
    const negative = top >>> 31;
    high[i] = negative ? ~top : top | 0x80000000;
    low[i] = negative ? ~wordAt(bits, 2 * i) : wordAt(bits, 2 * i);
  }
  return [low, high];
};

/** One stable counting pass over a digit; false when all rows share the digit and nothing moved. */
const radixPass = (
  words: Uint32Array,
  shift: number,
  digits: Uint32Array,
  from: Uint32Array,
  to: Uint32Array,
): boolean => {
  const last = digits.length - 1;
  digits.fill(0);
  for (let i = 0; i < from.length; i++) {
    const digit = (wordAt(words, wordAt(from, i)) >>> shift) & last;
    digits[digit] = wordAt(digits, digit) + 1;
  }
  if (wordAt(digits, (wordAt(words, wordAt(from, 0)) >>> shift) & last) === from.length) return false;
  let sum = 0;
  for (let d = 0; d <= last; d++) {
    const count = wordAt(digits, d);
    digits[d] = sum;
    sum += count;
  }
  for (let i = 0; i < from.length; i++) {
    const slot = wordAt(from, i);
    const digit = (wordAt(words, slot) >>> shift) & last;
    const place = wordAt(digits, digit);
    to[place] = slot;
    digits[digit] = place + 1;
  }
  return true;
};

/** The permutation of a column from scratch; `byId` holds the same slots in order of their ids. */
export const sortSlots = (values: Float64Array, byId: Permutation): Permutation => {
  if (byId.length === 0) return byId;
  const bits = byId.length < 30_000 ? 8 : 16;
  const digits = new Uint32Array(1 << bits);
  let from = byId.slice();
  let to = new Uint32Array(byId.length);
  for (const words of sortKeys(values, byId.length)) {
    for (let shift = 0; shift < 32; shift += bits) {
      if (radixPass(words, shift, digits, from, to)) [from, to] = [to, from];
    }
  }
  return from;
};

export type Compare = (a: number, b: number) => number;

export const compareIds =
  (ids: readonly string[]): Compare =>
  (a, b) => {
    const [left, right] = [ids[a] ?? '', ids[b] ?? ''];
    if (left === right) return a - b;
    return left < right ? -1 : 1;
  };

export const compareValues = (values: Float64Array, ids: readonly string[]): Compare => {
  const byId = compareIds(ids);
  return (a, b) => {
    const [left, right] = [floatAt(values, a), floatAt(values, b)];
    if (left < right) return -1;
    if (left > right) return 1;
    const unknown = Number(Number.isNaN(left)) - Number(Number.isNaN(right));
    return unknown === 0 ? byId(a, b) : unknown;
  };
};

/** The permutation with new slots in their places: searched one by one, moved in blocks. */
export const insertSlots = (order: Permutation, added: readonly number[], compare: Compare): Permutation => {
  const result = new Uint32Array(order.length + added.length);
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
  return result;
};

/** First place whose value is at or above `bound`; unknown values count as above everything. */
export const firstAtLeast = (order: Permutation, values: Float64Array, bound: number): number => {
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (floatAt(values, wordAt(order, middle)) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** How many slots have a known value: they come first. */
export const knownLength = (order: Permutation, values: Float64Array): number => {
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (Number.isNaN(floatAt(values, wordAt(order, middle)))) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** Largest value first; equal values stay in order of their ids, and unknown ones stay last. */
export const descending = (order: Permutation, values: Float64Array): Permutation => {
  const known = knownLength(order, values);
  const result = new Uint32Array(order.length);
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
  return result;
};
