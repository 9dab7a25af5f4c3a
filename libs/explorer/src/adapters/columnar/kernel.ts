import { byteAt, floatAt, wordAt } from './typed-arrays.ts';

/** Room for the bins of one histogram and its count of unknown values. */
export const binStride = 64;
/** Base of a row that fails something other than the eight ranges. */
export const excludedRow = 255;

/** A facet's column with its inclusive bounds. */
export type Lane = Readonly<{ values: Float64Array; low: number; high: number }>;
export type Lanes = readonly [Lane, Lane, Lane, Lane];

export type RefreshJob = Readonly<{
  size: number;
  /** 0 where the row may count, `excludedRow` where it may not. */
  base: Uint8Array;
  /** The eight facets, in two groups of four. */
  lanes: readonly [Lanes, Lanes];
  /** Bit k: range k is active, and rows without a value fail it. */
  active: number;
  /** Bin of every row per facet; null where no histogram is wanted. */
  bins: readonly (Uint8Array | null)[];
  /** Out: bit k of a row says that it fails range k. */
  mask: Uint8Array;
  /** Out: histogram k from `k * binStride`, with every range but k. */
  counts: Uint32Array;
}>;

/** The inner loops of the engine behind one call, so that another implementation can take their place. */
export type Kernel = Readonly<{
  /** Fills mask and counts; the answer is the number of rows that fail nothing. */
  refresh: (job: RefreshJob) => number;
}>;

const block = 4096;

// Branch-free and four columns a pass: comparisons of data are unpredictable, and a wrong guess costs more
// than all four. NaN is neither at or above nor at or below a bound, so unknown values fail.
const markFailures = (
  [a, b, c, d]: Lanes,
  wanted: number,
  shift: number,
  mask: Uint8Array,
  from: number,
  to: number,
): void => {
  const { values: av, low: al, high: ah } = a;
  const { values: bv, low: bl, high: bh } = b;
  const { values: cv, low: cl, high: ch } = c;
  const { values: dv, low: dl, high: dh } = d;
  for (let i = from; i < to; i++) {
    const w = floatAt(av, i);
    const x = floatAt(bv, i);
    const y = floatAt(cv, i);
    const z = floatAt(dv, i);
    const passed =
      (+(w >= al) & +(w <= ah)) |
      ((+(x >= bl) & +(x <= bh)) << 1) |
      ((+(y >= cl) & +(y <= ch)) << 2) |
      ((+(z >= dl) & +(z <= dh)) << 3);
    mask[i] = byteAt(mask, i) | ((~passed & wanted) << shift);
  }
};

/** 1: the row fails nothing; 2: exactly one range; 0: more. */
const classOfMask = Uint8Array.from({ length: 256 }, (_, mask) => {
  if (mask === 0) return 1;
  return (mask & (mask - 1)) === 0 ? 2 : 0;
});

const countList = (
  rows: Uint32Array,
  length: number,
  bins: Uint8Array,
  counts: Uint32Array,
  offset: number,
): void => {
  for (let j = 0; j < length; j++) {
    const place = offset + byteAt(bins, wordAt(rows, j));
    counts[place] = wordAt(counts, place) + 1;
  }
};

export const javascriptKernel = (): Kernel => {
  const passing = new Uint32Array(block + 1);
  const failingOne = new Uint32Array(block + 1);

  const countFailingOne = ({ mask, bins, counts }: RefreshJob, length: number): void => {
    for (let j = 0; j < length; j++) {
      const row = wordAt(failingOne, j);
      const facet = 31 - Math.clz32(byteAt(mask, row));
      const column = bins[facet];
      if (!column) continue;
      const place = facet * binStride + byteAt(column, row);
      counts[place] = wordAt(counts, place) + 1;
    }
  };

  /** A row that passes counts in every histogram, a row that fails one range in that one's, others nowhere. */
  const countBlock = (job: RefreshJob, from: number, to: number): number => {
    const { mask, bins, counts } = job;
    let total = 0;
    let singles = 0;
    for (let i = from; i < to; i++) {
      const kind = byteAt(classOfMask, byteAt(mask, i));
      passing[total] = i;
      total += kind & 1;
      failingOne[singles] = i;
      singles += kind >> 1;
    }
    bins.forEach((column, facet) => {
      if (column) countList(passing, total, column, counts, facet * binStride);
    });
    countFailingOne(job, singles);
    return total;
  };

  return {
    refresh: (job) => {
      const { size, active, lanes, mask } = job;
      job.counts.fill(0);
      mask.set(job.base.subarray(0, size));
      let total = 0;
      for (let from = 0; from < size; from += block) {
        const to = Math.min(size, from + block);
        if (active & 15) markFailures(lanes[0], active & 15, 0, mask, from, to);
        if (active >> 4) markFailures(lanes[1], active >> 4, 4, mask, from, to);
        total += countBlock(job, from, to);
      }
      return total;
    },
  };
};
