import type { UnknownAction } from '@reduxjs/toolkit';
import {
  FavouriteChanged,
  FavouriteList,
  favouriteRoutes,
  type Favourite,
  type TagFavouritesBody,
} from '@tapedeck/favourites/contract';
import * as z from 'zod';
import { baseApi, listTag, onSuccess, tapePosition } from '../../api/base-api.ts';
import { saveFile } from '../../ui/browser/save-file.ts';
import { pendingChanges } from './pending-changes.ts';

const favouriteList = listTag('Favourite');
const addressOf = (urlId: string): string => favouriteRoutes.one(encodeURIComponent(urlId));

/** The tape position that the newest request of the list has sent. */
let readPosition: string | null = null;
export const favouritesReadPosition = (): string | null => readPosition;

const listApi = baseApi.enhanceEndpoints({ addTagTypes: [favouriteList.type] }).injectEndpoints({
  endpoints: (build) => ({
    favourites: build.query<FavouriteList, void>({
      query: () => favouriteRoutes.list,
      responseSchema: FavouriteList,
      extraOptions: { repeatsWhenStale: true },
      providesTags: [favouriteList],
      onQueryStarted: async (_, { queryFulfilled }) => {
        readPosition = tapePosition.newest();
        const endRead = pendingChanges.beginRead();
        const answer = await queryFulfilled.catch(() => null);
        // A stale list may not have the changes yet, and is asked for again.
        if (answer && !answer.meta?.repeats) endRead();
      },
    }),
  }),
});

type Started = Readonly<{
  dispatch: (action: UnknownAction) => unknown;
  queryFulfilled: Promise<unknown>;
}>;

/** Shows the change before the answer, and in lists that were requested before it. */
const showChange = async (
  favourite: Favourite,
  isPresent: boolean,
  { dispatch, queryFulfilled }: Started,
): Promise<void> => {
  pendingChanges.begin(favourite, isPresent);
  try {
    await queryFulfilled;
  } catch {
    return pendingChanges.drop(favourite.urlId);
  }
  // The list that this requests ends the pending change, so `invalidatesTags` would be too early.
  pendingChanges.confirm(favourite.urlId);
  dispatch(listApi.util.invalidateTags([favouriteList]));
};

/** Puts changed tags into the list, which is requested again besides. */
const withTags = (changed: readonly FavouriteChanged[]) =>
  listApi.util.updateQueryData('favourites', undefined, (list) =>
    list.map((favourite) => {
      const tags = changed.find(({ urlId }) => urlId === favourite.urlId)?.tags;
      return tags ? { ...favourite, tags } : favourite;
    }),
  );

type ChangedTags = Readonly<{ urlId: string; tags: readonly string[]; etag: string }>;

/** Answers after which the list is out of date: removed or changed by another page. */
const isOutdated = (error: unknown): boolean =>
  z.object({ error: z.object({ status: z.literal([404, 412]) }) }).safeParse(error).success;

const favouritesApi = listApi.injectEndpoints({
  endpoints: (build) => ({
    addFavourite: build.mutation<FavouriteChanged, string>({
      query: (urlId) => ({
        url: favouriteRoutes.list,
        method: 'POST',
        body: { urlId, tags: [] },
        changes: addressOf(urlId),
      }),
      responseSchema: FavouriteChanged,
      invalidatesTags: onSuccess(favouriteList),
    }),
    removeFavourite: build.mutation<unknown, Favourite>({
      query: ({ urlId }) => ({ url: addressOf(urlId), method: 'DELETE' }),
      onQueryStarted: (favourite, started) => showChange(favourite, false, started),
    }),
    restoreFavourite: build.mutation<FavouriteChanged, Favourite>({
      query: ({ urlId, tags, addedAt }) => ({
        url: favouriteRoutes.list,
        method: 'POST',
        body: { urlId, tags, addedAt },
        changes: addressOf(urlId),
      }),
      responseSchema: FavouriteChanged,
      onQueryStarted: (favourite, started) => showChange(favourite, true, started),
    }),
    changeTags: build.mutation<FavouriteChanged, ChangedTags>({
      query: ({ urlId, tags, etag }) => ({
        url: favouriteRoutes.tags(encodeURIComponent(urlId)),
        method: 'PUT',
        ifMatch: etag,
        body: { tags },
      }),
      responseSchema: FavouriteChanged,
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        try {
          dispatch(withTags([(await queryFulfilled).data]));
        } catch (error) {
          if (isOutdated(error)) dispatch(listApi.util.invalidateTags([favouriteList]));
        }
      },
      invalidatesTags: onSuccess(favouriteList),
    }),
    tagFavourites: build.mutation<readonly FavouriteChanged[], TagFavouritesBody>({
      query: (body) => ({ url: favouriteRoutes.tagsOfMany, method: 'POST', body }),
      responseSchema: z.array(FavouriteChanged),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => null);
        if (answer) dispatch(withTags(answer.data));
      },
      invalidatesTags: onSuccess(favouriteList),
    }),
    /** Loads the whole file before saving it, so that a broken download is reported and not saved. */
    exportFavourites: build.query<null, string>({
      queryFn: async (query, _api, _extra, baseQuery) => {
        const params = new URLSearchParams(query);
        const answer = await baseQuery({ url: favouriteRoutes.export, params, isFile: true });
        if (answer.error) return { error: answer.error };
        // With the day in UTC, as on the server.
        const day = new Date().toISOString().slice(0, 10);
        saveFile(answer.data as Blob, `tapedeck-favorites-${day}.csv`);
        return { data: null };
      },
      keepUnusedDataFor: 0,
    }),
  }),
});

export const {
  useFavouritesQuery,
  useAddFavouriteMutation,
  useRemoveFavouriteMutation,
  useRestoreFavouriteMutation,
  useChangeTagsMutation,
  useTagFavouritesMutation,
  useLazyExportFavouritesQuery,
} = favouritesApi;
