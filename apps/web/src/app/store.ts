import { configureStore, createListenerMiddleware, isRejectedWithValue } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { baseApi } from '../api/base-api.ts';
import { repeatWhenStale } from '../api/repeat-when-stale.ts';
import type { ApiError } from '../api/request.ts';
import { sessionOfPage } from '../api/session-of-page.ts';
import { compareSlice } from '../features/explorer/compare/compare.slice.ts';
import { filtersSlice } from '../features/explorer/filter-state/filters.slice.ts';
import { isAccountBeingDeleted } from '../features/identity/identity.api.ts';
import { signInAgain } from '../features/identity/sign-in.tsx';

const sessionEnd = createListenerMiddleware();

sessionEnd.startListening({
  matcher: isRejectedWithValue,
  effect: ({ payload }, { getState }) => {
    const { status, code } = Object(payload) as Readonly<Partial<ApiError>>;
    const state = getState() as Parameters<typeof isAccountBeingDeleted>[0]; // The middleware is older than the store.
    if (status === 401 && !isAccountBeingDeleted(state)) signInAgain();
    if (code === 'OTHER_ACCOUNT') void sessionOfPage.check();
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
