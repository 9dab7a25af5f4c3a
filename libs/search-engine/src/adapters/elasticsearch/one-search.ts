import type { FacetEdges } from '../../catalogue/edges.ts';
import type { SearchQuery } from '../../search-port.ts';
import { binsAggregation } from './requests/aggregations.ts';
import { rangeClauses, queryWithoutRanges, type Clause } from './requests/clauses.ts';
import type { SearchRequest } from './requests/msearch.ts';
import { pageRequest, requestedFacets } from './requests/search-requests.ts';

/**
 * The same bars by one search: ranges narrow the hits afterwards (`post_filter`), and every facet counts under a
 * filter of the other ranges. Simpler and of one moment by itself, but no facet is found in the server's cache, and
 * none is counted filter by filter. The benchmark shows what that costs.
 */
export const oneSearchRequest = (query: SearchQuery, edges: FacetEdges): SearchRequest => {
  const { filter, page, histograms = {} } = query;
  const facets = requestedFacets(histograms, edges).map(({ field, edges: own }) => {
    const others: Clause[] = [...rangeClauses(filter, [field])];
    const aggs = { bins: binsAggregation(field, own) };
    return [field, { filter: { bool: { filter: others } }, aggs }] as const;
  });
  const ranges = rangeClauses(filter, []);
  return {
    ...(page ? pageRequest(filter, page) : { size: 0, track_total_hits: true }),
    query: queryWithoutRanges(filter),
    ...(ranges.length > 0 ? { post_filter: { bool: { filter: [...ranges] } } } : {}),
    aggs: Object.fromEntries(facets),
  };
};
