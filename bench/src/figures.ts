import { defaultScale, facetFields } from '@tapedeck/explorer/contract';
import type { ColumnarEngine, NumberRange } from '@tapedeck/explorer/engine';
import { catalogueRows } from './catalogue.ts';
import { openFilter } from './open-filter.ts';
import type { Random } from './random.ts';

/** The eight figures of every row, column by column; NaN is unknown. */
export type Figures = Readonly<{
  ids: readonly string[];
  columns: readonly Float64Array[];
  /** Edges of the histograms, as the engine has drawn them. */
  edges: readonly (readonly number[])[];
  /** Bin of every value; the one after the last is "unknown". */
  bins: readonly Uint8Array[];
}>;

const binOf = (edges: readonly number[], value: number): number => {
  if (Number.isNaN(value)) return edges.length - 1;
  let bin = edges.length - 2;
  while (bin > 0 && value < (edges[bin] ?? 0)) bin--;
  return bin;
};

/** The same rows as the engine's, for everybody else. */
export const readFigures = (size: number, engine: ColumnarEngine): Figures => {
  const ids: string[] = [];
  const columns = facetFields.map(() => new Float64Array(size));
  for (const { urlId, figures } of catalogueRows(size)) {
    facetFields.forEach((field, facet) => {
      const column = columns[facet];
      if (column) column[ids.length] = figures[field] ?? NaN;
    });
    ids.push(urlId);
  }
  const { histograms } = engine.answer({ filter: openFilter, histograms: defaultScale });
  const edges = histograms.map((histogram) => histogram.edges);
  const bins = columns.map((column, facet) =>
    Uint8Array.from(column, (value) => binOf(edges[facet] ?? [], value)),
  );
  return { ids, columns, edges, bins };
};

const kept = 0.75;

/** Sets of eight ranges; each range keeps about 75 % of the rows, more where many rows have one value. */
export const drawRanges = ({ columns }: Figures, random: Random, sets: number): readonly Ranges[] => {
  const sorted = columns.map((column) => column.filter((value) => !Number.isNaN(value)).sort());
  const draw = (values: Float64Array, rows: number): NumberRange => {
    const width = Math.round(rows * kept);
    const from = random.below(Math.max(1, values.length - width));
    return { low: values[from] ?? -Infinity, high: values[from + width - 1] ?? Infinity };
  };
  return Array.from({ length: sets }, () =>
    sorted.map((values, facet) => draw(values, columns[facet]?.length ?? 0)),
  );
};

export type Ranges = readonly NumberRange[];

/** What a full refresh answers: the last count of a histogram is of rows without a value. */
export type Refreshed = Readonly<{
  total: number;
  first: readonly string[];
  histograms: readonly (readonly number[])[];
}>;

export const firstRows = 12;
/** The list is in descending order of this one, then of the id. */
export const sortFacet = facetFields.indexOf('sharpeRatio');

/** The answer by looking at every row in turn, without any thought of speed. */
export const countPlainly = ({ ids, columns, edges, bins }: Figures, ranges: Ranges): Refreshed => {
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
  const value = (row: number): number => columns[sortFacet]?.[row] ?? NaN;
  const id = (row: number): string => ids[row] ?? '';
  passing.sort((a, b) => value(b) - value(a) || (id(a) < id(b) ? -1 : 1));
  return { total: passing.length, first: passing.slice(0, firstRows).map(id), histograms };
};
