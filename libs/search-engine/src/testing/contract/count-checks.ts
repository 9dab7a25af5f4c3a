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

type CellRange = Readonly<{ range: NumberRange; firstCell: number; lastCell: number }>;

/** A range whose bounds are stops or open, and the cells of `BrushAnswer` that it contains. */
const randomCellRange = (random: Random, stops: readonly number[]): CellRange => {
  const [a, b] = [random.below(stops.length), random.below(stops.length)];
  const low = random.chance(0.3) ? null : Math.min(a, b);
  const high = random.chance(0.3) ? null : Math.max(a, b);
  const lastKnownCell = high === null ? 2 * stops.length : 2 * high + 1;
  return {
    range: {
      low: low === null ? -Infinity : (stops[low] ?? 0),
      high: high === null ? Infinity : (stops[high] ?? 0),
    },
    firstCell: low === null ? 0 : 2 * low + 1,
    lastCell: low === null && high === null ? lastKnownCell + 1 : lastKnownCell,
  };
};

/** The sum of the cells' counts, by bin. */
const countsOfCells = (
  counts: Uint32Array,
  width: number,
  firstCell: number,
  lastCell: number,
): readonly number[] => {
  const sums = Array.from({ length: width }, () => 0);
  for (let at = firstCell * width; at < (lastCell + 1) * width; at++) {
    sums[at % width] = (sums[at % width] ?? 0) + (counts[at] ?? 0);
  }
  return sums;
};

/** For ranges between stops, the counts of a brush slice equal those of a search. */
export const expectSliceToEqualSearch = async (
  engine: SearchEngine,
  { knownValues }: Catalogue,
  random: Random,
  ranges: number,
): Promise<void> => {
  const query = randomBrush(random, knownValues);
  const { active, scales } = query;
  const { stops, hits, facets, position } = await engine.brush(query);
  for (let at = 0; at < ranges; at++) {
    const { range, firstCell, lastCell } = randomCellRange(random, stops);
    const answer = await engine.search({
      filter: withRange(query.filter, active, range),
      histograms: scales,
    });
    const fromSlice = facets.map(({ field, bins, counts }) => ({
      field,
      counts: countsOfCells(counts, bins + 1, firstCell, lastCell),
    }));
    const fromSearch = answer.histograms
      .filter(({ field }) => field !== active)
      .map(({ field, counts, unknown }) => ({ field, counts: [...counts, unknown] }));
    const total = sum(hits.slice(firstCell, lastCell + 1));
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
