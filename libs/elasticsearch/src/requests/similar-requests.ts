import {
  positionsOf,
  positionsPerBin,
  similarityUnit,
  type FacetEdges,
} from '@tapedeck/search-engine/catalogue';
import { facetFields } from '@tapedeck/search-engine/contract';
import type { SearchHit } from '@tapedeck/search-engine/port';
import { binSpans } from './aggregations.ts';
import { wholeCatalogueQuery } from './clauses.ts';
import type { SearchRequest } from './msearch.ts';

export const rowRequest = (urlId: string): SearchRequest => ({
  query: { bool: { filter: [wholeCatalogueQuery, { term: { urlId } }] } },
  size: 1,
  _source: ['shown'],
});

/**
 * Similarity as a sum of weights: one filter per bin of every known figure of the strategy. All weights and their
 * sums are small integers, which the server's 32-bit floats hold exactly.
 */
export const similarRequest = (
  urlId: string,
  figures: SearchHit['figures'],
  edges: FacetEdges,
  limit: number,
): SearchRequest => {
  const places = positionsOf(figures, edges);
  const functions = facetFields.flatMap((field) => {
    const own = places[field];
    if (own === null) return [];
    return binSpans(field, edges[field].quantile).map(({ from, to }, bin) => {
      const bounds = {
        ...(from === undefined ? {} : { gte: from }),
        ...(to === undefined ? {} : { lt: to }),
      };
      return {
        filter: { bool: { filter: [{ exists: { field } }, { range: { [field]: bounds } }] } },
        weight: similarityUnit - Math.abs(own - bin * positionsPerBin(field)),
      };
    });
  });
  const query = { bool: { filter: [wholeCatalogueQuery], must_not: [{ term: { urlId } }] } };
  return {
    query: { function_score: { query, functions, score_mode: 'sum', boost_mode: 'replace' } },
    // A row without a known figure in common gets no weight, and then the score is one.
    min_score: 2,
    size: limit,
    track_total_hits: false,
    sort: [{ _score: { order: 'desc' } }, { urlId: 'asc' }],
    _source: ['shown'],
  };
};
