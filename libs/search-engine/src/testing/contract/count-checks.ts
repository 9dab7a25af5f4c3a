import { expect } from '@jest/globals';
import { facets } from '../../catalogue/facets.ts';
import { facetFields, facetRecord, type FacetField } from '../../contract.ts';
import type { ExplorerRow, NumberRange, SearchEngine, SearchFilter } from '../../search-port.ts';
import { randomBrush, randomFilter, randomIds, randomRow, type Random } from '../random-catalogue.ts';
import { expectSame, openRange, sum, type Catalogue } from './test-engine.ts';

const withRange = (filter: SearchFilter, field: FacetField, range: NumberRange): SearchFilter => ({
  ...filter,
  ranges: { ...filter.ranges, [field]: range },
});

/** The counts of a histogram and its unknown values add up to the total of a search without the field's own range. */
export const expectCountsToEqualTotal = async (
  engine: SearchEngine,
  { knownValues }: Catalogue,
  random: Random,
): Promise<void> => {
  const filter = randomFilter(random, knownValues);
  const scale = random.pick(['linear', 'log', 'quantile'] as const);
  const { histograms } = await engine.search({ filter, histograms: facetRecord(() => scale) });
  expect(histograms.map(({ field }) => field)).toEqual(facetFields);
  for (const { field, counts, unknown } of histograms) {
    const { total } = await engine.search({ filter: withRange(filter, field, openRange) });
    expectSame({ filter, field, scale }, sum(counts) + unknown, total);
  }
};

type IntervalRange = Readonly<{ range: NumberRange; firstInterval: number; lastInterval: number }>;

/** A range whose bounds are snap points or open, and the intervals of `BrushAnswer` that it contains. */
const randomIntervalRange = (random: Random, snapPoints: readonly number[]): IntervalRange => {
  const [a, b] = [random.below(snapPoints.length), random.below(snapPoints.length)];
  const low = random.chance(0.3) ? null : Math.min(a, b);
  const high = random.chance(0.3) ? null : Math.max(a, b);
  const lastKnownInterval = high === null ? 2 * snapPoints.length : 2 * high + 1;
  return {
    range: {
      low: low === null ? -Infinity : (snapPoints[low] ?? 0),
      high: high === null ? Infinity : (snapPoints[high] ?? 0),
    },
    firstInterval: low === null ? 0 : 2 * low + 1,
    lastInterval: low === null && high === null ? lastKnownInterval + 1 : lastKnownInterval,
  };
};

/** The sum of the intervals' counts, by bin. */
const countsOfIntervals = (
  counts: Uint32Array,
  width: number,
  firstInterval: number,
  lastInterval: number,
): readonly number[] => {
  const sums = Array.from({ length: width }, () => 0);
  for (let at = firstInterval * width; at < (lastInterval + 1) * width; at++) {
    sums[at % width] = (sums[at % width] ?? 0) + (counts[at] ?? 0);
  }
  return sums;
};

/** For ranges between snap points, the counts of a brush slice equal those of a search. */
export const expectSliceToEqualSearch = async (
  engine: SearchEngine,
  { knownValues }: Catalogue,
  random: Random,
  ranges: number,
): Promise<void> => {
  const query = randomBrush(random, knownValues);
  const { active, scales } = query;
  const { snapPoints, hits, facets, position } = await engine.brush(query);
  for (let at = 0; at < ranges; at++) {
    const { range, firstInterval, lastInterval } = randomIntervalRange(random, snapPoints);
    const answer = await engine.search({
      filter: withRange(query.filter, active, range),
      histograms: scales,
    });
    const fromSlice = facets.map(({ field, bins, counts }) => ({
      field,
      counts: countsOfIntervals(counts, bins + 1, firstInterval, lastInterval),
    }));
    const fromSearch = answer.histograms
      .filter(({ field }) => field !== active)
      .map(({ field, counts, unknown }) => ({ field, counts: [...counts, unknown] }));
    const total = sum(hits.slice(firstInterval, lastInterval + 1));
    expectSame({ query, range }, [total, fromSlice], [answer.total, fromSearch]);
    expect(position).toBe(answer.position);
  }
};

/** Rows with figures exactly on these values, and one step of the field's precision below and above them. */
export const rowsAround = (
  random: Random,
  values: Readonly<Record<FacetField, readonly number[]>>,
): readonly ExplorerRow[] => {
  const maxValues = Math.max(...facetFields.map((field) => values[field].length));
  const ids = randomIds(random, 3 * maxValues);
  return ids.map((id, at) => {
    const figures = facetRecord((field) => {
      const value = values[field][Math.floor(at / 3) % values[field].length] ?? 0;
      const scaled = Math.round(value * facets[field].unitsPerOne) + ((at % 3) - 1);
      return random.chance(0.1) ? null : scaled / facets[field].unitsPerOne + 0;
    });
    return { ...randomRow(random, id), figures };
  });
};
