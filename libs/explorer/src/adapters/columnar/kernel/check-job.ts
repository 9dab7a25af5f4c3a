import { binStride, facetCount, mostCells, type BrushJob, type RefreshJob } from './kernel.ts';
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

const checkCommon = (
  { ranges, matrices }: Pick<RefreshJob, 'ranges' | 'matrices'>,
  end: number,
  layout: Layout,
): void => {
  checkRows(end, layout);
  demand(ranges.length === 2 * facetCount, `ranges holds ${ranges.length} codes: give two for each facet.`);
  demand(
    matrices.length === facetCount && matrices.every((matrix) => matrix < 3),
    `matrices is [${matrices.join(', ')}]: give 0, 1 or 2 for each facet.`,
  );
};

/** The same for a refresh. */
export const checkRefresh = (job: RefreshJob, layout: Layout): void => {
  checkCommon(job, job.size, layout);
  demand(
    job.counts.length === facetCount * binStride,
    `counts holds ${job.counts.length} numbers: give it ${facetCount * binStride}.`,
  );
};

/** The same for a brush, but for what stands in `cellOf`. */
export const checkBrush = (job: BrushJob, layout: Layout): void => {
  const { from, to, active, cellOf, cells, hits, counts } = job;
  checkCommon(job, to, layout);
  demand(from >= 0 && from % rowBlock === 0, `from is ${from}: begin a piece at a multiple of ${rowBlock}.`);
  demand(active >= 0 && active < facetCount, `active is ${active}: give the number of a facet.`);
  demand(cellOf.length === 65_536, `cellOf holds ${cellOf.length} cells: give one for each of 65,536 codes.`);
  demand(cells <= mostCells, `cells is ${cells}: a brush may have ${mostCells} at most.`);
  demand(hits.length === cells, `hits holds ${hits.length} numbers: give one for each of ${cells} cells.`);
  demand(
    counts.length === cells * facetCount * binStride,
    `counts holds ${counts.length} numbers: ${cells} cells need ${cells * facetCount * binStride}.`,
  );
};

/** Throws a `RangeError` unless `cellOf` keeps within the cells, as the kernel found. */
export const checkCells = (cells: number, suffice: boolean): void => {
  demand(suffice, `cellOf names a cell that is none of ${cells}: give cells from 0 to ${cells - 1}.`);
};
