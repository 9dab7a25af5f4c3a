import { binOf } from '@tapedeck/search-engine/catalogue';
import type { BrushAnswer } from '@tapedeck/search-engine/engine';
import type { Teaser } from '../contract.ts';

export const rowField = 'sharpeRatio';
export const columnField = 'maxDrawdownPercent';

export type TeaserEdges = Readonly<{ rows: readonly number[]; columns: readonly number[] }>;

/** For each interval of a slice its bin, and the number of bins for the interval of unknown values. */
const binsOfIntervals = (
  snapPoints: readonly number[],
  intervals: number,
  edges: readonly number[],
): readonly number[] =>
  Array.from({ length: intervals }, (_, interval) => {
    if (interval === intervals - 1) return edges.length - 1;
    // Every edge is a snap point, so that a snap point and the values up to the next one are in the same bin.
    return binOf(edges, snapPoints[Math.max(0, (interval - 1) >> 1)] ?? -Infinity);
  });

/** The counts of a slice whose active field is that of the rows, each interval added to its bin. */
export const teaserTable = (
  { snapPoints, hits, facets }: BrushAnswer,
  edges: TeaserEdges,
): Omit<Teaser, 'demo'> => {
  const counts = facets.find(({ field }) => field === columnField)?.counts;
  if (!counts) throw new Error(`The slice has no counts of ${columnField}.`);
  const width = edges.columns.length;
  const bins = binsOfIntervals(snapPoints, hits.length, edges.rows);
  const table = Array.from({ length: edges.rows.length }, () => Array.from({ length: width }, () => 0));
  for (const [place, count] of counts.entries()) {
    const row = table[bins[Math.floor(place / width)] ?? 0];
    const column = place % width;
    if (row) row[column] = (row[column] ?? 0) + count;
  }
  const known = table.slice(0, -1);
  return {
    total: hits.reduce((all, count) => all + count, 0),
    sharpeRatio: { edges: [...edges.rows] },
    maxDrawdownPercent: { edges: [...edges.columns] },
    counts: known.map((row) => row.slice(0, -1)),
    withoutSharpeRatio: table.at(-1)?.slice(0, -1) ?? [],
    withoutDrawdown: known.map((row) => row.at(-1) ?? 0),
  };
};
