import { errors } from '@elastic/elasticsearch';
import { messageOf } from '@tapedeck/kernel';
import { searchUnavailable } from '../../search-backend.ts';

/** The snapshot that a search was sent to is no longer there: another one must be opened. */
export class SnapshotLost extends Error {}

/** What the alias points to cannot answer searches of this catalogue. */
export class IndexUnusable extends Error {}

/** The server is overloaded, or is starting or stopping. */
const transientStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export const isTransientStatus = (status: number): boolean => transientStatuses.has(status);

type ErrorBody = Readonly<{ type?: string; reason?: string }>;
const errorBodyOf = (error: errors.ResponseError): ErrorBody =>
  (error.meta.body as { error?: ErrorBody } | undefined)?.error ?? {};

/** Whether the same request can succeed later. */
export const isTransient = (error: unknown): boolean => {
  if (error instanceof errors.ProductNotSupportedError) return false;
  if (error instanceof errors.ResponseError) return isTransientStatus(error.statusCode ?? 0);
  return (
    error instanceof errors.ConnectionError ||
    error instanceof errors.TimeoutError ||
    error instanceof errors.NoLivingConnectionsError
  );
};

/** One sentence that tells the operator why the configured server cannot be used; null for any other error. */
export const configurationProblem = (error: unknown): string | null => {
  if (error instanceof errors.ProductNotSupportedError) {
    return 'What answers at ELASTICSEARCH_URL is not Elasticsearch: set it to the address of an Elasticsearch 8 server.';
  }
  if (!(error instanceof errors.ResponseError)) return null;
  const { type, reason } = errorBodyOf(error);
  if (type === 'media_type_header_exception') {
    return 'The server at ELASTICSEARCH_URL does not understand this version of the client: use an Elasticsearch 8 server.';
  }
  if (error.statusCode === 401 || error.statusCode === 403) {
    return `The server at ELASTICSEARCH_URL refuses the credentials (${reason ?? 'no reason given'}): check ELASTICSEARCH_URL and ELASTICSEARCH_API_KEY.`;
  }
  return null;
};

/** The index does not exist. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof errors.ResponseError && error.statusCode === 404;

const isServerFailure = (error: unknown): boolean =>
  isTransient(error) || isNotFound(error) || error instanceof SnapshotLost;

/** Whether the search server or its index is the reason, not the database. */
export const isOfSearchServer = (error: unknown): boolean =>
  error instanceof errors.ElasticsearchClientError ||
  error instanceof SnapshotLost ||
  error instanceof IndexUnusable;

/** SEARCH_UNAVAILABLE for every failure of the server; any other error unchanged. */
export const toSearchError = (error: unknown): unknown => {
  const cause = configurationProblem(error) ?? (isServerFailure(error) ? messageOf(error) : null);
  return cause === null ? error : searchUnavailable(cause);
};

const minRetryDelayMs = 100;
const maxRetryDelayMs = 5_000;

/** Doubles with every failure; random within a factor of two, so that several processes do not retry together. */
export const retryDelayMs = (failures: number, random: () => number = Math.random): number =>
  Math.min(minRetryDelayMs * 2 ** Math.min(failures, 10), maxRetryDelayMs) * (0.5 + random() / 2);
