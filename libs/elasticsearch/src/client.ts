import type { Client } from '@elastic/elasticsearch';
import { clientClass } from './package.ts';

/** Which server the index is on. */
export type ServerConfig = Readonly<{
  ELASTICSEARCH_URL: string;
  ELASTICSEARCH_API_KEY?: string | undefined;
  /** Beginning of every index name. */
  ELASTICSEARCH_INDEX: string;
}>;

export type ServerOptions = Readonly<{
  /** With `user:password@` before the host when the server requires credentials. */
  url: string;
  apiKey?: string | undefined;
}>;

/** Applies to every request that sets no timeout of its own. */
const requestTimeoutMs = 30_000;
/** A search that takes longer is aborted, and the server cancels it. */
export const searchTimeoutMs = 10_000;
/** How long the server keeps a point in time open after the last search in it. */
export const keepAlive = '2m';

/** Connects with the first request. Retries nothing: each caller knows which of its requests may be repeated. */
export const createClient = ({ url, apiKey }: ServerOptions): Client =>
  new (clientClass())({
    node: url,
    requestTimeout: requestTimeoutMs,
    maxRetries: 0,
    ...(apiKey === undefined ? {} : { auth: { apiKey } }),
  });
