import type { ApiBaseQuery } from './base-query.ts';
import type { ApiError } from './request.ts';

const knownForMs = 2_000;

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
    if (known && !forced && now() - known.at < knownForMs) return { error: known.error };
    const answer = await baseQuery(request, api, extra);
    if (answer.error && !api.signal.aborted) failures.set(key, { error: answer.error, at: now() });
    else failures.delete(key);
    return answer;
  };
};
