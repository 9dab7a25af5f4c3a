import { explorerRoutes, StrategyPlaces } from '@tapedeck/explorer/contract';
import { baseApi, keepUnusedSeconds } from '../../../api/base-api.ts';

const placesApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    strategyPlaces: build.query<StrategyPlaces, string>({
      query: (urlId) => explorerRoutes.places(encodeURIComponent(urlId)),
      responseSchema: StrategyPlaces,
      keepUnusedDataFor: keepUnusedSeconds,
    }),
  }),
});

export const { useStrategyPlacesQuery } = placesApi;
