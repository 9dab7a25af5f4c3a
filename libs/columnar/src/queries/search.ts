import { facetFields, type FacetField, type Histogram, type Scale } from '@tapedeck/search-engine/contract';
import type { HistogramScales, SearchAnswer, SearchQuery } from '@tapedeck/search-engine/port';
import { binStride } from '../kernel/layout.ts';
import type { MinMax } from '../snapshot/permutation.ts';
import { wordAt } from '../snapshot/typed-arrays.ts';
import { candidatesOf } from './candidates.ts';
import { candidateMinMax, histogramMinMax, type CountedFacet } from './min-max.ts';
import { pageSlots } from './page.ts';
import { countMatches, type Matches } from './ranges.ts';
import { hitOf, type SnapshotView } from './snapshot-view.ts';

const numbersFrom = (counts: Uint32Array, start: number, length: number): number[] => {
  const numbers: number[] = [];
  for (let index = start; index < start + length; index++) numbers.push(wordAt(counts, index));
  return numbers;
};

type FacetCounts = CountedFacet &
  Readonly<{
    edges: number[];
    counts: number[];
    all: number[];
    scale: Scale;
    unknown: number;
    unknownAll: number;
  }>;

const facetCounts = (
  { catalogueHistogram, encoding }: SnapshotView,
  { counts }: Matches,
  field: FacetField,
  scale: Scale,
): FacetCounts => {
  const edges = [...encoding.edges.edges[field][scale]];
  const bins = edges.length - 1;
  const { counts: all, unknown: unknownAll } = catalogueHistogram(field, scale);
  const start = binStride * facetFields.indexOf(field);
  return {
    field,
    scale,
    edges,
    all: [...all],
    unknownAll,
    counts: counts ? numbersFrom(counts, start, bins) : [...all],
    unknown: counts ? wordAt(counts, start + bins) : unknownAll,
  };
};

/** The number of rows that fail at most one range: a row that passes is in all histograms. */
const rowsCounted = (counts: Uint32Array, total: number): number =>
  counts.reduce((sum, count) => sum + count, 0) - (facetFields.length - 1) * total;

const histograms = async (
  view: SnapshotView,
  matches: Matches,
  scales: HistogramScales,
): Promise<readonly Histogram[]> => {
  const facets: FacetCounts[] = [];
  for (const field of facetFields) {
    const scale = scales[field];
    if (scale) facets.push(facetCounts(view, matches, field, scale));
  }
  const { counts, mask, total } = matches;
  const whole = view.snapshot.minMax;
  const filtered: readonly MinMax[] = counts
    ? await histogramMinMax(view, facets, mask, () => rowsCounted(counts, total))
    : facets.map(({ field }) => whole[field]);
  return facets.map(({ field, scale, edges, counts, all, unknown, unknownAll }, index) => ({
    field,
    scale,
    edges,
    counts,
    all,
    unknown,
    unknownAll,
    min: whole[field].min,
    max: whole[field].max,
    filteredMin: filtered[index]?.min ?? null,
    filteredMax: filtered[index]?.max ?? null,
  }));
};

export const search = async (view: SnapshotView, query: SearchQuery): Promise<SearchAnswer> => {
  const { snapshot, scheduler, signal } = view;
  const { filter, page, histograms: scales = {} } = query;
  const candidates = await candidatesOf(view, filter);
  const matches = await countMatches(view, filter, candidates, scales);
  if (scheduler.shouldYield()) await scheduler.yieldToEventLoop(signal);
  const slots = page ? await pageSlots(view, matches, filter, page) : [];
  return {
    position: snapshot.position,
    demo: snapshot.demoRows > 0,
    total: matches.total,
    hits: slots.map((slot) => hitOf(view, slot)),
    histograms: await histograms(view, matches, scales),
    ranges: query.ranges ? { ...(await candidateMinMax(view, candidates)) } : null,
  };
};
