/** A load test: which requests the generator process sends, and when. */
export type Load = Readonly<{
  origin: string;
  cookies: readonly string[];
  paths: readonly string[];
  /** When each request is sent, in milliseconds after the start; determined before the first one. */
  arrivalsMs: readonly number[];
  /** Requests before this time only warm up the server and are not measured. */
  warmUpMs: number;
  /** As of a proxy in front of the product; without it as many as requests are under way. */
  maxConnections?: number;
  /** One of so many responses is kept as a sample. */
  sampleEvery: number;
}>;

export type LoadResult = Readonly<{
  /** From the time at which the request was to be sent until the last byte of its response. */
  latenciesMs: readonly number[];
  /** How late requests were sent; included in the latencies. */
  delaysMs: readonly number[];
  /** The same for requests that were refused with SEARCH_BUSY. */
  refusalsMs: readonly number[];
  /** Number of errors by status or message; refusals are not among them. */
  errors: Readonly<Record<string, number>>;
  samples: readonly Readonly<{ path: string; account: number; body: string }>[];
  /** Headers about a rate limit. */
  rateLimits: readonly string[];
  bytes: number;
}>;

/** Milliseconds of a clock that all threads of the machine share. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;
