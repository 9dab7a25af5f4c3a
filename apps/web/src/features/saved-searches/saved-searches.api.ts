import {
  savedSearchRoutes,
  SavedSearchList,
  SearchChanged,
  type SaveSearchBody,
  type SavedSearch,
} from '@tapedeck/saved-searches/contract';
import { baseApi, listTag, onSuccess } from '../../api/base-api.ts';

const savedSearchList = listTag('SavedSearch');

const listApi = baseApi.enhanceEndpoints({ addTagTypes: [savedSearchList.type] }).injectEndpoints({
  endpoints: (build) => ({
    savedSearches: build.query<SavedSearchList, void>({
      query: () => savedSearchRoutes.searches,
      responseSchema: SavedSearchList,
      extraOptions: { repeatsWhenStale: true },
      providesTags: [savedSearchList],
    }),
  }),
});

/** Has the list read again: after a request that is running, whose answer may be older than the catalogue. */
export const catalogueChanged = () => listApi.util.invalidateTags([savedSearchList]);

type NewName = Readonly<{ id: string; name: string }>;
type ListChange = (searches: readonly SavedSearch[]) => SavedSearch[];

/** Changes the cached list before the server has answered. */
const changeList = (change: ListChange) => listApi.util.updateQueryData('savedSearches', undefined, change);

const withoutNewMatches =
  (id: string): ListChange =>
  (searches) =>
    searches.map((search) => (search.id === id ? { ...search, newMatches: 0 } : search));

const without =
  (id: string): ListChange =>
  (searches) =>
    searches.filter((search) => search.id !== id);

const savedSearchesApi = listApi.injectEndpoints({
  endpoints: (build) => ({
    saveSearch: build.mutation<SearchChanged, SaveSearchBody>({
      query: (body) => ({ url: savedSearchRoutes.searches, method: 'POST', body }),
      responseSchema: SearchChanged,
      invalidatesTags: onSuccess(savedSearchList),
    }),
    renameSearch: build.mutation<SearchChanged, NewName>({
      query: ({ id, name }) => ({ url: savedSearchRoutes.search(id), method: 'PUT', body: { name } }),
      responseSchema: SearchChanged,
      invalidatesTags: onSuccess(savedSearchList),
    }),
    markSearchSeen: build.mutation<unknown, string>({
      query: (id) => ({ url: savedSearchRoutes.seen(id), method: 'POST' }),
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        const { undo } = dispatch(changeList(withoutNewMatches(id)));
        await queryFulfilled.catch(undo);
      },
      invalidatesTags: onSuccess(savedSearchList),
    }),
    deleteSearch: build.mutation<unknown, string>({
      query: (id) => ({ url: savedSearchRoutes.search(id), method: 'DELETE' }),
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        const { undo } = dispatch(changeList(without(id)));
        await queryFulfilled.catch(undo);
      },
      invalidatesTags: onSuccess(savedSearchList),
    }),
  }),
});

export const {
  useSavedSearchesQuery,
  useSaveSearchMutation,
  useRenameSearchMutation,
  useMarkSearchSeenMutation,
  useDeleteSearchMutation,
} = savedSearchesApi;
