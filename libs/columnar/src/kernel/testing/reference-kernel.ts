import { byteAt, shortAt, wordAt } from '../../snapshot/typed-arrays.ts';
import {
  checkBrush,
  checkFilter,
  checkPiece,
  checkRefresh,
  type BrushJob,
  type KernelFactory,
} from '../kernel.ts';
import { binOffset, binStride, bucketCount, excludedRow, facetCount, rowBlock } from '../layout.ts';

const cellStride = facetCount * binStride;
const noActiveFacet = -1;
const facets = Array.from({ length: facetCount }, (_, facet) => facet);

/** The lowest and the highest number that pass. */
type NumberRange = readonly [low: number, high: number];
/** From the first row to the one after the last. */
type Rows = readonly [from: number, to: number];

function* blocksOf(from: number, to: number): Generator<Rows> {
  for (let start = from; start < to; start += rowBlock) yield [start, Math.min(to, start + rowBlock)];
}

// No branches in the loops over all rows: they cannot be predicted, and a misprediction costs more than the work.
const excludeOutside = (
  mask: Uint8Array,
  codes: Uint16Array,
  [low, high]: NumberRange,
  size: number,
): void => {
  for (let row = 0; row < size; row++) {
    const code = shortAt(codes, row);
    mask[row] = byteAt(mask, row) | ((((code - low) | (high - code)) >> 31) & excludedRow);
  }
};

const excludeWithout = (mask: Uint8Array, codes: Uint16Array, bits: number, size: number): void => {
  for (let row = 0; row < size; row++) {
    mask[row] = byteAt(mask, row) | ((((shortAt(codes, row) & bits) - bits) >> 31) & excludedRow);
  }
};

/** 1: the row fails nothing; 2: exactly one range; 0: more. */
const classOfMask = Uint8Array.from({ length: 256 }, (_, mask) => {
  if (mask === 0) return 1;
  return (mask & (mask - 1)) === 0 ? 2 : 0;
});

/** The first `length` elements: rows of one block, and the cell of each. */
type RowList = { readonly rows: Uint32Array; readonly cells: Uint32Array; length: number };
// One element more than a block has rows: a row that does not count is also written, and then overwritten.
const emptyList = (): RowList => ({
  rows: new Uint32Array(rowBlock + 1),
  cells: new Uint32Array(rowBlock + 1),
  length: 0,
});

const increment = (counts: Uint32Array, index: number): void => {
  counts[index] = wordAt(counts, index) + 1;
};

