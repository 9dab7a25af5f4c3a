import { createApi } from '@reduxjs/toolkit/query/react';
import { createBaseQuery } from './base-query.ts';
import { createIdempotencyKeys } from './idempotency-keys.ts';
import { withKnownFailures } from './known-failures.ts';
import type { ApiError } from './request.ts';
import { retries } from './retry.ts';
import { sessionOfPage } from './session-of-page.ts';
import { createTapePosition } from './tape-position.ts';

/** Whether the member's plan does not include what was asked for; the error's detail says which one does. */
export const isNotIncluded = (error: object | undefined): error is ApiError =>
  error !== undefined && 'code' in error && error.code === 'FEATURE_NOT_INCLUDED';

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
