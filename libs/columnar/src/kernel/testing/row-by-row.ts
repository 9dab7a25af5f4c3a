import type { BrushJob, Job } from '../kernel.ts';
import { binOffset, binStride, bucketCount, facetCount } from '../layout.ts';
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

const facets = Array.from({ length: facetCount }, (_, facet) => facet);

const bucketOf = ({ buckets }: RandomColumns, row: number, facet: number): number =>
  numberAt(buckets, facetCount * row + facet);

const failuresOf = (columns: RandomColumns, { ranges }: Job, row: number): number =>
  facets.reduce((failures, facet) => {
    const bucket = bucketOf(columns, row, facet);
    const fails = bucket < numberAt(ranges, facet) || bucket > numberAt(ranges, facetCount + facet);
    return failures | (fails ? 1 << facet : 0);
  }, 0);

const binOf = (columns: RandomColumns, { bins }: Job, row: number, facet: number): number =>
  numberAt(bins, bucketCount * facet + bucketOf(columns, row, facet)) / binOffset;

const passesAllBut = (mask: number, facet: number): boolean => (mask & ~(1 << facet)) === 0;

/** The result that a kernel must return for a refresh, in the simplest code. */
export const refreshRowByRow = (
  columns: RandomColumns,
  before: Uint8Array,
  job: Job,
): Readonly<{ mask: Uint8Array; counts: Uint32Array; total: number }> => {
  const mask = before.map((byte, row) => byte | failuresOf(columns, job, row));
  const counts = new Uint32Array(facetCount * binStride);
  mask.forEach((byte, row) => {
    for (let facet = 0; facet < facetCount; facet++) {
      if (passesAllBut(byte, facet)) increment(counts, facet * binStride + binOf(columns, job, row, facet));
    }
  });
  return { mask, counts, total: mask.filter((byte) => byte === 0).length };
};

/** The result that a kernel must return for a brush over all rows of the mask. */
export const brushRowByRow = (
  columns: RandomColumns,
  before: Uint8Array,
  job: BrushJob,
): Readonly<{ mask: Uint8Array; counts: Uint32Array; hits: Uint32Array }> => {
  const mask = before.map((byte, row) => byte | failuresOf(columns, job, row));
  const hits = new Uint32Array(job.cells);
  const counts = new Uint32Array(job.cells * facetCount * binStride);
  mask.forEach((byte, row) => {
    const cell = numberAt(job.cellOf, numberAt(columns.codes[job.active] ?? [], row));
    if (byte === 0) increment(hits, cell);
    for (let facet = 0; facet < facetCount; facet++) {
      if (facet === job.active || !passesAllBut(byte, facet)) continue;
      increment(counts, (cell * facetCount + facet) * binStride + binOf(columns, job, row, facet));
    }
  });
  return { mask, counts, hits };
};
