import { defaultScale, facetFields } from '@tapedeck/search-engine/contract';
import { toSearchFilter, type NumberRange, type SearchEngine } from '@tapedeck/search-engine/engine';
import { catalogueRows } from './catalogue.ts';
import type { Random } from '../random.ts';

/** A filter that every strategy passes. */
export const openFilter = toSearchFilter({});

/** The figures of every row, column by column; NaN is unknown. */
export type Figures = Readonly<{
  ids: readonly string[];
  columns: readonly Float64Array[];
  /** The edges of the histograms, as the engine computed them. */
  edges: readonly (readonly number[])[];
  /** The bin of each value; the bin after the last one is "unknown". */
  bins: readonly Uint8Array[];
}>;

/** The first and the last bin are open-ended. */
export const binOf = (edges: readonly number[], value: number): number => {
  if (Number.isNaN(value)) return edges.length - 1;
  let [low, high] = [0, edges.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (value < (edges[middle] ?? 0)) high = middle - 1;
    else low = middle;
  }
  return low;
};

/** The rows of the engine's catalogue, for the other engines. */
export const readFigures = async (size: number, engine: SearchEngine): Promise<Figures> => {
  const ids: string[] = [];
  const columns = facetFields.map(() => new Float64Array(size));
  for (const { urlId, figures } of catalogueRows(size)) {
    facetFields.forEach((field, facet) => {
      const column = columns[facet];
      if (column) column[ids.length] = figures[field] ?? NaN;
    });
    ids.push(urlId);
  }
  const { histograms } = await engine.search({ filter: openFilter, histograms: defaultScale });
  const edges = histograms.map((histogram) => histogram.edges);
  const bins = columns.map((column, facet) =>
    Uint8Array.from(column, (value) => binOf(edges[facet] ?? [], value)),
  );
  return { ids, columns, edges, bins };
};

const passingShare = 0.75;

/** Sets of ranges; each range passes about 75 % of the rows, more where many rows share a value. */
export const drawRanges = ({ columns }: Figures, random: Random, sets: number): readonly Ranges[] => {
  const sorted = columns.map((column) => column.filter((value) => !Number.isNaN(value)).sort());
  const draw = (values: Float64Array, rows: number): NumberRange => {
    const width = Math.round(rows * passingShare);
    const from = random.below(Math.max(1, values.length - width));
    return { low: values[from] ?? -Infinity, high: values[from + width - 1] ?? Infinity };
  };
  return Array.from({ length: sets }, () =>
    sorted.map((values, facet) => draw(values, columns[facet]?.length ?? 0)),
  );
};

export type Ranges = readonly NumberRange[];

/** The answer of a full refresh; the last count of a histogram is that of rows without a value. */
export type Refreshed = Readonly<{
  total: number;
  first: readonly string[];
  histograms: readonly (readonly number[])[];
}>;

export const firstRows = 12;
/** The list is sorted by this facet, descending, then by id. */
export const sortFacet = facetFields.indexOf('sharpeRatio');

/** The ids of the first of these rows. */
export const firstOf = ({ ids, columns }: Figures, rows: number[]): readonly string[] => {
  const value = (row: number): number => columns[sortFacet]?.[row] ?? NaN;
  const id = (row: number): string => ids[row] ?? '';
  rows.sort((a, b) => value(b) - value(a) || (id(a) < id(b) ? -1 : 1));
  return rows.slice(0, firstRows).map(id);
};

/** Computes the answer row by row, in the simplest way. */
export const countPlainly = (figures: Figures, ranges: Ranges): Refreshed => {
  const { ids, columns, edges, bins } = figures;
  const histograms = edges.map((own) => own.map(() => 0));
  const passing: number[] = [];
  ids.forEach((_, row) => {
    const failed = ranges.flatMap(({ low, high }, facet) => {
      const value = columns[facet]?.[row] ?? NaN;
      return value >= low && value <= high ? [] : [facet];
    });
    if (failed.length === 0) passing.push(row);
    histograms.forEach((counts, facet) => {
      const bin = bins[facet]?.[row] ?? 0;
      if (failed.every((other) => other === facet)) counts[bin] = (counts[bin] ?? 0) + 1;
    });
  });
  return { total: passing.length, first: firstOf(figures, passing), histograms };
};
