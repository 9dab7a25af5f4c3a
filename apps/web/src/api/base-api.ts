import { createApi, type BaseQueryFn } from '@reduxjs/toolkit/query/react';
import { createIdempotencyKeys, isOutcomeKnown, tryOf, type IdempotencyKeys } from './idempotency-keys.ts';
import { withKnownFailures } from './known-failures.ts';
import { mutationHeaders } from './mutation-headers.ts';
import { sendRequest, type ApiError, type ApiRequest } from './request.ts';
import { retries, type Retries } from './retry.ts';
import { sessionOfPage, type SessionOfPage } from './session-of-page.ts';
import { createTapePosition, type TapePosition } from './tape-position.ts';

/** Whether the member's plan does not include what was asked for; the error's detail says which one does. */
export const isNotIncluded = (error: object | undefined): error is ApiError =>
  error !== undefined && 'code' in error && error.code === 'FEATURE_NOT_INCLUDED';

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

/** The browser's storage is looked up at each use: it may be forbidden, or missing in a test. */
const tabStorage: Pick<Storage, 'getItem' | 'setItem'> = {
  getItem: (key) => sessionStorage.getItem(key),
  setItem: (key, text) => sessionStorage.setItem(key, text),
};

export const tapePosition = createTapePosition(tabStorage, () => Date.now());

/**
 * The one api of the client; each feature injects its endpoints. Unless an endpoint says otherwise, data stays
 * until one of its tags is invalidated: no polling, no refetch on focus, no retries.
 */
export const baseApi = createApi({
  baseQuery: withKnownFailures(
    createBaseQuery({
      tape: tapePosition,
      keys: createIdempotencyKeys(() => Date.now()),
      record: retries.record,
      session: sessionOfPage,
    }),
    () => Date.now(),
  ),
  keepUnusedDataFor: Infinity,
  catchSchemaFailure: ({ schemaName, message }): ApiError => ({
    status: 'contract',
    message: `The server's answer does not fit its contract (${schemaName}): ${message}`,
  }),
  endpoints: () => ({}),
});

/**
 * How long lists, ranges and figures of the catalogue are fresh, and how long they are kept unused: “Freshness” in
 * `docs/product-decisions.md`.
 */
export const staleAfterSeconds = 30;
export const keepUnusedSeconds = 120;

/** The tag of a whole list. Every tag has an id, so that one entry can have a tag of its own beside it. */
export const listTag = <Type extends string>(type: Type): Readonly<{ type: Type; id: 'LIST' }> => ({
  type,
  id: 'LIST',
});

/** For `invalidatesTags`: a mutation that failed has changed nothing. */
export const onSuccess =
  <Tag>(...tags: readonly Tag[]) =>
  (_answer: unknown, error: unknown): readonly Tag[] =>
    error ? [] : tags;
