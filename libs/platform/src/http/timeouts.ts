/** How long a connection may take for what it sends. Node.js closes it then, with status 408 where it can. */
export type HttpTimeouts = Readonly<{
  /** From the connection, or the first byte of a further request, to the end of the headers. */
  headersMs: number;
  /** From the same time to the end of the body. */
  requestMs: number;
  /** Between two requests: longer than that of usual proxies (60 s), which otherwise send into a closed connection. */
  keepAliveMs: number;
  /** How often connections are checked. */
  checkIntervalMs: number;
}>;

export const defaultTimeouts: HttpTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 75_000,
  checkIntervalMs: 1_000,
};
