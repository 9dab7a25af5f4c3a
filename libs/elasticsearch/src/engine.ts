import type { Client } from '@elastic/elasticsearch';
import { maxWindow } from '@tapedeck/search-engine/contract';
import type {
  RequestOptions,
  SearchAnswer,
  SearchEngine,
  SearchHit,
  SearchQuery,
} from '@tapedeck/search-engine/port';
import { SnapshotLost, toSearchError } from './failures.ts';
import { hitOf } from './index/documents.ts';
import { brushRequests, readBrush } from './requests/brush-requests.ts';
import {
  indicatorRequests,
  labelsRequest,
  readIndicators,
  readLabels,
} from './requests/indicator-requests.ts';
import { multiSearch, type SearchRequest, type SearchResponse } from './requests/msearch.ts';
import {
  histogramOf,
  pageRequest,
  readFacet,
  readMinMax,
  requestedFacets,
  searchRequests,
  wholeCatalogueRequests,
  type FieldCounts,
  type RequestedFacet,
} from './requests/search-requests.ts';
import { rowRequest, similarRequest } from './requests/similar-requests.ts';
import type { QueuedOptions, SearchQueue } from './search-queue.ts';
import type { CatalogueSnapshot, Snapshots } from './snapshots.ts';

export type ElasticsearchOptions = Readonly<{
  client: Client;
  snapshots: Snapshots;
  queue: SearchQueue;
  /** Called with every good answer of the server. */
  onAnswer?: () => void;
  /** Called with every error that is not an abort, before the request fails. */
  onFailure?: (error: unknown) => void;
  /** True while the server is known not to answer. */
  isUnavailable?: () => boolean;
}>;

/** Sends the searches of a request at one point in time, when the queue admits them. */
type Ask = (
  pit: string,
  requests: readonly SearchRequest[],
  options?: QueuedOptions,
) => Promise<readonly SearchResponse[]>;

/** Rows of a list per request. */
const listPageSize = 1_000;

/** Counts of the whole catalogue; requested once per snapshot, field and scale. */
const wholeCountsOf = async (
  ask: Ask,
  { pit, wholeCounts }: CatalogueSnapshot,
  facets: readonly RequestedFacet[],
): Promise<readonly FieldCounts[]> => {
  const keyOf = ({ field, scale }: RequestedFacet): string => `${field} ${scale}`;
  const missing = facets.filter((facet) => !wholeCounts.has(keyOf(facet)));
  // Neither refused nor aborted with the first request that needs them: others wait for the same counts.
  const responses = ask(pit, wholeCatalogueRequests(missing), { isContinuation: true });
  missing.forEach((facet, at) => {
    const counts = responses.then((all) => {
      const response = all[at];
      if (!response) throw new Error('A search of a request has no response.');
      return readFacet(facet, response);
    });
    counts.catch(() => wholeCounts.delete(keyOf(facet)));
    wholeCounts.set(keyOf(facet), counts);
  });
  await responses;
  return Promise.all(
    facets.map(
      (facet) =>
        wholeCounts.get(keyOf(facet)) ??
        Promise.reject(new SnapshotLost('Another request for these counts has failed.')),
    ),
  );
};

const search = async (
  ask: Ask,
  snapshot: CatalogueSnapshot,
  query: SearchQuery,
  options: RequestOptions,
): Promise<SearchAnswer> => {
  const { pit, position, state, edges } = snapshot;
  const facets = requestedFacets(query.histograms ?? {}, edges);
  const [page, ...rest] = await ask(pit, searchRequests(query, edges), options);
  const whole = await wholeCountsOf(ask, snapshot, facets);
  const minMax = rest[facets.length];
  return {
    position,
    demo: state.demo,
    total: page?.total ?? 0,
    hits: (page?.hits ?? []).map(hitOf),
    histograms: facets.flatMap((facet, at) => {
      const [response, all] = [rest[at], whole[at]];
      return response && all ? [histogramOf(facet, readFacet(facet, response), all)] : [];
    }),
    ranges: query.ranges && minMax ? readMinMax(minMax) : null,
  };
};

