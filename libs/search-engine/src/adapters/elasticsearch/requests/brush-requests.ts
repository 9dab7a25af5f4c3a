import { brushStops } from '../../../catalogue/brush-stops.ts';
import { facetFields, type FacetField } from '../../../contract.ts';
import type { FacetEdges } from '../../../catalogue/edges.ts';
import { likenessUnit, placesOf, placesPerBin } from '../../../catalogue/similarity.ts';
import type { BrushAnswer, BrushQuery, SearchFilter, SearchHit } from '../../../search-port.ts';
import { binsAggregation, binSpans, cellsAggregation, countsOf, type Result } from './aggregations.ts';
import { filterQuery, wholeCatalogue, wordClauses, wordlessQuery, type Clause } from './clauses.ts';
import type { Answer, Request } from './msearch.ts';

const others = (active: FacetField): readonly FacetField[] => facetFields.filter((field) => field !== active);

const axisOf = ({ active, scales }: BrushQuery, edges: FacetEdges): readonly number[] =>
  brushStops(active, scales[active], edges[active][scales[active]]);

/** Cells of the active axis for the total, then cells by bins of each other field without that field's range. */
export const brushRequests = (query: BrushQuery, edges: FacetEdges): readonly Request[] => {
  const { filter, active, scales } = query;
  const cells = cellsAggregation(active, axisOf(query, edges));
  const unknown = { missing: { field: active } };
  const counted = (without: readonly FacetField[]): Request => ({
    query: filterQuery(filter, without),
    size: 0,
    track_total_hits: false,
  });
  return [
    { ...counted([active]), aggs: { cells, unknown } },
    ...others(active).map((field): Request => {
      const aggs = { bins: binsAggregation(field, edges[field][scales[field]]) };
      return {
        ...counted([active, field]),
        aggs: { cells: { ...cells, aggs }, unknown: { ...unknown, aggs } },
      };
    }),
  ];
};

/** The cells in order, the one of unknown values last. */
const cellsOf = ({ aggregations = {} }: Answer, known: number): readonly (Result | undefined)[] => {
  const buckets = aggregations['cells']?.buckets ?? {};
  const cells = Array.from({ length: known }, (_, cell) => buckets[String(cell)]);
  return [...cells, aggregations['unknown']];
};

const countsByBin = (cell: Result | undefined, bins: number): readonly number[] => {
  const counts = countsOf(cell?.bins, bins);
  return [...counts, (cell?.doc_count ?? 0) - counts.reduce((sum, count) => sum + count, 0)];
};

export const readBrush = (
  query: BrushQuery,
  edges: FacetEdges,
  [whole, ...rest]: readonly Answer[],
): Omit<BrushAnswer, 'position'> => {
  const stops = axisOf(query, edges);
  const known = 2 * stops.length + 1;
  const cells = (answer: Answer | undefined): readonly (Result | undefined)[] =>
    answer ? cellsOf(answer, known) : [];
  return {
    stops,
    hits: Uint32Array.from(cells(whole), (cell) => cell?.doc_count ?? 0),
    facets: others(query.active).map((field, at) => {
      const scale = query.scales[field];
      const bins = edges[field][scale].length - 1;
      const counts = cells(rest[at]).flatMap((cell) => countsByBin(cell, bins));
      return { field, scale, bins, counts: Uint32Array.from(counts) };
    }),
  };
};

const mostLabels = 60_000;
/** Filters of one request; each is a bucket. */
const labelsPerRequest = 500;

export const labelsRequest = (): Request => ({
  query: wholeCatalogue,
  size: 0,
  track_total_hits: false,
  aggs: { labels: { terms: { field: 'labels', size: mostLabels } } },
});

export const readLabels = ({ aggregations = {} }: Answer): readonly string[] =>
  Object.values(aggregations['labels']?.buckets ?? {}).map(({ key = '' }) => key);

const chunksOf = (labels: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(labels.length / labelsPerRequest) }, (_, at) =>
    labels.slice(at * labelsPerRequest, (at + 1) * labelsPerRequest),
  );

/** What each label finds in place of the search. */
export const indicatorRequests = (filter: SearchFilter, labels: readonly string[]): readonly Request[] =>
  chunksOf(labels).map((chunk) => ({
    query: wordlessQuery(filter),
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
  answers: readonly Answer[],
): ReadonlyMap<string, number> =>
  new Map(
    chunksOf(labels).flatMap((chunk, at) => {
      const counts = countsOf(answers[at]?.aggregations?.['labels'], chunk.length);
      return chunk.map((label, place) => [label, counts[place] ?? 0] as const);
    }),
  );

export const rowRequest = (urlId: string): Request => ({
  query: { bool: { filter: [wholeCatalogue, { term: { urlId } }] } },
  size: 1,
  _source: ['shown'],
});

/**
 * Likeness as a sum of weights: one filter per bin of every figure that the strategy has known. Each weight and
 * every sum of them is a small whole number, which the server's 32-bit floats hold exactly.
 */
export const similarRequest = (
  urlId: string,
  figures: SearchHit['figures'],
  edges: FacetEdges,
  limit: number,
): Request => {
  const places = placesOf(figures, edges);
  const functions = facetFields.flatMap((field) => {
    const own = places[field];
    if (own === null) return [];
    return binSpans(field, edges[field].quantile).map(({ from, to }, bin) => ({
      filter: {
        bool: {
          filter: [
            { exists: { field } },
            {
              range: {
                [field]: {
                  ...(from === undefined ? {} : { gte: from }),
                  ...(to === undefined ? {} : { lt: to }),
                },
              },
            },
          ],
        },
      },
      weight: likenessUnit - Math.abs(own - bin * placesPerBin(field)),
    }));
  });
  const query = { bool: { filter: [wholeCatalogue], must_not: [{ term: { urlId } }] } };
  return {
    query: { function_score: { query, functions, score_mode: 'sum', boost_mode: 'replace' } },
    // Without a figure in common no weight applies, and the score is one.
    min_score: 2,
    size: limit,
    track_total_hits: false,
    sort: [{ _score: { order: 'desc' } }, { urlId: 'asc' }],
    _source: ['shown'],
  };
};
