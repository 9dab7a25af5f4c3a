import type { Client } from '@elastic/elasticsearch';
import { maxWindow } from '../../contract.ts';
import type {
  RequestOptions,
  SearchAnswer,
  SearchEngine,
  SearchHit,
  SearchQuery,
} from '../../search-port.ts';
import { SnapshotLost, toSearchError } from './failures.ts';
import { hitOf } from './index/documents.ts';
import { brushRequests, readBrush } from './requests/brush-requests.ts';
import {
  indicatorRequests,
  labelsRequest,
  readIndicators,
  readLabels,
} from './requests/indicator-requests.ts';
import { multiSearch } from './requests/msearch.ts';
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
import type { CatalogueSnapshot, Snapshots } from './snapshots.ts';

export type ElasticsearchOptions = Readonly<{
  client: Client;
  snapshots: Snapshots;
  /** Called with every error that is not an abort, before the request fails. */
  onFailure?: (error: unknown) => void;
}>;

/** Rows of a list per request. */
const listPageSize = 1_000;

/** Counts of the whole catalogue; requested once per snapshot, field and scale. */
const wholeCountsOf = async (
  client: Client,
  { pit, wholeCounts }: CatalogueSnapshot,
  facets: readonly RequestedFacet[],
): Promise<readonly FieldCounts[]> => {
  const keyOf = ({ field, scale }: RequestedFacet): string => `${field} ${scale}`;
  const missing = facets.filter((facet) => !wholeCounts.has(keyOf(facet)));
  // Not aborted with the first request that needs them: others wait for the same counts.
  const responses = multiSearch(client, pit, wholeCatalogueRequests(missing));
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
  client: Client,
  snapshot: CatalogueSnapshot,
  query: SearchQuery,
  options: RequestOptions,
): Promise<SearchAnswer> => {
  const { pit, position, state, edges } = snapshot;
  const facets = requestedFacets(query.histograms ?? {}, edges);
  const [[page, ...rest], whole] = await Promise.all([
    multiSearch(client, pit, searchRequests(query, edges), options),
    wholeCountsOf(client, snapshot, facets),
  ]);
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

const labelsOf = (client: Client, { pit, labels }: CatalogueSnapshot): Promise<readonly string[]> => {
  labels.value ??= multiSearch(client, pit, [labelsRequest()]).then(([response]) =>
    response ? readLabels(response) : [],
  );
  labels.value.catch(() => delete labels.value);
  return labels.value;
};

const similarTo = async (
  client: Client,
  { pit, edges }: CatalogueSnapshot,
  urlId: string,
  limit: number,
  options: RequestOptions,
): Promise<readonly SearchHit[] | null> => {
  const [own] = (await multiSearch(client, pit, [rowRequest(urlId)], options))[0]?.hits ?? [];
  if (!own) return null;
  const request = similarRequest(urlId, hitOf(own).figures, edges, limit);
  const [response] = await multiSearch(client, pit, [request], options);
  return (response?.hits ?? []).map(hitOf);
};

/** The search port on an Elasticsearch server: every answer comes from one snapshot of the index. */
export const createElasticsearchEngine = ({
  client,
  snapshots,
  onFailure,
}: ElasticsearchOptions): SearchEngine => {
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
    return toSearchError(error);
  };

  /** Repeats the work once, on a new snapshot, when its snapshot was lost. */
  const answer = async <T>(
    work: (snapshot: CatalogueSnapshot) => Promise<T>,
    options: RequestOptions,
  ): Promise<T> => {
    try {
      return await onNewestSnapshot(work).catch(async (error: unknown) => {
        if (!(error instanceof SnapshotLost) || options.signal?.aborted) throw error;
        if (!snapshots.current()) await snapshots.open();
        return onNewestSnapshot(work);
      });
    } catch (error) {
      throw reported(error, options);
    }
  };

  return {
    search: (query, options = {}) => answer((snapshot) => search(client, snapshot, query, options), options),
    brush: (query, options = {}) =>
      answer(async ({ pit, position, edges }) => {
        const responses = await multiSearch(client, pit, brushRequests(query, edges), options);
        return { position, ...readBrush(query, edges, responses) };
      }, options),
    countIndicators: (filter, options = {}) =>
      answer(async (snapshot) => {
        const labels = await labelsOf(client, snapshot);
        const requests = indicatorRequests(filter, labels);
        const responses = await multiSearch(client, snapshot.pit, requests, options);
        return { position: snapshot.position, counts: readIndicators(labels, responses) };
      }, options),
    list: async function* (filter, order, limit, options = {}) {
      // Never repeated on another snapshot: all pages of a list must come from the same one.
      const { snapshot, release } = await answer(() => Promise.resolve(snapshots.acquire()), options);
      try {
        const end = Math.min(limit, maxWindow);
        for (let offset = 0; offset < end; offset += listPageSize) {
          const page = { ...order, offset, limit: Math.min(listPageSize, end - offset) };
          const [response] = await multiSearch(client, snapshot.pit, [pageRequest(filter, page)], options);
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
      answer((snapshot) => similarTo(client, snapshot, urlId, limit, options), options),
  };
};
