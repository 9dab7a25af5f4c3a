import { binOffset, binStride, bucketCount, facetCount, type BrushJob, type Job } from '../kernel.ts';
import type { RandomColumns } from './random-columns.ts';

/** The number at a place that must be there. */
export const numberAt = (numbers: ArrayLike<number>, place: number): number => {
  const number = numbers[place];
  if (number === undefined) throw new RangeError(`nothing at ${place}`);
  return number;
};

const addOne = (counts: Uint32Array, place: number): void => {
  counts[place] = numberAt(counts, place) + 1;
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

/** What a kernel must answer to a refresh, written as plainly as it can be said. */
export const refreshRowByRow = (
  columns: RandomColumns,
  before: Uint8Array,
  job: Job,
): Readonly<{ mask: Uint8Array; counts: Uint32Array; total: number }> => {
  const mask = before.map((byte, row) => byte | failuresOf(columns, job, row));
  const counts = new Uint32Array(facetCount * binStride);
  mask.forEach((byte, row) => {
    for (let facet = 0; facet < facetCount; facet++) {
      if (passesAllBut(byte, facet)) addOne(counts, facet * binStride + binOf(columns, job, row, facet));
    }
  });
  return { mask, counts, total: mask.filter((byte) => byte === 0).length };
};

/** What a kernel must answer to a brush over all rows of the mask. */
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
    if (byte === 0) addOne(hits, cell);
    for (let facet = 0; facet < facetCount; facet++) {
      if (facet === job.active || !passesAllBut(byte, facet)) continue;
      addOne(counts, (cell * facetCount + facet) * binStride + binOf(columns, job, row, facet));
    }
  });
  return { mask, counts, hits };
};
