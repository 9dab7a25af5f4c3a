import { Client, type estypes } from '@elastic/elasticsearch';
import {
  binsOf,
  scaledInteger,
  list,
  mapping,
  without,
  type BinAggregation,
  type Bins,
} from './elasticsearch-queries.ts';
import type { Figures, Ranges, Refreshed } from './figures.ts';
import type { Contender, Subject } from './subject.ts';

const index = 'bench_explorer';
const requestTimeoutMs = 600_000;

const documents = async function* ({
  ids,
  columns,
}: Figures): AsyncGenerator<Record<string, number | string>> {
  for (const [row, id] of ids.entries()) {
    const known = columns.flatMap((column, facet) => {
      const value = column[row] ?? NaN;
      return Number.isNaN(value) ? [] : [[`f${facet}`, scaledInteger(value)] as const];
    });
    yield Object.fromEntries<number | string>([['id', id], ...known]);
  }
};

const load = async (client: Client, figures: Figures): Promise<void> => {
  await client.indices.delete({ index, ignore_unavailable: true });
  await client.indices.create({
    index,
    mappings: mapping(figures),
    settings: {
      number_of_shards: 1,
      number_of_replicas: 0,
      refresh_interval: '-1',
      'index.requests.cache.enable': false,
    },
  });
  await client.helpers.bulk({
    datasource: documents(figures),
    onDocument: () => ({ index: { _index: index } }),
    concurrency: 2,
    onDrop: ({ error }) => {
      throw new Error(`Elasticsearch has rejected a row: ${error?.reason ?? 'no reason given'}.`);
    },
  });
  await client.indices.refresh({ index });
  await client.indices.forcemerge({ index, max_num_segments: 1 }, { requestTimeout: requestTimeoutMs });
};

type Buckets = Readonly<{ buckets: readonly Readonly<{ key: number | string; doc_count: number }>[] }>;

/** Rows without a value are in no bucket. */
const countsOf = ({ binOf }: Bins, length: number, total: number, answer: unknown): readonly number[] => {
  const counts = Array.from({ length }, () => 0);
  let known = 0;
  for (const { key, doc_count: rows } of (answer as Buckets).buckets) {
    const bin = binOf(key);
    counts[bin] = (counts[bin] ?? 0) + rows;
    known += rows;
  }
  counts[length - 1] = total - known;
  return counts;
};

const totalOf = ({ hits }: estypes.SearchResponseBody): number =>
  typeof hits.total === 'number' ? hits.total : (hits.total?.value ?? 0);
const firstOf = ({ hits }: estypes.SearchResponseBody): readonly string[] =>
  hits.hits.map(({ sort }) => String(sort?.[1]));

type Ask = (ranges: Ranges) => Promise<Refreshed>;

/**
 * One search: the ranges filter the hits afterwards (`post_filter`), and each histogram has a filter of the other
 * ranges. Simpler than the product's requests, but Elasticsearch cannot cache any facet.
 */
const oneSearch = (client: Client, lengths: readonly number[], bins: readonly Bins[]): Ask => {
  return async (ranges) => {
    const aggregations = bins.map(({ aggregation }, facet) => [
      `facet${facet}`,
      { filter: without(ranges, facet), aggregations: { bins: aggregation } },
    ]);
    const answer = await client.search({
      index,
      ...list,
      sort: [...list.sort],
      request_cache: false,
      post_filter: without(ranges, null),
      aggregations: Object.fromEntries(aggregations) as Record<
        string,
        estypes.AggregationsAggregationContainer
      >,
    });
    const facets = answer.aggregations as Record<string, { doc_count: number; bins: unknown }>;
    const histograms = bins.map((own, facet) => {
      const { doc_count: total = 0, bins: buckets } = facets[`facet${facet}`] ?? {};
      return countsOf(own, lengths[facet] ?? 0, total, buckets);
    });
    return { total: totalOf(answer), first: firstOf(answer), histograms };
  };
};

/** Nine searches in one request: the list, and one without hits for each histogram. */
const manySearches = (client: Client, lengths: readonly number[], bins: readonly Bins[]): Ask => {
  const header = { index, request_cache: false };
  return async (ranges) => {
    const facets = bins.map(({ aggregation }, facet) => ({
      size: 0,
      track_total_hits: true,
      query: without(ranges, facet),
      aggregations: { bins: aggregation },
    }));
    const searches: readonly estypes.SearchRequest[] = [
      { ...list, sort: [...list.sort], query: without(ranges, null) },
      ...facets,
    ];
    const { responses } = await client.msearch({ searches: searches.flatMap((body) => [header, body]) });
    const answers = responses.map((response) => {
      if ('error' in response)
        throw new Error(`Elasticsearch: ${response.error.reason ?? response.error.type}`);
      return response;
    });
    const [hits, ...others] = answers;
    if (!hits) throw new Error('The answer of Elasticsearch is empty.');
    const histograms = others.map((answer, facet) =>
      countsOf(bins[facet] as Bins, lengths[facet] ?? 0, totalOf(answer), answer.aggregations?.['bins']),
    );
    return { total: totalOf(hits), first: firstOf(hits), histograms };
  };
};

const forms = { _search: oneSearch, _msearch: manySearches } as const;

/** Both forms of the request, each with both kinds of bins; one shard, force-merged, without a cache. */
export const elasticsearchContender = async (url: string, figures: Figures): Promise<Contender> => {
  const client = new Client({ node: url, requestTimeout: requestTimeoutMs });
  await load(client, figures);
  const lengths = figures.edges.map((edges) => edges.length);
  const subjects = Object.entries(forms).flatMap(([form, ask]) =>
    (['range', 'histogram'] as const satisfies readonly BinAggregation[]).map((kind): Subject => {
      const bins = figures.edges.map((edges, facet) => binsOf(edges, facet, kind));
      return {
        name: `Elasticsearch, ${form}, ${kind}`,
        kind: 'stateless',
        refresh: ask(client, lengths, bins),
      };
    }),
  );
  return {
    subjects,
    close: async () => {
      await client.indices.delete({ index });
      await client.close();
    },
  };
};
