import { bucketCount, facetCount, mostCells, mostCodes, type BrushJob, type Job } from './kernel.ts';
import { filterColumns, rowBlock, type Layout } from './layout.ts';

const demand = (holds: boolean, sentence: string): void => {
  if (!holds) throw new RangeError(sentence);
};

const checkRows = (end: number, { capacity }: Layout): void => {
  demand(end >= 0 && end <= capacity, `Rows up to ${end} are asked for, but there is room for ${capacity}.`);
};

/** Throws a `RangeError` for a filter that would make a kernel read or write outside its memory. */
export const checkFilter = (column: number, size: number, layout: Layout): void => {
  demand(
    column in filterColumns,
    `column is ${column}: give the place of one of ${filterColumns.join(', ')}.`,
  );
  checkRows(size, layout);
};

/** The same for what a refresh begins with. */
export const checkRefresh = ({ ranges, bins }: Job): void => {
  demand(ranges.length === 2 * facetCount, `ranges holds ${ranges.length} buckets: give two for each facet.`);
  demand(
    bins.length === facetCount * bucketCount,
    `bins holds ${bins.length} bins: give one for each of ${facetCount * bucketCount} buckets.`,
  );
};

/** The same for what a brush begins with. */
export const checkBrush = (job: BrushJob): void => {
  const { active, cellOf, cells } = job;
  checkRefresh(job);
  demand(active >= 0 && active < facetCount, `active is ${active}: give the number of a facet.`);
  demand(cells <= mostCells, `cells is ${cells}: a brush may have ${mostCells} at most.`);
  demand(
    cellOf.length === mostCodes,
    `cellOf holds ${cellOf.length} cells: give one for each of ${mostCodes} codes.`,
  );
  demand(
    cellOf.every((cell) => cell < cells),
    `cellOf names a cell that is none of ${cells}: give cells from 0 to ${cells - 1}.`,
  );
};

/** The same for a piece of either. */
export const checkPiece = (from: number, to: number, layout: Layout): void => {
  checkRows(to, layout);
  demand(from >= 0 && from % rowBlock === 0, `from is ${from}: begin a piece at a multiple of ${rowBlock}.`);
};
