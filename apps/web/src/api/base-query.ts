import type { BaseQueryFn } from '@reduxjs/toolkit/query';
import { isOutcomeKnown, tryOf, type IdempotencyKeys } from './idempotency-keys.ts';
import { mutationHeaders } from './mutation-headers.ts';
import { sendRequest, type ApiError, type ApiRequest } from './request.ts';
import type { Retries } from './retry.ts';
import type { SessionOfPage } from './session-of-page.ts';
import type { TapePosition } from './tape-position.ts';

export type ExtraOptions = Readonly<{
  /** A 401 is an answer here: the browser is not signed in. */
  nullOn401?: boolean;
  /** Asked again soon while the answer does not contain all that the browser has seen. */
  repeatsWhenStale?: boolean;
}>;

/** Of an answer that is to be asked for again. */
export type AnswerMeta = Readonly<{ repeats: true }>;

const queryHeaders = (newestPosition: string | null): Headers =>
  new Headers(newestPosition === null ? {} : { 'tape-position': newestPosition });

export type ApiBaseQuery = BaseQueryFn<string | ApiRequest, unknown, ApiError, ExtraOptions, AnswerMeta>;

/** A query that is not answered by then is tried again or reported; the server gives up earlier. */
const queryTimeoutMs = 30_000;

export type BaseQueryParts = Readonly<{
  tape: TapePosition;
  keys: IdempotencyKeys;
  record: Retries['record'];
  session: Pick<SessionOfPage, 'accountId'>;
}>;

/**
 * Queries carry the newest tape position that this browser has seen. Mutations carry the account that the page shows, so that
 * they are refused when another person has signed in, and an idempotency key: the same one when a person tries the same
 * again after a failure that leaves the outcome unknown (`createIdempotencyKeys` has the rule).
 */
export const createBaseQuery =
  ({ tape, keys, record, session }: BaseQueryParts): ApiBaseQuery =>
  async (urlOrRequest, { signal, type }, extra) => {
    const request: ApiRequest = typeof urlOrRequest === 'string' ? { url: urlOrRequest } : urlOrRequest;
    const key = type === 'mutation' ? keys.keyFor(tryOf(request)) : null;
    const headers = key === null ? queryHeaders(tape.newest()) : mutationHeaders(key, session.accountId());
    if (request.ifMatch !== undefined) headers.set('if-match', request.ifMatch);
    const isLimited = type === 'query' && !request.isFile;
    const { response, answer } = await sendRequest(request, {
      headers,
      signal,
      record,
      ...(isLimited ? { timeoutMs: queryTimeoutMs } : {}),
    });
    if (!response) return answer;
    tape.record(response.headers.get('tape-position'));
    if (response.status === 401 && extra?.nullOn401) return { data: null };
    if (key !== null && isOutcomeKnown(response, answer.error)) keys.end(tryOf(request), key);
    const isStale = response.headers.get('tape-stale') === 'true';
    return isStale && extra?.repeatsWhenStale ? { ...answer, meta: { repeats: true } } : answer;
  };
