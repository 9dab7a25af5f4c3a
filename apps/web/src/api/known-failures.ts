import type { ApiBaseQuery } from './base-query.ts';
import type { ApiError } from './request.ts';

const knownForMs = 2_000;

/** Of the state of RTK Query, whose selectors exist only after the API was created. */
type QueriesState = Readonly<{
  api: Readonly<{ queries: Partial<Record<string, Readonly<{ data?: unknown }>>> }>;
}>;

/** With data, a query that nobody has forced reads the next page, which somebody has asked for. */
const hasData = (state: unknown, key: string): boolean =>
  (state as QueriesState).api.queries[key]?.data !== undefined;

/**
 * Several parts of a page need the same query, and some are drawn after it has failed: they get the same failure, not another
 * request. A press on a button, and what `retry.ts` repeats, is always sent.
 */
export const withKnownFailures = (baseQuery: ApiBaseQuery, now: () => number): ApiBaseQuery => {
  const failures = new Map<string, Readonly<{ error: ApiError; at: number }>>();
  return async (request, api, extra) => {
    const { queryCacheKey: key, forced } = api;
    if (key === undefined) return baseQuery(request, api, extra);
    const known = failures.get(key);
    const isFresh = known !== undefined && now() - known.at < knownForMs;
    if (isFresh && !forced && !hasData(api.getState(), key)) return { error: known.error };
    const answer = await baseQuery(request, api, extra);
    if (answer.error && !api.signal.aborted) failures.set(key, { error: answer.error, at: now() });
    else failures.delete(key);
    return answer;
  };
};
