import type { estypes } from '@elastic/elasticsearch';
import type { FacetEdges } from '@tapedeck/search-engine/catalogue';
import {
  facetFields,
  facetRecord,
  sorts,
  type FacetField,
  type FieldRange,
  type Histogram,
  type Scale,
  type SortField,
} from '@tapedeck/search-engine/contract';
import type {
  HistogramScales,
  ListOrder,
  SearchFilter,
  SearchPage,
  SearchQuery,
} from '@tapedeck/search-engine/port';
import { binsAggregation, countsOf, minMaxAggregations, minMaxOf } from './aggregations.ts';
import { filterQuery, queryWithoutRanges, wholeCatalogueQuery, type Clause } from './clauses.ts';
import type { SearchRequest, SearchResponse } from './msearch.ts';

const fieldOf = (sort: SortField): string => {
  const { column } = sorts[sort];
  return column === 'publicationDate' ? 'publishedDay' : column;
};

/** Infinity is the largest value, unknown comes last in both directions, ids are in byte order. */
const sortOf = ({ sort, order }: ListOrder): estypes.SortCombinations[] => [
  { [fieldOf(sort)]: { order, missing: '_last' } },
  { urlId: 'asc' },
];

export const pageRequest = (filter: SearchFilter, page: SearchPage): SearchRequest => ({
  query: filterQuery(filter),
  track_total_hits: true,
  from: page.offset,
  size: page.limit,
  sort: sortOf(page),
  _source: ['shown'],
});

const countRequest = (query: Clause): SearchRequest => ({ query, track_total_hits: true, size: 0 });

/** Counts per bin, smallest and largest value of one field among the rows of the query. */
const facetRequest = (query: Clause, field: FacetField, edges: readonly number[]): SearchRequest => ({
  ...countRequest(query),
  aggs: { bins: binsAggregation(field, edges), ...minMaxAggregations(field) },
});

export const minMaxRequest = (query: Clause): SearchRequest => ({
  query,
  size: 0,
  track_total_hits: false,
  aggs: Object.fromEntries(
    facetFields.flatMap((field) => {
      const { min, finite } = minMaxAggregations(field);
      return [
        [`${field}.min`, min],
        [`${field}.finite`, finite],
      ];
    }),
  ),
});

export type RequestedFacet = Readonly<{ field: FacetField; scale: Scale; edges: readonly number[] }>;

export const requestedFacets = (histograms: HistogramScales, edges: FacetEdges): readonly RequestedFacet[] =>
  facetFields.flatMap((field) => {
    const scale = histograms[field];
    return scale ? [{ field, scale, edges: edges[field][scale] }] : [];
  });

/** Rows and total, then each requested facet without its own range, then the smallest and largest values. */
export const searchRequests = (query: SearchQuery, edges: FacetEdges): readonly SearchRequest[] => {
  const { filter, page, histograms = {}, ranges = false } = query;
  return [
    page ? pageRequest(filter, page) : countRequest(filterQuery(filter)),
    ...requestedFacets(histograms, edges).map((facet) =>
      facetRequest(filterQuery(filter, [facet.field]), facet.field, facet.edges),
    ),
    ...(ranges ? [minMaxRequest(queryWithoutRanges(filter))] : []),
  ];
};

/** The same facets over the whole catalogue. */
export const wholeCatalogueRequests = (facets: readonly RequestedFacet[]): readonly SearchRequest[] =>
  facets.map(({ field, edges }) => facetRequest(wholeCatalogueQuery, field, edges));

export type FieldCounts = FieldRange & Readonly<{ counts: number[]; unknown: number }>;

export const readFacet = ({ field, edges }: RequestedFacet, response: SearchResponse): FieldCounts => {
  const { bins, min, finite } = response.aggregations ?? {};
  const counts = countsOf(bins, edges.length - 1);
  const known = counts.reduce((sum, count) => sum + count, 0);
  return { counts, unknown: response.total - known, ...minMaxOf(field, min, finite) };
};

export const histogramOf = (facet: RequestedFacet, filtered: FieldCounts, whole: FieldCounts): Histogram => ({
  field: facet.field,
  scale: facet.scale,
  edges: [...facet.edges],
  counts: filtered.counts,
  all: whole.counts,
  unknown: filtered.unknown,
  unknownAll: whole.unknown,
  min: whole.min,
  max: whole.max,
  filteredMin: filtered.min,
  filteredMax: filtered.max,
});

export const readMinMax = ({ aggregations = {} }: SearchResponse): Readonly<Record<FacetField, FieldRange>> =>
  facetRecord((field) => minMaxOf(field, aggregations[`${field}.min`], aggregations[`${field}.finite`]));
