import type { estypes } from '@elastic/elasticsearch';
import {
  facetFields,
  type FacetField,
  type FieldRange,
  type Histogram,
  type Scale,
  type SortField,
  facetRecord,
} from '../../../contract.ts';
import type { FacetEdges } from '../../../catalogue/edges.ts';
import type {
  HistogramScales,
  ListOrder,
  SearchFilter,
  SearchPage,
  SearchQuery,
} from '../../../search-port.ts';
import { binsAggregation, countsOf, extentAggregations, extentOf } from './aggregations.ts';
import { filterQuery, restQuery, wholeCatalogue, type Clause } from './clauses.ts';
import type { Answer, Request } from './msearch.ts';

const sortFieldOf: Readonly<Record<SortField, string>> = {
  total_pandl: 'totalPandlPercent',
  max_equity_drawdown: 'maxDrawdownPercent',
  profit_factor: 'profitFactor',
  sharpe_ratio_all: 'sharpeRatio',
  total_trades: 'totalTrades',
  publication_date: 'publishedDay',
  likes: 'likes',
  views: 'views',
};

/** Infinity is the largest whole number, unknown is last in both directions, and ids are in byte order (D9). */
const sortOf = ({ sort, order }: ListOrder): estypes.SortCombinations[] => [
  { [sortFieldOf[sort]]: { order, missing: '_last' } },
  { urlId: 'asc' },
];

export const pageRequest = (filter: SearchFilter, page: SearchPage): Request => ({
  query: filterQuery(filter),
  track_total_hits: true,
  from: page.offset,
  size: page.limit,
  sort: sortOf(page),
  _source: ['shown'],
});

export const countRequest = (query: Clause): Request => ({ query, track_total_hits: true, size: 0 });

/** Bars, unknown and extent of one field among what the query finds. */
export const facetRequest = (query: Clause, field: FacetField, edges: readonly number[]): Request => ({
  ...countRequest(query),
  aggs: { bins: binsAggregation(field, edges), ...extentAggregations(field) },
});

export const extentsRequest = (query: Clause): Request => ({
  query,
  size: 0,
  track_total_hits: false,
  aggs: Object.fromEntries(
    facetFields.flatMap((field) => {
      const { min, finite } = extentAggregations(field);
      return [
        [`${field}.min`, min],
        [`${field}.finite`, finite],
      ];
    }),
  ),
});

export type WantedFacet = Readonly<{ field: FacetField; scale: Scale; edges: readonly number[] }>;

export const wantedFacets = (histograms: HistogramScales, edges: FacetEdges): readonly WantedFacet[] =>
  facetFields.flatMap((field) => {
    const scale = histograms[field];
    return scale ? [{ field, scale, edges: edges[field][scale] }] : [];
  });

/** One interaction: rows and total, then each wanted facet without its own range, then the extents. */
export const searchRequests = (query: SearchQuery, edges: FacetEdges): readonly Request[] => {
  const { filter, page, histograms = {}, ranges = false } = query;
  return [
    page ? pageRequest(filter, page) : countRequest(filterQuery(filter)),
    ...wantedFacets(histograms, edges).map((facet) =>
      facetRequest(filterQuery(filter, [facet.field]), facet.field, facet.edges),
    ),
    ...(ranges ? [extentsRequest(restQuery(filter))] : []),
  ];
};

/** The whole catalogue's bars of these facets. */
export const wholeRequests = (facets: readonly WantedFacet[]): readonly Request[] =>
  facets.map(({ field, edges }) => facetRequest(wholeCatalogue, field, edges));

export type FieldCounts = FieldRange & Readonly<{ counts: number[]; unknown: number }>;

export const readFacet = ({ field, edges }: WantedFacet, answer: Answer): FieldCounts => {
  const { bins, min, finite } = answer.aggregations ?? {};
  const counts = countsOf(bins, edges.length - 1);
  const known = counts.reduce((sum, count) => sum + count, 0);
  return { counts, unknown: answer.total - known, ...extentOf(field, min, finite) };
};

export const histogramOf = (facet: WantedFacet, own: FieldCounts, whole: FieldCounts): Histogram => ({
  field: facet.field,
  scale: facet.scale,
  edges: [...facet.edges],
  counts: own.counts,
  all: whole.counts,
  unknown: own.unknown,
  unknownAll: whole.unknown,
  min: whole.min,
  max: whole.max,
  filteredMin: own.min,
  filteredMax: own.max,
});

export const readExtents = ({ aggregations = {} }: Answer): Readonly<Record<FacetField, FieldRange>> =>
  facetRecord((field) => extentOf(field, aggregations[`${field}.min`], aggregations[`${field}.finite`]));
