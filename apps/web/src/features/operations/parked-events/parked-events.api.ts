import {
  IgnoredPage,
  operationsRoutes,
  ParkedPage,
  Retried,
  type IgnoreBody,
  type RetryBody,
} from '@tapedeck/operations/contract';
import { baseApi, listTag, onSuccess } from '../../../api/base-api.ts';

const parkedTag = listTag('ParkedEvents');

const parkedApi = baseApi.enhanceEndpoints({ addTagTypes: [parkedTag.type] }).injectEndpoints({
  endpoints: (build) => ({
    parkedEvents: build.infiniteQuery<ParkedPage, string, string | null>({
      infiniteQueryOptions: {
        initialPageParam: null,
        getNextPageParam: ({ after }) => after ?? undefined,
      },
      query: ({ queryArg: filter, pageParam }) => {
        const params = new URLSearchParams(filter);
        if (pageParam !== null) params.set('after', pageParam);
        return { url: operationsRoutes.parked, params };
      },
      responseSchema: ParkedPage,
      providesTags: [parkedTag],
    }),
    ignoredEvents: build.query<IgnoredPage, void>({
      query: () => operationsRoutes.ignored,
      responseSchema: IgnoredPage,
      providesTags: [parkedTag],
    }),
    retryEvents: build.mutation<Retried, RetryBody>({
      query: (body) => ({ url: operationsRoutes.retry, method: 'POST', body }),
      responseSchema: Retried,
      invalidatesTags: onSuccess(parkedTag),
    }),
    ignoreEvent: build.mutation<unknown, IgnoreBody>({
      query: (body) => ({ url: operationsRoutes.ignore, method: 'POST', body }),
      invalidatesTags: onSuccess(parkedTag),
    }),
    restoreEvent: build.mutation<unknown, IgnoreBody>({
      query: (body) => ({ url: operationsRoutes.restore, method: 'POST', body }),
      invalidatesTags: onSuccess(parkedTag),
    }),
  }),
});

export const {
  useParkedEventsInfiniteQuery,
  useIgnoredEventsQuery,
  useRetryEventsMutation,
  useIgnoreEventMutation,
  useRestoreEventMutation,
} = parkedApi;
