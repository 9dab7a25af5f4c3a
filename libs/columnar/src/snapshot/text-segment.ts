import type { BufferPool } from './buffer-pool.ts';
import { compareTexts, type ByteStrings } from './byte-strings.ts';
import { wordAt } from './typed-arrays.ts';

/** Part of the inverted index: terms in byte order; the slots of term i are `slots` from `offsets[i]` to `offsets[i + 1]`. */
export type TextSegment = Readonly<{ terms: ByteStrings; offsets: Uint32Array; slots: Uint32Array }>;

export const termCount = ({ offsets }: TextSegment): number => Math.max(0, offsets.length - 1);

/** Builds a segment from terms with their slots, in memory of the pool. */
type SegmentWriter = Readonly<{
  /** Adds slots to the current term; several calls continue it. */
  addSlots: (slots: Uint32Array) => void;
  endTerm: (from: ByteStrings, term: number) => void;
  finish: () => TextSegment;
}>;

const segmentWriter = (pool: BufferPool, terms: number, bytes: number, slots: number): SegmentWriter => {
  const text = pool.bytes(bytes);
  const starts = pool.words(terms + 1);
  const offsets = pool.words(terms + 1);
  const all = pool.words(slots);
  let [count, usedBytes, usedSlots] = [0, 0, 0];
  [starts[0], offsets[0]] = [0, 0];
  return {
    addSlots: (added) => {
      all.set(added, usedSlots);
      usedSlots += added.length;
    },
    endTerm: (from, term) => {
      const own = from.bytes.subarray(wordAt(from.starts, term), wordAt(from.starts, term + 1));
      text.set(own, usedBytes);
      usedBytes += own.length;
      count++;
      starts[count] = usedBytes;
      offsets[count] = usedSlots;
    },
    finish: () => ({
      terms: { bytes: text.subarray(0, usedBytes), starts: starts.subarray(0, count + 1) },
      offsets: offsets.subarray(0, count + 1),
      slots: all.subarray(0, usedSlots),
    }),
  };
};

export const postings = ({ offsets, slots }: TextSegment, term: number): Uint32Array =>
  slots.subarray(wordAt(offsets, term), wordAt(offsets, term + 1));

export const mergedSegments = (a: TextSegment, b: TextSegment, pool: BufferPool): TextSegment => {
  const [left, right] = [termCount(a), termCount(b)];
  const writer = segmentWriter(
    pool,
    left + right,
    a.terms.bytes.length + b.terms.bytes.length,
    a.slots.length + b.slots.length,
  );
  const order = (i: number, j: number): number => {
    if (j >= right) return -1;
    return i >= left ? 1 : compareTexts(a.terms, i, b.terms, j);
  };
  for (let [i, j] = [0, 0]; i < left || j < right;) {
    const sign = order(i, j);
    if (sign <= 0) writer.addSlots(postings(a, i));
    if (sign >= 0) writer.addSlots(postings(b, j));
    if (sign <= 0) writer.endTerm(a.terms, i);
    else writer.endTerm(b.terms, j);
    if (sign <= 0) i++;
    if (sign >= 0) j++;
  }
  return writer.finish();
};

/** Adds a segment, and merges neighbours of similar size: so there are few segments, and each is merged rarely. */
export const withSegment = (
  segments: readonly TextSegment[],
  added: TextSegment,
  pool: BufferPool,
): readonly TextSegment[] => {
  const result = [...segments];
  let last = added;
  for (
    let before = result.at(-1);
    before && last.slots.length * 4 > before.slots.length;
    before = result.at(-1)
  ) {
    last = mergedSegments(before, last, pool);
    result.pop();
  }
  return [...result, last];
};

/** The segment with other slot numbers; slots whose new number is `removed` are left out. */
export const renumberedSegment = (
  segment: TextSegment,
  numbers: Uint32Array,
  removed: number,
  pool: BufferPool,
): TextSegment => {
  const terms = termCount(segment);
  const writer = segmentWriter(pool, terms, segment.terms.bytes.length, segment.slots.length);
  for (let term = 0; term < terms; term++) {
    const remaining = postings(segment, term)
      .map((slot) => wordAt(numbers, slot))
      .filter((number) => number !== removed);
    if (remaining.length === 0) continue;
    writer.addSlots(remaining);
    writer.endTerm(segment.terms, term);
  }
  return writer.finish();
};
