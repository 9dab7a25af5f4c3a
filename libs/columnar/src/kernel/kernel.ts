import { readFileSync } from 'node:fs';
import {
  binStride,
  bucketCount,
  facetCount,
  filterColumns,
  maxCells,
  maxCodes,
  rowBlock,
  webAssembly,
  type CompiledModule,
  type KernelMemory,
  type Layout,
} from './layout.ts';

/**
 * The inner loops of the engine, in WebAssembly SIMD. They work in one memory, whose columns are placed by `layout.ts`.
 * The tests compare them with a reference implementation in JavaScript.
 *
 * Each facet of a row has a bucket, a byte that rises with the value, so that a range is two buckets. Bucket 0 is
 * "unknown": an inactive range covers 0 … 255, an active one starts at 1 or above. Bucket 255 is empty. Where a bound
 * lies between values of one bucket, the caller has marked the failing rows in the mask before.
 */
export type Kernel = Readonly<{
  layout: Layout;
  /**
   * The mask of the rows, a byte each. The caller fills it before each pass: 0, `excludedRow`, or single bits for
   * ranges that the row is known to fail. `refresh` and `brush` set bit k where the bucket fails range k.
   */
  mask: Uint8Array;
  /** Excludes in the mask the rows whose code in a filter column is outside low … high, both inclusive. */
  excludeOutside: (column: number, low: number, high: number, size: number) => void;
  /** Excludes in the mask the rows that lack one of these bits in a filter column. */
  excludeWithout: (column: number, bits: number, size: number) => void;
  /** Starts to mark failures and to count. Nothing else may be called until the pass is done. */
  refresh: (job: Job) => Pass<RefreshCounts>;
  /** The same, per cell of the active facet. */
  brush: (job: BrushJob) => Pass<BrushCounts>;
}>;

/** Goes over the rows in any number of pieces. */
export type Pass<Counts> = Readonly<{
  /** Counts the rows `from` to `to`; `from` is a multiple of `rowBlock`. */
  count: (from: number, to: number) => void;
  /** The counts, in memory of the kernel that the next pass overwrites. */
  done: () => Counts;
}>;

export type Job = Readonly<{
  /** Sixteen buckets: the lowest that passes range k at k, the highest at 8 + k. */
  ranges: Uint8Array;
  /** `binOffset` times the bin of each bucket: that of bucket b of facet k is at `256 * k + b`. */
  bins: Uint8Array;
}>;

export type RefreshCounts = Readonly<{
  /** The number of rows that fail nothing. */
  total: number;
  /** Bin b of facet k, with every range but k, is at `k * binStride + b`. */
  counts: Uint32Array;
}>;

export type BrushJob = Job &
  Readonly<{
    /** The facet whose slider is dragged, 0 to 7; its range in `ranges` is open. */
    active: number;
    /** The cell of each code of the active facet: `maxCodes` numbers. */
    cellOf: Uint16Array;
    cells: number;
  }>;

export type BrushCounts = Readonly<{
  /** The number of rows that fail nothing, per cell. */
  hits: Uint32Array;
  /**
   * Bin b of facet k in cell c, with every range but k, is at `(8 * c + k) * binStride + b`; zero for the active facet.
   */
  counts: Uint32Array;
}>;

/** Creates a kernel that works on the columns of a memory. */
export type KernelFactory = (memory: KernelMemory, layout: Layout) => Kernel;

const check = (holds: boolean, message: string): void => {
  if (!holds) throw new RangeError(message);
};

const checkRows = (end: number, { capacity }: Layout): void => {
  check(
    end >= 0 && end <= capacity,
    `The end of the rows is ${end}, but the memory has room for ${capacity}.`,
  );
};

/** Throws a `RangeError` for a filter that would make the kernel read or write outside its memory. */
export const checkFilter = (column: number, size: number, layout: Layout): void => {
  check(
    column in filterColumns,
    `column is ${column}: give the index of one of ${filterColumns.join(', ')}.`,
  );
  checkRows(size, layout);
};

/** The same for the job of a refresh. */
export const checkRefresh = ({ ranges, bins }: Job): void => {
  check(ranges.length === 2 * facetCount, `ranges holds ${ranges.length} buckets: give two for each facet.`);
  check(
    bins.length === facetCount * bucketCount,
    `bins holds ${bins.length} bins: give one for each of ${facetCount * bucketCount} buckets.`,
  );
};

/** The same for the job of a brush. */
export const checkBrush = (job: BrushJob): void => {
  const { active, cellOf, cells } = job;
  checkRefresh(job);
  check(active >= 0 && active < facetCount, `active is ${active}: give the number of a facet.`);
  check(cells <= maxCells, `cells is ${cells}: the maximum is ${maxCells}.`);
  check(
    cellOf.length === maxCodes,
    `cellOf holds ${cellOf.length} cells: give one for each of ${maxCodes} codes.`,
  );
  check(
    cellOf.every((cell) => cell < cells),
    `cellOf names a cell that is not among the ${cells}: give cells from 0 to ${cells - 1}.`,
  );
};

