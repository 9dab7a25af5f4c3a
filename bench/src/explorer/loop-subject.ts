import { firstOf, type Figures, type Ranges } from './figures.ts';
import type { Contender } from './subject.ts';

/** Checks the ranges of all facets except `own`. */
const passes = (
  columns: readonly Float64Array[],
  ranges: Ranges,
  row: number,
  own: number | null,
): boolean => {
  for (let facet = 0; facet < ranges.length; facet++) {
    if (facet === own) continue;
    const range = ranges[facet];
    const value = columns[facet]?.[row] ?? NaN;
    if (!range || !(value >= range.low && value <= range.high)) return false;
  }
  return true;
};

/** The simplest implementation: a loop over typed arrays for the list, and one for each histogram. */
export const loopContender = (figures: Figures): Contender => {
  const { ids, columns, edges, bins } = figures;
  const histogram = (own: number, ranges: Ranges): readonly number[] => {
    const counts = (edges[own] ?? []).map(() => 0);
    const codes = bins[own] ?? new Uint8Array(0);
    for (let row = 0; row < ids.length; row++) {
      if (!passes(columns, ranges, row, own)) continue;
      const bin = codes[row] ?? 0;
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
    return counts;
  };
  const refresh = (ranges: Ranges) => {
    const passing: number[] = [];
    for (let row = 0; row < ids.length; row++) if (passes(columns, ranges, row, null)) passing.push(row);
    const total = passing.length;
    return Promise.resolve({
      total,
      first: firstOf(figures, passing),
      histograms: edges.map((_, own) => histogram(own, ranges)),
    });
  };
  return {
    subjects: [{ name: 'a JavaScript loop per facet', kind: 'loop', refresh }],
    close: () => Promise.resolve(),
  };
};
