import { expect } from '@jest/globals';
import { facetFields, type FacetField, facetRecord } from '../../contract.ts';
import { unitsPerOne } from '../../catalogue/precision.ts';
import type { ExplorerRow, NumberRange, SearchEngine, SearchFilter } from '../../search-port.ts';
import { randomBrush, randomFilter, randomIds, randomRow, type Random } from '../random-catalogue.ts';
import { expectSame, open, sum, type Catalogue } from './test-engine.ts';

const withRange = (filter: SearchFilter, field: FacetField, range: NumberRange): SearchFilter => ({
  ...filter,
  ranges: { ...filter.ranges, [field]: range },
});

/** Of every facet: its bars and its unknown are the total without its own range. */
export const expectWholeFacets = async (
  engine: SearchEngine,
  { knownValues }: Catalogue,
  random: Random,
): Promise<void> => {
  const filter = randomFilter(random, knownValues);
  const scale = random.pick(['linear', 'log', 'quantile'] as const);
  const { histograms } = await engine.search({ filter, histograms: facetRecord(() => scale) });
  expect(histograms.map(({ field }) => field)).toEqual(facetFields);
  for (const { field, counts, unknown } of histograms) {
    const { total } = await engine.search({ filter: withRange(filter, field, open) });
    expectSame({ filter, field, scale }, sum(counts) + unknown, total);
  }
};

type Ends = Readonly<{ range: NumberRange; first: number; last: number }>;

/** A range whose ends are stops or open, and the cells that it takes. */
const endsOf = (random: Random, stops: readonly number[]): Ends => {
  const [a, b] = [random.below(stops.length), random.below(stops.length)];
  const low = random.chance(0.3) ? null : Math.min(a, b);
  const high = random.chance(0.3) ? null : Math.max(a, b);
  const last = high === null ? 2 * stops.length : 2 * high + 1;
  return {
    range: {
      low: low === null ? -Infinity : (stops[low] ?? 0),
      high: high === null ? Infinity : (stops[high] ?? 0),
    },
    first: low === null ? 0 : 2 * low + 1,
    last: low === null && high === null ? last + 1 : last,
  };
};

/** Counts of the cells from the first to the last together. */
const barsOf = (counts: Uint32Array, width: number, first: number, last: number): readonly number[] => {
  const bars = Array.from({ length: width }, () => 0);
  for (let place = first * width; place < (last + 1) * width; place++) {
    bars[place % width] = (bars[place % width] ?? 0) + (counts[place] ?? 0);
  }
  return bars;
};

/** What a slice says of any range between its stops is what the search answers. */
export const expectSliceToAnswer = async (
  engine: SearchEngine,
  { knownValues }: Catalogue,
  random: Random,
  ranges: number,
): Promise<void> => {
  const query = randomBrush(random, knownValues);
  const { active, scales } = query;
  const { stops, hits, facets, position } = await engine.brush(query);
  for (let at = 0; at < ranges; at++) {
    const { range, first, last } = endsOf(random, stops);
    const answer = await engine.search({
      filter: withRange(query.filter, active, range),
      histograms: scales,
    });
    const summed = facets.map(({ field, bins, counts }) => ({
      field,
      bars: barsOf(counts, bins + 1, first, last),
    }));
    const searched = answer.histograms
      .filter(({ field }) => field !== active)
      .map(({ field, counts, unknown }) => ({ field, bars: [...counts, unknown] }));
    expectSame({ query, range }, [sum(hits.slice(first, last + 1)), summed], [answer.total, searched]);
    expect(position).toBe(answer.position);
  }
};

/** Rows right on these values of every field, and a grain beside them. */
export const rowsOn = (
  random: Random,
  values: Readonly<Record<FacetField, readonly number[]>>,
): readonly ExplorerRow[] => {
  const most = Math.max(...facetFields.map((field) => values[field].length));
  const ids = randomIds(random, 3 * most);
  return ids.map((id, at) => {
    const figures = facetRecord((field) => {
      const value = values[field][Math.floor(at / 3) % values[field].length] ?? 0;
      const grains = Math.round(value * unitsPerOne[field]) + ((at % 3) - 1);
      return random.chance(0.1) ? null : grains / unitsPerOne[field] + 0;
    });
    return { ...randomRow(random, id), figures };
  });
};
