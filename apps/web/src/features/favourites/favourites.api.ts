import { FavouriteChanged, FavouriteList, favouriteRoutes } from '@tapedeck/favourites/contract';
import { baseApi, listTag, onSuccess } from '../../api/base-api.ts';

const favouriteList = listTag('Favourite');
const addressOf = (urlId: string): string => favouriteRoutes.one(encodeURIComponent(urlId));

const favouritesApi = baseApi.enhanceEndpoints({ addTagTypes: [favouriteList.type] }).injectEndpoints({
  endpoints: (build) => ({
    favourites: build.query<FavouriteList, void>({
      query: () => favouriteRoutes.list,
      responseSchema: FavouriteList,
      extraOptions: { repeatsWhenStale: true },
      providesTags: [favouriteList],
    }),
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
    removeFavourite: build.mutation<unknown, string>({
      query: (urlId) => ({ url: addressOf(urlId), method: 'DELETE' }),
      invalidatesTags: onSuccess(favouriteList),
    }),
  }),
});

export const { useFavouritesQuery, useAddFavouriteMutation, useRemoveFavouriteMutation } = favouritesApi;
