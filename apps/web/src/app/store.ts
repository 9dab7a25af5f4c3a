import { configureStore, createListenerMiddleware, isRejectedWithValue } from '@reduxjs/toolkit';
import { compareSlice } from '../features/explorer/compare/compare.slice.ts';
import { explorerSlice } from '../features/explorer/filter-state/filters.slice.ts';
import { signInAgain } from '../features/identity/sign-in.ts';
import { baseApi } from '../api/base-api.ts';

const sessionWatch = createListenerMiddleware();

const isUnauthorized = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && 'status' in payload && payload.status === 401;

sessionWatch.startListening({
  matcher: isRejectedWithValue,
  effect: ({ payload }) => {
    if (isUnauthorized(payload)) signInAgain();
  },
});

export const store = configureStore({
  reducer: {
    [baseApi.reducerPath]: baseApi.reducer,
    explorer: explorerSlice.reducer,
    compare: compareSlice.reducer,
  },
  middleware: (getDefault) => getDefault().prepend(sessionWatch.middleware).concat(baseApi.middleware),
});
