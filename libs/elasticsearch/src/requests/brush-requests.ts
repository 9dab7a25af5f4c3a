import { snapPointsOf, type FacetEdges } from '@tapedeck/search-engine/catalogue';
import { facetFields, type FacetField } from '@tapedeck/search-engine/contract';
import type { BrushAnswer, BrushQuery } from '@tapedeck/search-engine/port';
import { binsAggregation, intervalsAggregation, countsOf, type AggregationResult } from './aggregations.ts';
import { filterQuery } from './clauses.ts';
import type { SearchRequest, SearchResponse } from './msearch.ts';

const otherFields = (active: FacetField): readonly FacetField[] =>
  facetFields.filter((field) => field !== active);

const activeSnapPoints = ({ active, scales }: BrushQuery, edges: FacetEdges): readonly number[] =>
  snapPointsOf(active, scales[active], edges[active][scales[active]]);

/** Counts per interval of the active axis, then for each other field counts per interval and bin without that field's range. */
export const brushRequests = (query: BrushQuery, edges: FacetEdges): readonly SearchRequest[] => {
  const { filter, active, scales } = query;
  const intervals = intervalsAggregation(active, activeSnapPoints(query, edges));
  const unknown = { missing: { field: active } };
  const countRequest = (without: readonly FacetField[]): SearchRequest => ({
    query: filterQuery(filter, without),
    size: 0,
    track_total_hits: false,
  });
  return [
    { ...countRequest([active]), aggs: { intervals, unknown } },
    ...otherFields(active).map((field): SearchRequest => {
      const aggs = { bins: binsAggregation(field, edges[field][scales[field]]) };
      return {
        ...countRequest([active, field]),
        aggs: { intervals: { ...intervals, aggs }, unknown: { ...unknown, aggs } },
      };
    }),
  ];
};

/** The intervals in order; the last one is of rows with an unknown value. */
const intervalsOf = (
  response: SearchResponse | undefined,
  knownIntervals: number,
): readonly (AggregationResult | undefined)[] => {
  if (!response) return [];
  const { aggregations = {} } = response;
  const buckets = aggregations['intervals']?.buckets ?? {};
  const known = Array.from({ length: knownIntervals }, (_, interval) => buckets[String(interval)]);
  return [...known, aggregations['unknown']];
};

/** Counts per bin and then the count of unknown values. */
const countsByBin = (interval: AggregationResult | undefined, bins: number): readonly number[] => {
  const counts = countsOf(interval?.bins, bins);
  return [...counts, (interval?.doc_count ?? 0) - counts.reduce((sum, count) => sum + count, 0)];
};

export const readBrush = (
  query: BrushQuery,
  edges: FacetEdges,
  [total, ...responses]: readonly SearchResponse[],
): Omit<BrushAnswer, 'position'> => {
  const snapPoints = activeSnapPoints(query, edges);
  const knownIntervals = 2 * snapPoints.length + 1;
  return {
    snapPoints,
    hits: Uint32Array.from(intervalsOf(total, knownIntervals), (interval) => interval?.doc_count ?? 0),
    facets: otherFields(query.active).map((field, at) => {
      const scale = query.scales[field];
      const bins = edges[field][scale].length - 1;
      const counts = intervalsOf(responses[at], knownIntervals).flatMap((interval) =>
        countsByBin(interval, bins),
      );
      return { field, scale, bins, counts: Uint32Array.from(counts) };
    }),
  };
};
