import type { Teaser } from '@tapedeck/explorer/contract';
import type { RangeCounts } from '../../../ui/range-histogram/histogram-plot.tsx';
import type { Bounds } from '../../../ui/range-histogram/range-thumbs.ts';

export type TeaserField = 'sharpeRatio' | 'maxDrawdownPercent';
export type TeaserBounds = Readonly<Record<TeaserField, Bounds>>;

/** From the first bin to before the last one. */
type Bins = Readonly<{ from: number; to: number }>;

const isOpen = ({ low, high }: Bounds): boolean => low === null && high === null;

const nearestEdge = (edges: readonly number[], value: number): number =>
  edges.reduce(
    (nearest, edge) => (Math.abs(edge - value) < Math.abs(nearest - value) ? edge : nearest),
    edges[0] ?? 0,
  );

/** Counts are known per bin, so a bound is always an edge; the outermost edges bound nothing. */
export const snapped = (edges: readonly number[], { low, high }: Bounds): Bounds => {
  const lowEdge = low === null ? null : nearestEdge(edges, low);
  const highEdge = high === null ? null : nearestEdge(edges, high);
  return {
    low: lowEdge === edges[0] ? null : lowEdge,
    high: highEdge === edges.at(-1) ? null : highEdge,
  };
};

const binsOf = (edges: readonly number[], { low, high }: Bounds): Bins => ({
  from: low === null ? 0 : edges.indexOf(low),
  to: high === null ? edges.length - 1 : edges.indexOf(high),
});

const sum = (counts: readonly number[], { from, to }: Bins): number =>
  counts.slice(from, to).reduce((all, count) => all + count, 0);

/** For each column the strategies in these rows; those of unknown rows, where every row passes. */
const columnCounts = ({ counts, withoutSharpeRatio }: Teaser, rows: Bins, hasUnknown: boolean): number[] =>
  withoutSharpeRatio.map((unknown, column) =>
    counts.slice(rows.from, rows.to).reduce((all, row) => all + (row[column] ?? 0), hasUnknown ? unknown : 0),
  );

const rowCounts = ({ counts, withoutDrawdown }: Teaser, columns: Bins, hasUnknown: boolean): number[] =>
  counts.map((row, index) => sum(row, columns) + (hasUnknown ? (withoutDrawdown[index] ?? 0) : 0));

export type TeaserView = Readonly<{ total: number; histograms: Readonly<Record<TeaserField, RangeCounts>> }>;

/** As in the explorer: each histogram ignores its own bounds, and a bound drops the strategies without that figure. */
export const teaserView = (teaser: Teaser, bounds: TeaserBounds): TeaserView => {
  const [rowEdges, columnEdges] = [teaser.sharpeRatio.edges, teaser.maxDrawdownPercent.edges];
  const rows = binsOf(rowEdges, bounds.sharpeRatio);
  const columns = binsOf(columnEdges, bounds.maxDrawdownPercent);
  const [allRows, allColumns] = [isOpen(bounds.sharpeRatio), isOpen(bounds.maxDrawdownPercent)];
  const byRow = rowCounts(teaser, columns, allColumns);
  const byColumn = columnCounts(teaser, rows, allRows);
  const total = allRows && allColumns ? teaser.total : allRows ? sum(byColumn, columns) : sum(byRow, rows);
  const all = { from: 0, to: Infinity };
  return {
    total,
    histograms: {
      sharpeRatio: { edges: rowEdges, counts: byRow, all: rowCounts(teaser, all, true), unknown: 0 },
      maxDrawdownPercent: {
        edges: columnEdges,
        counts: byColumn,
        all: columnCounts(teaser, all, true),
        unknown: 0,
      },
    },
  };
};
