import type { BrushJob, Job } from '../kernel.ts';
import { binOffset, binStride, bucketCount, type RowMask } from '../layout.ts';
import type { RandomColumns } from './random-columns.ts';

/** @throws RangeError outside the array. */
export const numberAt = (numbers: ArrayLike<number>, index: number): number => {
  const number = numbers[index];
  if (number === undefined) throw new RangeError(`nothing at ${index}`);
  return number;
};

const increment = (counts: Uint32Array, index: number): void => {
  counts[index] = numberAt(counts, index) + 1;
};

const bucketOf = ({ buckets, layout }: RandomColumns, row: number, facet: number): number =>
  numberAt(buckets, layout.stride * row + facet);

const failuresOf = (columns: RandomColumns, { ranges }: Job, row: number): number => {
  const { facets } = columns.layout;
  let failures = 0;
  for (let facet = 0; facet < facets; facet++) {
    const bucket = bucketOf(columns, row, facet);
    const fails = bucket < numberAt(ranges, facet) || bucket > numberAt(ranges, facets + facet);
    if (fails) failures += 2 ** facet;
  }
  return failures;
};

const binOf = (columns: RandomColumns, { bins }: Job, row: number, facet: number): number =>
  numberAt(bins, bucketCount * facet + bucketOf(columns, row, facet)) / binOffset;

const passesAllBut = (mask: number, facet: number): boolean => mask === 0 || mask === 2 ** facet;

const maskAfter = (columns: RandomColumns, before: RowMask, job: Job): readonly number[] =>
  Array.from(before, (mask, row) => mask | failuresOf(columns, job, row));

/** The result that a kernel must return for a refresh, in the simplest code. */
export const refreshRowByRow = (
  columns: RandomColumns,
  before: RowMask,
  job: Job,
): Readonly<{ mask: readonly number[]; counts: Uint32Array; total: number }> => {
  const { facets } = columns.layout;
  const mask = maskAfter(columns, before, job);
  const counts = new Uint32Array(facets * binStride);
  mask.forEach((failures, row) => {
    for (let facet = 0; facet < facets; facet++) {
      if (passesAllBut(failures, facet)) {
        increment(counts, facet * binStride + binOf(columns, job, row, facet));
      }
    }
  });
  return { mask, counts, total: mask.filter((failures) => failures === 0).length };
};

/** The result that a kernel must return for a brush over all rows of the mask; the intervals have no unused histograms. */
export const brushRowByRow = (
  columns: RandomColumns,
  before: RowMask,
  job: BrushJob,
): Readonly<{ mask: readonly number[]; counts: Uint32Array; hits: Uint32Array }> => {
  const { facets } = columns.layout;
  const mask = maskAfter(columns, before, job);
  const hits = new Uint32Array(job.intervals);
  const counts = new Uint32Array(job.intervals * facets * binStride);
  mask.forEach((failures, row) => {
    const interval = numberAt(job.intervalOf, numberAt(columns.codes[job.active] ?? [], row));
    if (failures === 0) increment(hits, interval);
    for (let facet = 0; facet < facets; facet++) {
      if (facet === job.active || !passesAllBut(failures, facet)) continue;
      increment(counts, (interval * facets + facet) * binStride + binOf(columns, job, row, facet));
    }
  });
  return { mask, counts, hits };
};
