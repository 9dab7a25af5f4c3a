import type { errors } from '@elastic/elasticsearch';
import { messageOf } from '@tapedeck/kernel';
import { searchBusy, searchUnavailable } from '@tapedeck/search-engine/port';
import { clientErrors } from './package.ts';

/** The snapshot that a search was sent to is no longer there: another one must be opened. */
export class SnapshotLost extends Error {}

/** What the alias points to cannot answer searches of this catalogue. */
export class IndexUnusable extends Error {}

/** The server does not answer anything. */
export class ServerSilent extends Error {}

/** The server has too much to do for this search; nothing else is wrong. */
export class SearchRejected extends Error {}

/** The server answers, but no copy of the index can be searched at the moment. */
export class ShardUnavailable extends Error {}

/** The server is overloaded, or is starting or stopping. */
const transientStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export const isTransientStatus = (status: number): boolean => transientStatuses.has(status);

/** An error in a response of the server; those of its shards and their causes are inside. */
export type ErrorBody = Readonly<{
  type?: string;
  reason?: string;
  root_cause?: readonly ErrorBody[];
  caused_by?: ErrorBody;
  failed_shards?: readonly Readonly<{ reason?: ErrorBody }>[];
}>;
const errorBodyOf = (error: errors.ResponseError): ErrorBody =>
  (error.meta.body as { error?: ErrorBody } | undefined)?.error ?? {};

/** No place in the queue of the server's threads, or not enough memory for one more search. */
const rejections = new Set(['es_rejected_execution_exception', 'circuit_breaking_exception']);

const typesOf = ({
  type = '',
  root_cause = [],
  caused_by,
  failed_shards = [],
}: ErrorBody): readonly string[] => [
  type,
  ...root_cause.flatMap(typesOf),
  ...(caused_by ? typesOf(caused_by) : []),
  ...failed_shards.flatMap(({ reason = {} }) => typesOf(reason)),
];

/** Whether the server, or one of its shards, has rejected a search because of its load. */
export const isRejection = (status: number, error: ErrorBody): boolean =>
  status === 429 || typesOf(error).some((type) => rejections.has(type));

export const isRejected = (error: unknown): boolean =>
  error instanceof SearchRejected ||
  (error instanceof clientErrors().ResponseError && isRejection(error.statusCode ?? 0, errorBodyOf(error)));

/** Whether the same request can succeed later. */
export const isTransient = (error: unknown): boolean => {
  if (error instanceof clientErrors().ProductNotSupportedError) return false;
  if (error instanceof clientErrors().ResponseError) return isTransientStatus(error.statusCode ?? 0);
  return (
    error instanceof SearchRejected ||
    error instanceof ShardUnavailable ||
    error instanceof clientErrors().ConnectionError ||
    error instanceof clientErrors().TimeoutError ||
    error instanceof clientErrors().NoLivingConnectionsError
  );
};

/** One sentence that tells the operator why the configured server cannot be used; null for any other error. */
export const configurationProblem = (error: unknown): string | null => {
  if (error instanceof clientErrors().ProductNotSupportedError) {
    return 'What answers at ELASTICSEARCH_URL is not Elasticsearch: set it to the address of an Elasticsearch 8 server.';
  }
  if (!(error instanceof clientErrors().ResponseError)) return null;
  const { type, reason } = errorBodyOf(error);
  if (type === 'media_type_header_exception') {
    return 'The server at ELASTICSEARCH_URL does not understand this version of the client: use an Elasticsearch 8 server.';
  }
  if (error.statusCode === 401 || error.statusCode === 403) {
    return `The server at ELASTICSEARCH_URL refuses the credentials (${reason ?? 'no reason given'}): check ELASTICSEARCH_URL and ELASTICSEARCH_API_KEY.`;
  }
  return null;
};

/** The index, or what was to be read from it, does not exist. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof clientErrors().ResponseError && error.statusCode === 404;

/** Neither the index nor an alias of this name exists. */
export const isIndexMissing = (error: unknown): boolean =>
  isNotFound(error) && errorBodyOf(error as errors.ResponseError).type === 'index_not_found_exception';

/** Whether it is an answer of a server that runs, which others than this request may get too. */
export const isAnswer = (error: unknown): boolean =>
  error instanceof clientErrors().ResponseError &&
  configurationProblem(error) === null &&
  (isRejected(error) || !isTransient(error));

const isServerFailure = (error: unknown): boolean =>
  isTransient(error) || isNotFound(error) || error instanceof SnapshotLost;

/** Whether the search server or its index is the reason, not the database. */
export const isOfSearchServer = (error: unknown): boolean =>
  error instanceof clientErrors().ElasticsearchClientError ||
  error instanceof SnapshotLost ||
  error instanceof SearchRejected ||
  error instanceof ShardUnavailable ||
  error instanceof ServerSilent ||
  error instanceof IndexUnusable;

/**
 * SEARCH_BUSY when the server rejects a search, or takes too long for it while it answers others; SEARCH_UNAVAILABLE for
 * every other failure of the server; any other error unchanged.
 */
export const toSearchError = (error: unknown, isUnavailable: boolean): unknown => {
  const isTooSlow = error instanceof clientErrors().TimeoutError && !isUnavailable;
  if (isTooSlow || isRejected(error)) return searchBusy();
  const cause = configurationProblem(error) ?? (isServerFailure(error) ? messageOf(error) : null);
  return cause === null ? error : searchUnavailable(cause);
};

const minRetryDelayMs = 100;
const maxRetryDelayMs = 5_000;

/** Doubles with every failure; random within a factor of two, so that several processes do not retry together. */
export const retryDelayMs = (failures: number, random: () => number = Math.random): number =>
  Math.min(minRetryDelayMs * 2 ** Math.min(failures, 10), maxRetryDelayMs) * (0.5 + random() / 2);