/** The reference implementation of the kernel, in JavaScript: for tests and the benchmark. */
export const referenceKernel: KernelFactory = (memory, layout) => {
  const { buffer } = memory;
  const { capacity } = layout;
  const columnAt = (offset: number, index: number): Uint16Array =>
    new Uint16Array(buffer, offset + 2 * index * capacity, capacity);
  const mask = new Uint8Array(buffer, layout.mask, capacity);
  const buckets = new Uint8Array(buffer, layout.buckets, facetCount * capacity);
  const passing = emptyList();
  const failingOne = emptyList();

  /** For bucket b of facet k, at `256 * k + b`: bit k if it fails the range, else 0. */
  const failures = new Uint8Array(facetCount * bucketCount);
  const writeFailures = (ranges: Uint8Array): void => {
    for (const facet of facets) {
      const [low, high] = [byteAt(ranges, facet), byteAt(ranges, facetCount + facet)];
      for (let bucket = 0; bucket < bucketCount; bucket++) {
        failures[bucketCount * facet + bucket] = bucket < low || bucket > high ? 1 << facet : 0;
      }
    }
  };
  const failure = (row: number, facet: number): number =>
    byteAt(failures, bucketCount * facet + byteAt(buckets, facetCount * row + facet));

  const markFailures = ([from, to]: Rows): void => {
    for (let row = from; row < to; row++) {
      const low = failure(row, 0) | failure(row, 1) | failure(row, 2) | failure(row, 3);
      const high = failure(row, 4) | failure(row, 5) | failure(row, 6) | failure(row, 7);
      mask[row] = byteAt(mask, row) | low | high;
    }
  };

  const listRows = ([from, to]: Rows): void => {
    let passed = 0;
    let failedOne = 0;
    for (let row = from; row < to; row++) {
      const kind = byteAt(classOfMask, byteAt(mask, row));
      passing.rows[passed] = row;
      passed += kind & 1;
      failingOne.rows[failedOne] = row;
      failedOne += kind >> 1;
    }
    passing.length = passed;
    failingOne.length = failedOne;
  };

  /** The number of the only range that a row fails. */
  const failedRange = (row: number): number => 31 - Math.clz32(byteAt(mask, row));

  const findCells = ({ rows, cells, length }: RowList, { active, cellOf }: BrushJob): void => {
    const column = columnAt(layout.codes, active);
    for (let j = 0; j < length; j++) cells[j] = shortAt(cellOf, shortAt(column, wordAt(rows, j)));
  };

  const binOf = (bins: Uint8Array, facet: number, row: number): number =>
    byteAt(bins, bucketCount * facet + byteAt(buckets, facetCount * row + facet)) / binOffset;

  const countBins = (
    { rows, cells, length }: RowList,
    facet: number,
    bins: Uint8Array,
    counts: Uint32Array,
  ): void => {
    const first = facet * binStride;
    for (let j = 0; j < length; j++) {
      increment(counts, wordAt(cells, j) * cellStride + first + binOf(bins, facet, wordAt(rows, j)));
    }
  };

  const countFailingOne = (
    { rows, cells, length }: RowList,
    bins: Uint8Array,
    counts: Uint32Array,
    active: number,
  ): void => {
    for (let j = 0; j < length; j++) {
      const row = wordAt(rows, j);
      const facet = failedRange(row);
      if (facet === active) continue;
      increment(counts, wordAt(cells, j) * cellStride + facet * binStride + binOf(bins, facet, row));
    }
  };

  const countHits = ({ cells, length }: RowList, hits: Uint32Array): void => {
    for (let j = 0; j < length; j++) increment(hits, wordAt(cells, j));
  };

  /** A row that passes counts in every histogram, a row that fails one range in that histogram, others nowhere. */
  const countLists = (bins: Uint8Array, counts: Uint32Array, active: number): void => {
    for (const facet of facets) if (facet !== active) countBins(passing, facet, bins, counts);
    countFailingOne(failingOne, bins, counts, active);
  };

  return {
    layout,
    mask,
    excludeOutside: (column, low, high, size) => {
      checkFilter(column, size, layout);
      excludeOutside(mask, columnAt(layout.filters, column), [low, high], size);
    },
    excludeWithout: (column, bits, size) => {
      checkFilter(column, size, layout);
      excludeWithout(mask, columnAt(layout.filters, column), bits, size);
    },
    refresh: (job) => {
      checkRefresh(job);
      writeFailures(job.ranges);
      passing.cells.fill(0);
      failingOne.cells.fill(0);
      const counts = new Uint32Array(cellStride);
      let total = 0;
      return {
        count: (from, to) => {
          checkPiece(from, to, layout);
          for (const block of blocksOf(from, to)) {
            markFailures(block);
            listRows(block);
            countLists(job.bins, counts, noActiveFacet);
            total += passing.length;
          }
        },
        done: () => ({ total, counts }),
      };
    },
    brush: (job) => {
      checkBrush(job);
      writeFailures(job.ranges);
      const hits = new Uint32Array(job.cells);
      const counts = new Uint32Array(job.cells * cellStride);
      return {
        count: (from, to) => {
          checkPiece(from, to, layout);
          for (const block of blocksOf(from, to)) {
            markFailures(block);
            listRows(block);
            findCells(passing, job);
            findCells(failingOne, job);
            countHits(passing, hits);
            countLists(job.bins, counts, job.active);
          }
        },
        done: () => ({ hits, counts }),
      };
    },
  };
};
