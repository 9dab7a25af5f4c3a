import type { KernelMemory, Layout, RowMask } from './layout.ts';

/**
 * The inner loops of the engine, in WebAssembly SIMD, for 1 to 16 facets. They work in one memory, whose columns are
 * placed by `layout.ts`. The tests compare them with counting row by row.
 *
 * Each facet of a row has a bucket, a byte that rises with the value, so that a range is two buckets. Bucket 0 is
 * "unknown": an inactive range covers 0 … 255, an active one starts at 1 or above. Bucket 255 is empty. Where a bound
 * lies between values of one bucket, the caller has marked the failing rows in the mask before.
 */
export type Kernel = Readonly<{
  layout: Layout;
  /**
   * The mask of the rows. The caller fills it before each pass: 0, `excludedRow`, or single bits for ranges that the
   * row is known to fail. `refresh` and `brush` set bit k where the bucket fails range k.
   */
  mask: RowMask;
  /** Excludes in the mask the rows whose code in a filter column is outside low … high, both inclusive. */
  excludeOutside: (column: number, low: number, high: number, size: number) => void;
  /** Excludes in the mask the rows that lack one of these bits in a filter column. */
  excludeWithout: (column: number, bits: number, size: number) => void;
  /** Starts to mark failures and to count. Nothing else may be called until the pass is done. */
  refresh: (job: Job) => Pass<RefreshCounts>;
  /** The same, per interval of the active facet. */
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
  /** Buckets: for each facet the lowest that passes its range, and then for each facet the highest. */
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
    /** The number of the facet whose slider is dragged; its range in `ranges` is open. */
    active: number;
    /** The interval of each code of the active facet: `maxCodes` numbers. */
    intervalOf: Uint16Array;
    intervals: number;
  }>;

export type BrushCounts = Readonly<{
  /** The number of rows that fail nothing, per interval. */
  hits: Uint32Array;
  /**
   * Bin b of facet k in interval c, with every range but k, is at `(layout.histograms * c + k) * binStride + b`; zero for
   * the active facet.
   */
  counts: Uint32Array;
}>;

/** Creates a kernel that works on the columns of a memory. */
export type KernelFactory = (memory: KernelMemory, layout: Layout) => Kernel;
