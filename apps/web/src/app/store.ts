import { configureStore, createListenerMiddleware, isRejectedWithValue } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { baseApi } from '../api/base-api.ts';
import { repeatWhenStale } from '../api/repeat-when-stale.ts';
import { compareSlice } from '../features/explorer/compare/compare.slice.ts';
import { filtersSlice } from '../features/explorer/filter-state/filters.slice.ts';
import { signInAgain } from '../features/identity/sign-in.tsx';

const sessionEnd = createListenerMiddleware();

const isUnauthorized = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && 'status' in payload && payload.status === 401;

sessionEnd.startListening({
  matcher: isRejectedWithValue,
  effect: ({ payload }) => {
    if (isUnauthorized(payload)) signInAgain();
  },
});

export const store = configureStore({
  reducer: {
    [baseApi.reducerPath]: baseApi.reducer,
    [filtersSlice.name]: filtersSlice.reducer,
    [compareSlice.name]: compareSlice.reducer,
  },
  middleware: (getDefault) =>
    getDefault().prepend(sessionEnd.middleware, repeatWhenStale()).concat(baseApi.middleware),
});

// So that polling pauses while the page is hidden.
setupListeners(store.dispatch);
