/** What the process that makes the requests is told. */
export type Load = Readonly<{
  origin: string;
  cookies: readonly string[];
  paths: readonly string[];
  /** When each request begins, in milliseconds from the start; fixed before the first one. */
  arrivals: readonly number[];
  /** Requests before are not counted. */
  warmUntil: number;
  /** Every so many answers one is kept whole. */
  keepEvery: number;
}>;

export type LoadResult = Readonly<{
  /** From the moment at which the request should have begun to the last byte of its answer. */
  latencies: readonly number[];
  /** How late requests began: part of the latencies. */
  lateness: readonly number[];
  /** What went wrong, by status or reason, with the number of times. */
  errors: Readonly<Record<string, number>>;
  kept: readonly Readonly<{ path: string; account: number; body: string }>[];
  /** Headers that speak of a rate limit. */
  limits: readonly string[];
  bytes: number;
}>;