const labelsOf = (ask: Ask, { pit, labels }: CatalogueSnapshot): Promise<readonly string[]> => {
  labels.value ??= ask(pit, [labelsRequest()], { isContinuation: true }).then(([response]) =>
    response ? readLabels(response) : [],
  );
  labels.value.catch(() => delete labels.value);
  return labels.value;
};

const similarTo = async (
  ask: Ask,
  { pit, edges }: CatalogueSnapshot,
  urlId: string,
  limit: number,
  options: RequestOptions,
): Promise<readonly SearchHit[] | null> => {
  const [own] = (await ask(pit, [rowRequest(urlId)], options))[0]?.hits ?? [];
  if (!own) return null;
  const request = similarRequest(urlId, hitOf(own).figures, edges, limit);
  const [response] = await ask(pit, [request], { ...options, isContinuation: true });
  return (response?.hits ?? []).map(hitOf);
};

/** The search port on an Elasticsearch server: every answer comes from one snapshot of the index. */
export const createElasticsearchEngine = ({
  client,
  snapshots,
  queue,
  onAnswer,
  onFailure,
  isUnavailable = () => false,
}: ElasticsearchOptions): SearchEngine => {
  const ask: Ask = async (pit, requests, options = {}) => {
    if (requests.length === 0) return [];
    const send = () => multiSearch(client, pit, requests, options);
    const responses = await queue.run(requests.length, send, options);
    onAnswer?.();
    return responses;
  };
  const onNewestSnapshot = async <T>(work: (snapshot: CatalogueSnapshot) => Promise<T>): Promise<T> => {
    const { snapshot, release } = snapshots.acquire();
    try {
      return await work(snapshot);
    } catch (error) {
      if (error instanceof SnapshotLost) snapshots.discard(snapshot);
      throw error;
    } finally {
      release();
    }
  };

  const reported = (error: unknown, { signal }: RequestOptions): unknown => {
    if (!signal?.aborted) onFailure?.(error);
    return toSearchError(error, isUnavailable());
  };

  /** Repeats the work once, on a new snapshot, when its snapshot was lost. */
  const answer = async <T>(
    work: (snapshot: CatalogueSnapshot) => Promise<T>,
    options: RequestOptions,
  ): Promise<T> => {
    try {
      return await onNewestSnapshot(work).catch(async (error: unknown) => {
        if (!(error instanceof SnapshotLost) || options.signal?.aborted) throw error;
        await snapshots.ensureOpen();
        return onNewestSnapshot(work);
      });
    } catch (error) {
      throw reported(error, options);
    }
  };

  return {
    search: (query, options = {}) => answer((snapshot) => search(ask, snapshot, query, options), options),
    brush: (query, options = {}) =>
      answer(async ({ pit, position, edges }) => {
        const responses = await ask(pit, brushRequests(query, edges), options);
        return { position, ...readBrush(query, edges, responses) };
      }, options),
    countIndicators: (filter, options = {}) =>
      answer(async (snapshot) => {
        const labels = await labelsOf(ask, snapshot);
        const requests = indicatorRequests(filter, labels);
        const responses = await ask(snapshot.pit, requests, options);
        return { position: snapshot.position, counts: readIndicators(labels, responses) };
      }, options),
    list: async function* (filter, order, limit, options = {}) {
      // Never repeated on another snapshot: all pages of a list must come from the same one.
      const { snapshot, release } = await answer(() => Promise.resolve(snapshots.acquire()), options);
      try {
        const end = Math.min(limit, maxWindow);
        for (let offset = 0; offset < end; offset += listPageSize) {
          const page = { ...order, offset, limit: Math.min(listPageSize, end - offset) };
          const isContinuation = offset > 0;
          const requests = [pageRequest(filter, page)];
          const [response] = await ask(snapshot.pit, requests, { ...options, isContinuation });
          const hits = (response?.hits ?? []).map(hitOf);
          if (hits.length > 0) yield hits;
          if (hits.length < page.limit) return;
        }
      } catch (error) {
        throw reported(error, options);
      } finally {
        release();
      }
    },
    similar: (urlId, limit, options = {}) =>
      answer((snapshot) => similarTo(ask, snapshot, urlId, limit, options), options),
  };
};
