import type { BrushJob, Job } from './kernel.ts';
import { bucketCount, filterColumns, maxIntervals, maxCodes, rowBlock, type Layout } from './layout.ts';

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
export const checkRefresh = ({ ranges, bins }: Job, { facets }: Layout): void => {
  check(ranges.length === 2 * facets, `ranges holds ${ranges.length} buckets: give two for each facet.`);
  check(
    bins.length === facets * bucketCount,
    `bins holds ${bins.length} bins: give one for each of ${facets * bucketCount} buckets.`,
  );
};

/** The same for the job of a brush. */
export const checkBrush = (job: BrushJob, layout: Layout): void => {
  const { active, intervalOf, intervals } = job;
  checkRefresh(job, layout);
  check(active >= 0 && active < layout.facets, `active is ${active}: give the number of a facet.`);
  check(intervals <= maxIntervals, `intervals is ${intervals}: the maximum is ${maxIntervals}.`);
  check(
    intervalOf.length === maxCodes,
    `intervalOf holds ${intervalOf.length} intervals: give one for each of ${maxCodes} codes.`,
  );
  check(
    intervalOf.every((interval) => interval < intervals),
    `intervalOf names an interval that is not among the ${intervals}: give intervals from 0 to ${intervals - 1}.`,
  );
};

/** The same for a piece of either. */
export const checkPiece = (from: number, to: number, layout: Layout): void => {
  checkRows(to, layout);
  check(from >= 0 && from % rowBlock === 0, `from is ${from}: start a piece at a multiple of ${rowBlock}.`);
};
