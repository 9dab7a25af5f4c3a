import { FavouriteChanged, FavouriteList, favouriteRoutes } from '@tapedeck/favourites/contract';
import { baseApi, listTag, onSuccess } from '../../api/base-api.ts';

const favouriteList = listTag('Favourite');

const favouritesApi = baseApi.enhanceEndpoints({ addTagTypes: [favouriteList.type] }).injectEndpoints({
  endpoints: (build) => ({
    favourites: build.query<FavouriteList, void>({
      query: () => favouriteRoutes.list,
      responseSchema: FavouriteList,
      providesTags: [favouriteList],
    }),
    addFavourite: build.mutation<FavouriteChanged, string>({
      query: (urlId) => ({ url: favouriteRoutes.list, method: 'POST', body: { urlId, tags: [] } }),
      responseSchema: FavouriteChanged,
      invalidatesTags: onSuccess(favouriteList),
    }),
    removeFavourite: build.mutation<unknown, string>({
      query: (urlId) => ({ url: favouriteRoutes.one(encodeURIComponent(urlId)), method: 'DELETE' }),
      invalidatesTags: onSuccess(favouriteList),
    }),
  }),
});

export const { useFavouritesQuery, useAddFavouriteMutation, useRemoveFavouriteMutation } = favouritesApi;
