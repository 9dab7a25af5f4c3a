import type { SearchFilter } from '@tapedeck/search-engine/port';
import { countsOf } from './aggregations.ts';
import { queryWithoutWords, wholeCatalogueQuery, wordClauses, type Clause } from './clauses.ts';
import type { SearchRequest, SearchResponse } from './msearch.ts';

const maxLabels = 60_000;
/** Each label is a filter, and a bucket of the response. */
const labelsPerRequest = 500;

/** All indicator labels of the catalogue. */
export const labelsRequest = (): SearchRequest => ({
  query: wholeCatalogueQuery,
  size: 0,
  track_total_hits: false,
  aggs: { labels: { terms: { field: 'labels', size: maxLabels } } },
});

export const readLabels = ({ aggregations = {} }: SearchResponse): readonly string[] =>
  Object.values(aggregations['labels']?.buckets ?? {}).map(({ key = '' }) => key);

const chunksOf = (labels: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(labels.length / labelsPerRequest) }, (_, at) =>
    labels.slice(at * labelsPerRequest, (at + 1) * labelsPerRequest),
  );

/** Counts the rows that each label would find in place of the search. */
export const indicatorRequests = (
  filter: SearchFilter,
  labels: readonly string[],
): readonly SearchRequest[] =>
  chunksOf(labels).map((chunk) => ({
    query: queryWithoutWords(filter),
    size: 0,
    track_total_hits: false,
    aggs: {
      labels: {
        filters: {
          filters: Object.fromEntries(
            chunk.map((label, at): [string, Clause] => [
              String(at),
              { bool: { filter: [{ match_all: {} }, ...wordClauses(label)] } },
            ]),
          ),
        },
      },
    },
  }));

export const readIndicators = (
  labels: readonly string[],
  responses: readonly SearchResponse[],
): ReadonlyMap<string, number> =>
  new Map(
    chunksOf(labels).flatMap((chunk, at) => {
      const counts = countsOf(responses[at]?.aggregations?.['labels'], chunk.length);
      return chunk.map((label, inChunk) => [label, counts[inChunk] ?? 0] as const);
    }),
  );
