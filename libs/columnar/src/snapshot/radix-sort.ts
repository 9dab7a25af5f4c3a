import { wordAt } from './typed-arrays.ts';

/** The bits of each float as two unsigned words that sort like the number, NaN after Infinity. */
const sortKeys = (values: Float64Array, size: number): readonly [low: Uint32Array, high: Uint32Array] => {
  const bits = new Uint32Array(Float64Array.from(values.subarray(0, size)).buffer);
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

/** One stable counting pass over a digit; false when all rows have the same digit and nothing was written. */
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
    const index = wordAt(digits, digit);
    to[index] = slot;
    digits[digit] = index + 1;
  }
  return true;
};

/** Sorts the slots by ascending value, NaN last; slots with equal values stay in the order of `byId`. */
export const sortSlots = (values: Float64Array, byId: Uint32Array): Uint32Array => {
  let from = Uint32Array.from(byId);
  if (byId.length === 0) return from;
  const bits = byId.length < 30_000 ? 8 : 16;
  const digits = new Uint32Array(1 << bits);
  let to = new Uint32Array(byId.length);
  for (const words of sortKeys(values, byId.length)) {
    for (let shift = 0; shift < 32; shift += bits) {
      if (radixPass(words, shift, digits, from, to)) [from, to] = [to, from];
    }
  }
  return from;
};
