import { sortSlots } from './radix-sort.ts';
import { byteAt, copyTo, sharedBytes, sharedWords, wordAt } from './typed-arrays.ts';

/**
 * Texts as UTF-8, one after the other: text i is from `starts[i]` to `starts[i + 1]`. A million of them are two
 * arrays that both threads can read, instead of a million strings.
 */
export type ByteStrings = Readonly<{ bytes: Uint8Array; starts: Uint32Array }>;

const compareBytes = (
  a: Uint8Array,
  aFrom: number,
  aTo: number,
  b: Uint8Array,
  bFrom: number,
  bTo: number,
): number => {
  const common = Math.min(aTo - aFrom, bTo - bFrom);
  for (let i = 0; i < common; i++) {
    const difference = byteAt(a, aFrom + i) - byteAt(b, bFrom + i);
    if (difference !== 0) return difference;
  }
  return aTo - aFrom - (bTo - bFrom);
};

/** Compares two texts of the same or of different collections, in byte order. */
export const compareTexts = (a: ByteStrings, at: number, b: ByteStrings, bt: number): number =>
  compareBytes(
    a.bytes,
    wordAt(a.starts, at),
    wordAt(a.starts, at + 1),
    b.bytes,
    wordAt(b.starts, bt),
    wordAt(b.starts, bt + 1),
  );

export const compareToBytes = ({ bytes, starts }: ByteStrings, at: number, other: Uint8Array): number =>
  compareBytes(bytes, wordAt(starts, at), wordAt(starts, at + 1), other, 0, other.length);

export const beginsWith = ({ bytes, starts }: ByteStrings, at: number, prefix: Uint8Array): boolean => {
  const from = wordAt(starts, at);
  const to = Math.min(wordAt(starts, at + 1), from + prefix.length);
  return compareBytes(bytes, from, to, prefix, 0, prefix.length) === 0;
};

export const textAt = ({ bytes, starts }: ByteStrings, at: number): string => {
  const from = wordAt(starts, at);
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, wordAt(starts, at + 1) - from).toString();
};

export const bytesOf = (text: string): Uint8Array => Buffer.from(text);

/** A collection to which texts can be added; a view that was taken before does not change. */
export type GrowingStrings = Readonly<{
  /** Returns the index of the text. */
  add: (text: string) => number;
  count: () => number;
  view: () => ByteStrings;
}>;

/** Of one UTF-16 unit in UTF-8. */
const maxBytesPerUnit = 3;

export const growingStrings = (expected: number, expectedLength: number): GrowingStrings => {
  let bytes = Buffer.from(sharedBytes(expected * expectedLength + 64).buffer);
  let starts = sharedWords(expected + 1);
  let count = 0;
  let used = 0;
  return {
    add: (text) => {
      const needed = used + maxBytesPerUnit * text.length;
      if (needed > bytes.length) {
        bytes = copyTo(bytes, Buffer.from(sharedBytes(Math.ceil(needed * 1.5)).buffer));
      }
      if (count + 2 > starts.length) starts = copyTo(starts, sharedWords(Math.ceil(starts.length * 1.5) + 2));
      used += bytes.write(text, used);
      starts[count + 1] = used;
      return count++;
    },
    count: () => count,
    view: () => ({ bytes: new Uint8Array(bytes.buffer, 0, used), starts: starts.subarray(0, count + 1) }),
  };
};

const keyBytes = 6;

/** The first six bytes of a text as a number, which holds 48 bits exactly. */
const keyOf = ({ bytes, starts }: ByteStrings, at: number): number => {
  const from = wordAt(starts, at);
  const to = wordAt(starts, at + 1);
  let key = 0;
  for (let i = from; i < from + keyBytes; i++) key = key * 256 + (i < to ? byteAt(bytes, i) : 0);
  return key;
};

const isSorted = (texts: ByteStrings, count: number): boolean => {
  for (let i = 1; i < count; i++) if (compareTexts(texts, i - 1, texts, i) > 0) return false;
  return true;
};

/** The indexes of the first `count` texts in byte order; equal texts stay in the order of insertion. */
export const orderTexts = (texts: ByteStrings, count: number): Uint32Array => {
  const order = Uint32Array.from({ length: count }, (_, at) => at);
  if (isSorted(texts, count)) return order;
  const keys = Float64Array.from(order, (at) => keyOf(texts, at));
  const sorted = sortSlots(keys, order);
  const compare = (a: number, b: number): number => compareTexts(texts, a, texts, b) || a - b;
  for (let from = 0, to = 0; from < count; from = to) {
    const key = keys[wordAt(sorted, from)];
    while (to < count && keys[wordAt(sorted, to)] === key) to++;
    if (to - from > 1) sorted.subarray(from, to).sort(compare);
  }
  return sorted;
};

/** Numbers the different texts from 1; 0 is no text. */
export type Dictionary = Readonly<{
  codeOf: (text: string | null) => number;
  /** The texts by code; that of code 0 is empty. */
  view: () => ByteStrings;
}>;

export const dictionary = (): Dictionary => {
  const codes = new Map<string, number>();
  const texts = growingStrings(64, 16);
  texts.add('');
  return {
    codeOf: (text) => {
      if (text === null) return 0;
      const known = codes.get(text);
      if (known !== undefined) return known;
      const code = texts.add(text);
      codes.set(text, code);
      return code;
    },
    view: texts.view,
  };
};
