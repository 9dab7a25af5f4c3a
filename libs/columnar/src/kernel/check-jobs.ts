import type { BrushJob, Job } from './kernel.ts';
import { bucketCount, filterColumns, maxCells, maxCodes, rowBlock, type Layout } from './layout.ts';

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
  const { active, cellOf, cells } = job;
  checkRefresh(job, layout);
  check(active >= 0 && active < layout.facets, `active is ${active}: give the number of a facet.`);
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
