import { createApi } from '@reduxjs/toolkit/query/react';
import { createBaseQuery, type ApiError } from './base-query.ts';
import { rememberTapePosition } from './tape-position.ts';

/** The one api of the client; each room injects its endpoints. What is not said otherwise there stays until a tag
 * is invalidated: no polling, no refetch on focus, no retries. */
export const baseApi = createApi({
  baseQuery: createBaseQuery(rememberTapePosition(sessionStorage, () => Date.now())),
  tagTypes: ['Session', 'Config', 'Exploration', 'Favourite', 'SavedSearch', 'Strategy'],
  keepUnusedDataFor: Infinity,
  catchSchemaFailure: ({ schemaName, message }): ApiError => ({
    status: 'contract',
    message: `The server's answer does not fit its contract (${schemaName}): ${message}`,
  }),
  endpoints: () => ({}),
});
