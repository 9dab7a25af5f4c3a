import { FavouriteChanged, FavouriteList, favouriteRoutes } from '@tapedeck/favourites/contract';
import { baseApi } from '../../api/base-api.ts';

const everyFavourite = { type: 'Favourite', id: 'LIST' } as const;

export const favouritesApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    favourites: build.query<FavouriteList, void>({
      query: () => favouriteRoutes.list,
      responseSchema: FavouriteList,
      providesTags: (list) => [
        everyFavourite,
        ...(list ?? []).map(({ urlId }) => ({ type: 'Favourite' as const, id: urlId })),
      ],
    }),
    addFavourite: build.mutation<FavouriteChanged, string>({
      query: (urlId) => ({ url: favouriteRoutes.list, method: 'POST', body: { urlId, tags: [] } }),
      responseSchema: FavouriteChanged,
      invalidatesTags: [everyFavourite],
    }),
    removeFavourite: build.mutation<unknown, string>({
      query: (urlId) => ({ url: favouriteRoutes.one(encodeURIComponent(urlId)), method: 'DELETE' }),
      invalidatesTags: (_answer, error, urlId) => (error ? [] : [{ type: 'Favourite', id: urlId }]),
    }),
  }),
});

export const { useFavouritesQuery, useAddFavouriteMutation, useRemoveFavouriteMutation } = favouritesApi;
