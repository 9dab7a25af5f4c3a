import type { Client, estypes } from '@elastic/elasticsearch';
import type { RequestOptions } from '../../../search-port.ts';
import type { Result } from './aggregations.ts';
import type { StoredHit } from '../index/documents.ts';
import { ViewLost } from '../failures.ts';

/** One search of an `_msearch`; which state of the index it sees is added when it is sent. */
export type Request = Omit<estypes.MsearchMultisearchBody, 'pit'>;

export type Aggregations = Readonly<Record<string, Result>>;
export type Answer = Readonly<{ total: number; hits: readonly StoredHit[]; aggregations?: Aggregations }>;

/** Milliseconds; a search that takes longer is given up, and the server is told so. */
export const searchTimeout = 10_000;
/** How long the state of the index stays open after a search; every search begins the time anew. */
export const keepAlive = '2m';

/** What the answers of a state of the catalogue need of it. */
const parts = ['total.value', 'hits._source', 'hits._score'].map((part) => `responses.hits.${part}`);
const filterPath = ['responses.error', 'responses.status', ...parts, 'responses.aggregations'];

type RawAnswer = Readonly<{
  error?: Readonly<{ type: string; reason?: string }>;
  status?: number;
  hits?: Readonly<{ total?: { value: number }; hits?: readonly { _source?: { shown: StoredHit } }[] }>;
  aggregations?: Aggregations;
}>;

/** The state is gone when its time is over, its node has started anew or its index has been deleted. */
const lost = new Set(['search_context_missing_exception', 'index_not_found_exception']);

const answerOf = (raw: RawAnswer): Answer => {
  if (raw.error) {
    const { type, reason = type } = raw.error;
    if (raw.status === 404 || lost.has(type)) throw new ViewLost(reason);
    throw new Error(`Elasticsearch refused a search: ${reason}`, { cause: raw.error });
  }
  return {
    total: raw.hits?.total?.value ?? 0,
    hits: (raw.hits?.hits ?? []).flatMap(({ _source }) => (_source ? [_source.shown] : [])),
    ...(raw.aggregations ? { aggregations: raw.aggregations } : {}),
  };
};

/** All of them in one round trip, on one state of the index; answers in their order. */
export const ask = async (
  client: Client,
  pit: string,
  requests: readonly Request[],
  { signal }: RequestOptions = {},
): Promise<readonly Answer[]> => {
  signal?.throwIfAborted();
  if (requests.length === 0) return [];
  const searches = requests.flatMap((request) => [
    {},
    { ...request, pit: { id: pit, keep_alive: keepAlive } },
  ]);
  const { responses } = await client.msearch(
    { searches, filter_path: filterPath },
    { requestTimeout: searchTimeout, ...(signal ? { signal } : {}) },
  );
  return (responses as readonly RawAnswer[]).map(answerOf);
};
