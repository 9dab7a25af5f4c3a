import { errors } from '@elastic/elasticsearch';
import { messageOf } from '@tapedeck/kernel';
import { searchUnavailable } from '../../search-backend.ts';

/** The state of the index that a search was for is not there any more: another must be opened. */
export class ViewLost extends Error {}

const busyStatuses = new Set([429, 502, 503, 504]);

type Refusal = Readonly<{ type?: string; reason?: string }>;
const refusalOf = (error: errors.ResponseError): Refusal =>
  (error.meta.body as { error?: Refusal } | undefined)?.error ?? {};

/** Whether trying again later can help. */
export const isPassing = (error: unknown): boolean => {
  if (error instanceof errors.ProductNotSupportedError) return false;
  if (error instanceof errors.ResponseError) return busyStatuses.has(error.statusCode ?? 0);
  return (
    error instanceof errors.ConnectionError ||
    error instanceof errors.TimeoutError ||
    error instanceof errors.NoLivingConnectionsError
  );
};

/** Why the configured server cannot be used, in one sentence for whoever has configured it; null when it is another matter. */
export const wrongServer = (error: unknown): string | null => {
  if (error instanceof errors.ProductNotSupportedError) {
    return 'What answers at ELASTICSEARCH_URL is not Elasticsearch: set it to the address of an Elasticsearch 8 server.';
  }
  if (!(error instanceof errors.ResponseError)) return null;
  const { type, reason } = refusalOf(error);
  if (type === 'media_type_header_exception') {
    return 'The server at ELASTICSEARCH_URL does not understand this version of the client: use an Elasticsearch 8 server.';
  }
  if (error.statusCode === 401 || error.statusCode === 403) {
    return `The server at ELASTICSEARCH_URL refuses the credentials (${reason ?? 'no reason given'}): check ELASTICSEARCH_URL and ELASTICSEARCH_API_KEY.`;
  }
  return null;
};

/** The index is not there, although it was. */
const isGone = (error: unknown): boolean =>
  error instanceof ViewLost || (error instanceof errors.ResponseError && error.statusCode === 404);

/** The same error for whoever asks, whatever has gone wrong with the server; other errors as they are. */
export const searchFailure = (error: unknown): unknown => {
  const cause = wrongServer(error) ?? (isPassing(error) || isGone(error) ? messageOf(error) : null);
  return cause === null ? error : searchUnavailable(cause);
};
