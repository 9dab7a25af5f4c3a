import { explorerRoutes } from '@tapedeck/explorer/contract';
import {
  savedSearchRoutes,
  SavedSearchList,
  SearchChanged,
  type SaveSearchBody,
  type SavedSearch,
} from '@tapedeck/saved-searches/contract';
import { baseApi } from '../../api/base-api.ts';

const everySearch = { type: 'SavedSearch', id: 'LIST' } as const;
const changesTheList = (_answer: unknown, error: unknown): readonly (typeof everySearch)[] =>
  error ? [] : [everySearch];

const listApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    savedSearches: build.query<SavedSearchList, void>({
      query: () => savedSearchRoutes.searches,
      responseSchema: SavedSearchList,
      providesTags: [everySearch],
    }),
  }),
});

type Renaming = Readonly<{ id: string; name: string }>;
type Recipe = (searches: readonly SavedSearch[]) => SavedSearch[];

/** The list as it will be; the server's own follows, or the change is taken back. */
const expected = (recipe: Recipe) => listApi.util.updateQueryData('savedSearches', undefined, recipe);

const withChange =
  (id: string, change: Partial<SavedSearch>): Recipe =>
  (searches) =>
    searches.map((search) => (search.id === id ? { ...search, ...change } : search));

export const savedSearchesApi = listApi.injectEndpoints({
  endpoints: (build) => ({
    saveSearch: build.mutation<SearchChanged, SaveSearchBody>({
      query: (body) => ({ url: savedSearchRoutes.searches, method: 'POST', body }),
      responseSchema: SearchChanged,
      invalidatesTags: changesTheList,
    }),
    renameSearch: build.mutation<SearchChanged, Renaming>({
      query: ({ id, name }) => ({ url: savedSearchRoutes.search(id), method: 'PUT', body: { name } }),
      responseSchema: SearchChanged,
      invalidatesTags: changesTheList,
    }),
    seeSearch: build.mutation<unknown, string>({
      query: (id) => ({ url: savedSearchRoutes.seen(id), method: 'POST' }),
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        const { undo } = dispatch(expected(withChange(id, { newMatches: 0 })));
        await queryFulfilled.catch(undo);
      },
      invalidatesTags: changesTheList,
    }),
    deleteSearch: build.mutation<unknown, string>({
      query: (id) => ({ url: savedSearchRoutes.search(id), method: 'DELETE' }),
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        const { undo } = dispatch(expected((searches) => searches.filter((search) => search.id !== id)));
        await queryFulfilled.catch(undo);
      },
      invalidatesTags: changesTheList,
    }),
  }),
});

export const {
  useSavedSearchesQuery,
  useSaveSearchMutation,
  useRenameSearchMutation,
  useSeeSearchMutation,
  useDeleteSearchMutation,
} = savedSearchesApi;
