import type { Client, estypes } from '@elastic/elasticsearch';
import type { RequestOptions } from '@tapedeck/search-engine/port';
import { keepAlive, searchTimeoutMs } from '../client.ts';
import {
  isRejection,
  isTransientStatus,
  SearchRejected,
  ShardUnavailable,
  SnapshotLost,
  type ErrorBody,
} from '../failures.ts';
import type { StoredHit } from '../index/documents.ts';
import type { AggregationResult } from './aggregations.ts';

/** One search of an `_msearch`; the point in time is added when it is sent. */
export type SearchRequest = Omit<estypes.MsearchMultisearchBody, 'pit'>;

export type Aggregations = Readonly<Record<string, AggregationResult>>;
export type SearchResponse = Readonly<{
  total: number;
  hits: readonly StoredHit[];
  aggregations?: Aggregations;
}>;

/** The only parts of a response that are read. */
const hitPaths = ['total.value', 'hits._source', 'hits._score'].map((path) => `responses.hits.${path}`);
const filterPath = ['responses.error', 'responses.status', ...hitPaths, 'responses.aggregations'];

type RawResponse = Readonly<{
  error?: ErrorBody;
  status?: number;
  hits?: Readonly<{ total?: { value: number }; hits?: readonly { _source?: { shown: StoredHit } }[] }>;
  aggregations?: Aggregations;
}>;

/** The point in time has expired, its node was restarted, or its index was deleted. */
const lostErrors = new Set(['search_context_missing_exception', 'index_not_found_exception']);

const responseOf = (raw: RawResponse): SearchResponse => {
  if (raw.error) {
    const { error, status = 0 } = raw;
    const { type = '', reason = type } = error;
    if (isRejection(status, error)) throw new SearchRejected(reason);
    if (status === 404 || lostErrors.has(type)) throw new SnapshotLost(reason);
    if (isTransientStatus(status)) throw new ShardUnavailable(reason);
    throw new Error(`Elasticsearch refused a search: ${reason}`, { cause: raw.error });
  }
  return {
    total: raw.hits?.total?.value ?? 0,
    hits: (raw.hits?.hits ?? []).flatMap(({ _source }) => (_source ? [_source.shown] : [])),
    ...(raw.aggregations ? { aggregations: raw.aggregations } : {}),
  };
};

/** Sends all searches in one round trip, at one point in time; responses come in the order of the requests. */
export const multiSearch = async (
  client: Client,
  pit: string,
  requests: readonly SearchRequest[],
  { signal }: RequestOptions = {},
): Promise<readonly SearchResponse[]> => {
  signal?.throwIfAborted();
  if (requests.length === 0) return [];
  const searches = requests.flatMap((request) => [
    // A shard that fails fails the search, instead of being left out of its counts.
    { allow_partial_search_results: false },
    { ...request, pit: { id: pit, keep_alive: keepAlive } },
  ]);
  const { responses } = await client.msearch(
    { searches, filter_path: filterPath },
    { requestTimeout: searchTimeoutMs, ...(signal ? { signal } : {}) },
  );
  return (responses as readonly RawResponse[]).map(responseOf);
};
