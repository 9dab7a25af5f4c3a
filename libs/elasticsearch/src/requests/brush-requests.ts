import { brushStops, type FacetEdges } from '@tapedeck/search-engine/catalogue';
import { facetFields, type FacetField } from '@tapedeck/search-engine/contract';
import type { BrushAnswer, BrushQuery } from '@tapedeck/search-engine/port';
import { binsAggregation, cellsAggregation, countsOf, type AggregationResult } from './aggregations.ts';
import { filterQuery } from './clauses.ts';
import type { SearchRequest, SearchResponse } from './msearch.ts';

const otherFields = (active: FacetField): readonly FacetField[] =>
  facetFields.filter((field) => field !== active);

const stopsOf = ({ active, scales }: BrushQuery, edges: FacetEdges): readonly number[] =>
  brushStops(active, scales[active], edges[active][scales[active]]);

/** Counts per cell of the active axis, then for each other field counts per cell and bin without that field's range. */
export const brushRequests = (query: BrushQuery, edges: FacetEdges): readonly SearchRequest[] => {
  const { filter, active, scales } = query;
  const cells = cellsAggregation(active, stopsOf(query, edges));
  const unknown = { missing: { field: active } };
  const countRequest = (without: readonly FacetField[]): SearchRequest => ({
    query: filterQuery(filter, without),
    size: 0,
    track_total_hits: false,
  });
  return [
    { ...countRequest([active]), aggs: { cells, unknown } },
    ...otherFields(active).map((field): SearchRequest => {
      const aggs = { bins: binsAggregation(field, edges[field][scales[field]]) };
      return {
        ...countRequest([active, field]),
        aggs: { cells: { ...cells, aggs }, unknown: { ...unknown, aggs } },
      };
    }),
  ];
};

/** The cells in order; the last one is of rows with an unknown value. */
const cellsOf = (
  response: SearchResponse | undefined,
  knownCells: number,
): readonly (AggregationResult | undefined)[] => {
  if (!response) return [];
  const { aggregations = {} } = response;
  const buckets = aggregations['cells']?.buckets ?? {};
  const known = Array.from({ length: knownCells }, (_, cell) => buckets[String(cell)]);
  return [...known, aggregations['unknown']];
};

/** Counts per bin and then the count of unknown values. */
const countsByBin = (cell: AggregationResult | undefined, bins: number): readonly number[] => {
  const counts = countsOf(cell?.bins, bins);
  return [...counts, (cell?.doc_count ?? 0) - counts.reduce((sum, count) => sum + count, 0)];
};

export const readBrush = (
  query: BrushQuery,
  edges: FacetEdges,
  [total, ...responses]: readonly SearchResponse[],
): Omit<BrushAnswer, 'position'> => {
  const stops = stopsOf(query, edges);
  const knownCells = 2 * stops.length + 1;
  return {
    stops,
    hits: Uint32Array.from(cellsOf(total, knownCells), (cell) => cell?.doc_count ?? 0),
    facets: otherFields(query.active).map((field, at) => {
      const scale = query.scales[field];
      const bins = edges[field][scale].length - 1;
      const counts = cellsOf(responses[at], knownCells).flatMap((cell) => countsByBin(cell, bins));
      return { field, scale, bins, counts: Uint32Array.from(counts) };
    }),
  };
};
