import { Client } from '@elastic/elasticsearch';

export type ServerOptions = Readonly<{
  /** With `user:password@` before the host when the server wants them. */
  url: string;
  apiKey?: string | undefined;
}>;

/** Milliseconds without an answer, where a request says nothing else. */
const requestTimeout = 30_000;

/** Connects with the first request. A request is not sent again by itself: whoever asks knows whether to. */
export const createClient = ({ url, apiKey }: ServerOptions): Client =>
  new Client({
    node: url,
    requestTimeout,
    maxRetries: 0,
    ...(apiKey === undefined ? {} : { auth: { apiKey } }),
  });
