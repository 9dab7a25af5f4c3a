import { wordsOf } from '@tapedeck/search-engine/catalogue';
import type { ExplorerRow } from '@tapedeck/search-engine/port';
import type { BufferPool } from '../snapshot/buffer-pool.ts';
import { growingStrings, orderTexts, type ByteStrings } from '../snapshot/byte-strings.ts';
import type { TextSegment } from '../snapshot/text-segment.ts';
import { copyTo, wordAt } from '../snapshot/typed-arrays.ts';

const textsOf = (row: ExplorerRow): readonly (string | null)[] => [
  row.title,
  row.author,
  row.description,
  ...row.categories,
  ...row.spellings,
];

/** A copy of a word that is a slice of a text: the slice would keep the whole text in memory. */
const copied = (word: string): string => (word.length < 13 ? word : Buffer.from(word).toString());

/** Collects the words of rows, whose slots start at `firstSlot`, and builds one segment from them. */
export type TextIndexer = Readonly<{
  add: (row: ExplorerRow) => void;
  finish: (pool: BufferPool) => TextSegment;
}>;

export const textIndexer = (firstSlot: number): TextIndexer => {
  const termIds = new Map<string, number>();
  const lastRow: number[] = [];
  let rowEnds = new Uint32Array(1024);
  let rows = 0;
  let pairs = new Uint32Array(1024);
  let used = 0;

  const addWord = (word: string): void => {
    let term = termIds.get(word);
    if (term === undefined) {
      term = termIds.size;
      termIds.set(copied(word), term);
      lastRow.push(-1);
    }
    if (lastRow[term] === rows) return;
    lastRow[term] = rows;
    if (used === pairs.length) pairs = copyTo(pairs, new Uint32Array(used * 2));
    pairs[used++] = term;
  };

  return {
    add: (row) => {
      for (const text of textsOf(row)) {
        if (text !== null) for (const word of wordsOf(text)) addWord(word);
      }
      if (rows === rowEnds.length) rowEnds = copyTo(rowEnds, new Uint32Array(rows * 2));
      rowEnds[rows++] = used;
    },
    finish: (pool) => {
      const words = growingStrings(termIds.size, 8);
      for (const word of termIds.keys()) words.add(word);
      return segmentOf(words.view(), pairs.subarray(0, used), rowEnds.subarray(0, rows), firstSlot, pool);
    },
  };
};

const sortedTexts = (texts: ByteStrings, order: Uint32Array, pool: BufferPool): ByteStrings => {
  const bytes = pool.bytes(texts.bytes.length);
  const starts = pool.words(order.length + 1);
  let used = 0;
  starts[0] = 0;
  order.forEach((text, index) => {
    const own = texts.bytes.subarray(wordAt(texts.starts, text), wordAt(texts.starts, text + 1));
    bytes.set(own, used);
    used += own.length;
    starts[index + 1] = used;
  });
  return { bytes, starts };
};

const segmentOf = (
  words: ByteStrings,
  pairs: Uint32Array,
  rowEnds: Uint32Array,
  firstSlot: number,
  pool: BufferPool,
): TextSegment => {
  const count = words.starts.length - 1;
  const order = orderTexts(words, count);
  const rank = new Uint32Array(count);
  order.forEach((term, index) => (rank[term] = index));
  const offsets = pool.words(count + 1);
  offsets.fill(0);
  for (let i = 0; i < pairs.length; i++) {
    const term = wordAt(rank, wordAt(pairs, i)) + 1;
    offsets[term] = wordAt(offsets, term) + 1;
  }
  for (let i = 1; i < offsets.length; i++) offsets[i] = wordAt(offsets, i) + wordAt(offsets, i - 1);
  const next = Uint32Array.from(offsets);
  const slots = pool.words(pairs.length);
  for (let row = 0, pair = 0; row < rowEnds.length; row++) {
    for (const end = wordAt(rowEnds, row); pair < end; pair++) {
      const term = wordAt(rank, wordAt(pairs, pair));
      slots[wordAt(next, term)] = firstSlot + row;
      next[term] = wordAt(next, term) + 1;
    }
  }
  return { terms: sortedTexts(words, order, pool), offsets, slots };
};