/** The same for a piece of either. */
export const checkPiece = (from: number, to: number, layout: Layout): void => {
  checkRows(to, layout);
  check(from >= 0 && from % rowBlock === 0, `from is ${from}: start a piece at a multiple of ${rowBlock}.`);
};

type Offset = Readonly<{ value: number }>;

/** What `assembly/kernel.ts` exports. Offsets are bytes from the start of the working memory. */
type Exports = Readonly<{
  setLayout: (
    scratch: number,
    mask: number,
    buckets: number,
    codes: number,
    filters: number,
    capacity: number,
  ) => void;
  excludeOutside: (column: number, low: number, high: number, size: number) => void;
  excludeWithout: (column: number, bits: number, size: number) => void;
  beginRefresh: () => void;
  refresh: (from: number, to: number) => void;
  endRefresh: () => number;
  beginBrush: (cells: number) => void;
  brush: (from: number, to: number, active: number) => void;
  endBrush: (active: number, cells: number) => void;
  rangesOffset: Offset;
  countsOffset: Offset;
  binsOffset: Offset;
  cellOfOffset: Offset;
  hitsOffset: Offset;
  cellsOffset: Offset;
}>;

// At the same depth below the package in `dist` as in `src`.
const binary = new URL('../../assembly/kernel.wasm', import.meta.url);

/** @throws Error when this runtime has no WebAssembly SIMD; every Node since 16.4 has it. */
export const compileKernel = (bytes: Uint8Array = readFileSync(binary)): CompiledModule => {
  try {
    return new webAssembly.Module(bytes);
  } catch (cause) {
    throw new Error(
      'The search engine needs WebAssembly SIMD, which this runtime cannot compile: use Node 20.19 or later.',
      { cause },
    );
  }
};

let compiled: CompiledModule | undefined;

/** Processes 2 to 16 rows per instruction. */
export const simdKernel: KernelFactory = (memory, layout) => {
  const { buffer } = memory;
  const instance = new webAssembly.Instance((compiled ??= compileKernel()), { env: { memory } });
  // The exports of a compiled module have no types; `npm run check` compares the binary with its source.
  const wasm = instance.exports as unknown as Exports;
  wasm.setLayout(layout.scratch, layout.mask, layout.buckets, layout.codes, layout.filters, layout.capacity);

  const wordsAt = ({ value }: Offset, length: number): Uint32Array =>
    new Uint32Array(buffer, layout.scratch + value, length);
  const bytesAt = ({ value }: Offset, length: number): Uint8Array =>
    new Uint8Array(buffer, layout.scratch + value, length);
  const ranges = bytesAt(wasm.rangesOffset, 2 * facetCount);
  const counts = wordsAt(wasm.countsOffset, facetCount * binStride);
  const bins = bytesAt(wasm.binsOffset, facetCount * bucketCount);
  const cellOf = new Uint16Array(buffer, layout.scratch + wasm.cellOfOffset.value, maxCodes);
  const hits = wordsAt(wasm.hitsOffset, maxCells);
  const cellCounts = wordsAt(wasm.cellsOffset, maxCells * facetCount * binStride);

  return {
    layout,
    mask: new Uint8Array(buffer, layout.mask, layout.capacity),
    excludeOutside: (column, low, high, size) => {
      checkFilter(column, size, layout);
      wasm.excludeOutside(column, low, high, size);
    },
    excludeWithout: (column, bits, size) => {
      checkFilter(column, size, layout);
      wasm.excludeWithout(column, bits, size);
    },
    refresh: (job) => {
      checkRefresh(job);
      ranges.set(job.ranges);
      bins.set(job.bins);
      wasm.beginRefresh();
      return {
        count: (from, to) => {
          checkPiece(from, to, layout);
          wasm.refresh(from, to);
        },
        done: () => ({ total: wasm.endRefresh(), counts }),
      };
    },
    brush: (job) => {
      checkBrush(job);
      const { active, cells } = job;
      ranges.set(job.ranges);
      cellOf.set(job.cellOf);
      bins.set(job.bins);
      wasm.beginBrush(cells);
      return {
        count: (from, to) => {
          checkPiece(from, to, layout);
          wasm.brush(from, to, active);
        },
        done: () => {
          wasm.endBrush(active, cells);
          return {
            hits: hits.subarray(0, cells),
            counts: cellCounts.subarray(0, cells * facetCount * binStride),
          };
        },
      };
    },
  };
};
