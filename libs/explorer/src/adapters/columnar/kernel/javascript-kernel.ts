import { byteAt, wordAt } from '../typed-arrays.ts';
import { checkBrush, checkCells, checkFilter, checkRefresh } from './check-job.ts';
import { binStride, excludedRow, facetCount, type BrushJob, type KernelFactory } from './kernel.ts';
import { rowBlock } from './layout.ts';

const highestCode = 65_535;
const cellStride = facetCount * binStride;

const codeAt = (codes: Uint16Array, index: number): number => codes[index] ?? 0;

/** The lowest and the highest code that pass. */
type CodeRange = readonly [low: number, high: number];
/** Rows, the end excluded. */
type Rows = readonly [from: number, to: number];

function* blocksOf(from: number, to: number): Generator<Rows> {
  for (let start = from; start < to; start += rowBlock) yield [start, Math.min(to, start + rowBlock)];
}

// No jumps in the loops over all rows: comparisons of data are unpredictable, and a wrong guess costs more.
const markOutside = (
  mask: Uint8Array,
  codes: Uint16Array,
  [low, high]: CodeRange,
  bits: number,
  [from, to]: Rows,
): void => {
  for (let row = from; row < to; row++) {
    const code = codeAt(codes, row);
    mask[row] = byteAt(mask, row) | ((((code - low) | (high - code)) >> 31) & bits);
  }
};

const markWithout = (mask: Uint8Array, codes: Uint16Array, bits: number, size: number): void => {
  for (let row = 0; row < size; row++) {
    mask[row] = byteAt(mask, row) | ((((codeAt(codes, row) & bits) - bits) >> 31) & excludedRow);
  }
};

/** 1: the row fails nothing; 2: exactly one range; 0: more. */
const classOfMask = Uint8Array.from({ length: 256 }, (_, mask) => {
  if (mask === 0) return 1;
  return (mask & (mask - 1)) === 0 ? 2 : 0;
});

/** The first `length` places: rows of one block, and for each the place in the counts where its cell begins. */
type RowList = { readonly rows: Uint32Array; readonly cells: Uint32Array; length: number };
// One place more than a block has rows: a row that does not count is written too, and then overwritten.
const emptyList = (): RowList => ({
  rows: new Uint32Array(rowBlock + 1),
  cells: new Uint32Array(rowBlock + 1),
  length: 0,
});

const highestOf = (cellOf: Uint16Array): number => {
  let highest = 0;
  for (let code = 0; code < cellOf.length; code++) highest = Math.max(highest, codeAt(cellOf, code));
  return highest;
};

const addOne = (counts: Uint32Array, place: number): void => {
  counts[place] = wordAt(counts, place) + 1;
};

/** Where a row counts among the histograms of its cell. A matrix holds offsets in bytes, four for each bin. */
const placeOf = (matrix: Uint8Array, row: number, facet: number): number =>
  facet * binStride + (byteAt(matrix, facetCount * row + facet) >> 2);

const countHits = ({ cells, length }: RowList, hits: Uint32Array): void => {
  for (let j = 0; j < length; j++) addOne(hits, wordAt(cells, j) / cellStride);
};

/** The bin matrix of each facet; null where nothing is counted. */
type FacetBins = readonly (Uint8Array | null)[];

const countFacet = (
  { rows, cells, length }: RowList,
  matrix: Uint8Array,
  facet: number,
  counts: Uint32Array,
): void => {
  for (let j = 0; j < length; j++) {
    addOne(counts, wordAt(cells, j) + placeOf(matrix, wordAt(rows, j), facet));
  }
};

/** The kernel in plain JavaScript: where there is no SIMD, and as the other one's witness. */
export const javascriptKernel: KernelFactory = (memory, layout) => {
  const { buffer } = memory;
  const { capacity } = layout;
  const columnAt = (offset: number, index: number): Uint16Array =>
    new Uint16Array(buffer, offset + 2 * index * capacity, capacity);
  const mask = new Uint8Array(buffer, layout.mask, capacity);
  const codes = Array.from({ length: facetCount }, (_, facet) => columnAt(layout.codes, facet));
  const matrices = layout.bins.map((offset) => new Uint8Array(buffer, offset, facetCount * capacity));
  const passing = emptyList();
  const failingOne = emptyList();

  const markFailures = (ranges: Uint16Array, block: Rows): void => {
    codes.forEach((column, facet) => {
      const range = [codeAt(ranges, 2 * facet), codeAt(ranges, 2 * facet + 1)] as const;
      if (range[0] > 0 || range[1] < highestCode) markOutside(mask, column, range, 1 << facet, block);
    });
  };

  const listRows = ([from, to]: Rows): void => {
    let passed = 0;
    let single = 0;
    for (let row = from; row < to; row++) {
      const kind = byteAt(classOfMask, byteAt(mask, row));
      passing.rows[passed] = row;
      passed += kind & 1;
      failingOne.rows[single] = row;
      single += kind >> 1;
    }
    passing.length = passed;
    failingOne.length = single;
  };

  const countFailingOne = ({ rows, cells, length }: RowList, bins: FacetBins, counts: Uint32Array): void => {
    for (let j = 0; j < length; j++) {
      const row = wordAt(rows, j);
      const facet = 31 - Math.clz32(byteAt(mask, row));
      const matrix = bins[facet];
      if (matrix) addOne(counts, wordAt(cells, j) + placeOf(matrix, row, facet));
    }
  };

  /** A row that passes counts in every histogram, a row that fails one range in that one's, others nowhere. */
  const countLists = (bins: FacetBins, counts: Uint32Array): void => {
    bins.forEach((matrix, facet) => {
      if (matrix) countFacet(passing, matrix, facet, counts);
    });
    countFailingOne(failingOne, bins, counts);
  };

  const findCells = ({ rows, cells, length }: RowList, { active, cellOf }: BrushJob): void => {
    const column = codes[active] ?? new Uint16Array();
    for (let j = 0; j < length; j++) {
      cells[j] = codeAt(cellOf, codeAt(column, wordAt(rows, j))) * cellStride;
    }
  };

  return {
    layout,
    mask,
    excludeOutside: (column, low, high, size) => {
      checkFilter(column, size, layout);
      markOutside(mask, columnAt(layout.filters, column), [low, high], excludedRow, [0, size]);
    },
    excludeWithout: (column, bits, size) => {
      checkFilter(column, size, layout);
      markWithout(mask, columnAt(layout.filters, column), bits, size);
    },
    refresh: (job) => {
      checkRefresh(job, layout);
      const bins = Array.from(job.matrices, (matrix) => matrices[matrix] ?? null);
      job.counts.fill(0);
      passing.cells.fill(0);
      failingOne.cells.fill(0);
      let total = 0;
      for (const block of blocksOf(0, job.size)) {
        markFailures(job.ranges, block);
        listRows(block);
        countLists(bins, job.counts);
        total += passing.length;
      }
      return total;
    },
    brush: (job) => {
      checkBrush(job, layout);
      checkCells(job.cells, highestOf(job.cellOf) < job.cells);
      const { active, hits, counts } = job;
      const bins = Array.from(job.matrices, (matrix, facet) =>
        facet === active ? null : (matrices[matrix] ?? null),
      );
      for (const block of blocksOf(job.from, job.to)) {
        markFailures(job.ranges, block);
        listRows(block);
        findCells(passing, job);
        findCells(failingOne, job);
        countHits(passing, hits);
        countLists(bins, counts);
      }
    },
  };
};
