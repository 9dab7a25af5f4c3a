import type { Layout } from './layout.ts';
import type { KernelMemory } from './web-assembly.ts';

/**
 * The inner loops of the engine. Two implementations answer alike: WebAssembly SIMD, and JavaScript as the
 * fallback and the second witness. Both work in one memory, whose columns stand as `layout.ts` says.
 *
 * Every facet of a row has a bucket, a byte that rises with its value, so that a range is two buckets. Bucket 0 is
 * "unknown": an inactive range takes 0 … 255, an active one begins at 1 or above. No row is in bucket 255. What
 * buckets cannot tell, because a bound falls between the values that share one, the caller has written into the
 * mask before.
 */
export type Kernel = Readonly<{
  layout: Layout;
  /**
   * The mask of the rows, a byte each. The caller fills it before a question: 0, or `excludedRow`, or single bits
   * for ranges that a row is known to fail. `refresh` and `brush` add bit k where the bucket fails range k.
   */
  mask: Uint8Array;
  /** Excludes in the mask rows whose code in a filter column lies outside low … high, both inclusive. */
  excludeOutside: (column: number, low: number, high: number, size: number) => void;
  /** Excludes in the mask rows that lack one of these bits in a filter column. */
  excludeWithout: (column: number, bits: number, size: number) => void;
  /** Begins to mark failures and to count; nothing else may be asked until it is done. */
  refresh: (job: Job) => Pass<RefreshCounts>;
  /** The same per cell of the active facet. */
  brush: (job: BrushJob) => Pass<BrushCounts>;
}>;

/** Goes over the rows in as many pieces as one likes. */
export type Pass<Counts> = Readonly<{
  /** Counts the rows `from` to `to`; `from` is a multiple of `rowBlock`. */
  count: (from: number, to: number) => void;
  /** What has been counted, in memory of the kernel's that the next question writes over. */
  done: () => Counts;
}>;

export type Job = Readonly<{
  /** Sixteen buckets: the lowest that passes range k at k, the highest at 8 + k. */
  ranges: Uint8Array;
  /** `binOffset` times the bin of each bucket: that of bucket b of facet k at `256 * k + b`. */
  bins: Uint8Array;
}>;

export type RefreshCounts = Readonly<{
  /** Rows that fail nothing. */
  total: number;
  /** Bin b of facet k at `k * binStride + b`, under every range but k. */
  counts: Uint32Array;
}>;

export type BrushJob = Job &
  Readonly<{
    /** The facet that is dragged, 0 to 7; its range in `ranges` is open. */
    active: number;
    /** The cell of each code of the active facet: `mostCodes` numbers. */
    cellOf: Uint16Array;
    cells: number;
  }>;

export type BrushCounts = Readonly<{
  /** Rows that fail nothing, per cell. */
  hits: Uint32Array;
  /** Bin b of facet k in cell c at `(8 * c + k) * binStride + b`, under every range but k; nothing for the active facet. */
  counts: Uint32Array;
}>;

/** How a kernel is put to work in a memory that holds these columns. */
export type KernelFactory = (memory: KernelMemory, layout: Layout) => Kernel;

/** The mask of a row that fails something other than the eight ranges. */
export const excludedRow = 255;
export const facetCount = 8;
/** Buckets that a byte can name; the last stays empty. */
export const bucketCount = 256;
/** Room for the bins of one histogram and its count of unknown values. */
export const binStride = 64;
/** What a bin counts for in a table of bins: the bytes of a counter. */
export const binOffset = 4;
/** As many codes as a facet may have. */
export const mostCodes = 1_024;
/** As many cells as a brush may have. */
export const mostCells = 768;
