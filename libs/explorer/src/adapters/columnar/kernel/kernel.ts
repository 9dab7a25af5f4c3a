import type { Layout } from './layout.ts';
import type { KernelMemory } from './web-assembly.ts';

/**
 * The inner loops of the engine. Two implementations answer alike: WebAssembly SIMD, and JavaScript as the
 * fallback and the second witness. Both work in one memory, whose columns stand as `layout.ts` says.
 *
 * Every facet of a row has a code of 16 bits that rises with its value, so that a range is two codes. Code 0 is
 * "unknown": an inactive range takes 0 … 65535, an active one begins at 1 or above. What a code cannot tell,
 * because a bound falls between the values that share it, the caller has written into the mask before.
 */
export type Kernel = Readonly<{
  layout: Layout;
  /**
   * The mask of the rows, a byte each. The caller fills it before a question: 0, or `excludedRow`, or single bits
   * for ranges that a row is known to fail. `refresh` and `brush` add bit k where the code fails range k.
   */
  mask: Uint8Array;
  /** Excludes in the mask rows whose code in a filter column lies outside low … high, both inclusive. */
  excludeOutside: (column: number, low: number, high: number, size: number) => void;
  /** Excludes in the mask rows that lack one of these bits in a filter column. */
  excludeWithout: (column: number, bits: number, size: number) => void;
  /** Marks failures and counts; the answer is the number of rows that fail nothing. */
  refresh: (job: RefreshJob) => number;
  /** The same for rows `from` to `to`, counted per cell of the active facet; may be called piece by piece. */
  brush: (job: BrushJob) => void;
}>;

type Job = Readonly<{
  /** Sixteen codes: the lowest that passes range k at 2k, the highest at 2k + 1. */
  ranges: Uint16Array;
  /** Eight numbers: which of the three bin matrices facet k is counted by. */
  matrices: Uint8Array;
}>;

export type RefreshJob = Job &
  Readonly<{
    size: number;
    /** Out: bin b of facet k at `k * binStride + b`, under every range but k. Cleared first. */
    counts: Uint32Array;
  }>;

export type BrushJob = Job &
  Readonly<{
    /** Rows of this piece; `from` is a multiple of `rowBlock`. */
    from: number;
    to: number;
    /** The facet that is dragged, 0 to 7; its range in `ranges` is open. */
    active: number;
    /** 65,536 numbers: the cell of each code of the active facet. */
    cellOf: Uint16Array;
    cells: number;
    /** In and out: rows that fail nothing, per cell. */
    hits: Uint32Array;
    /** In and out: bin b of facet k in cell c at `(c * 8 + k) * binStride + b`, under every range but k. */
    counts: Uint32Array;
  }>;

/** How a kernel is put to work in a memory that holds these columns. */
export type KernelFactory = (memory: KernelMemory, layout: Layout) => Kernel;

/** The mask of a row that fails something other than the eight ranges. */
export const excludedRow = 255;
/** Room for the bins of one histogram and its count of unknown values. */
export const binStride = 64;
export const facetCount = 8;
/** As many cells as a brush may have. */
export const mostCells = 768;
