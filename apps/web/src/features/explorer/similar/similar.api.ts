import { explorerRoutes, SimilarStrategies } from '@tapedeck/explorer/contract';
import { baseApi } from '../../../api/base-api.ts';

export const maxSimilar = 6;

const similarApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    similarStrategies: build.query<SimilarStrategies, string>({
      query: (urlId) => ({
        url: explorerRoutes.similar(encodeURIComponent(urlId)),
        params: new URLSearchParams({ limit: String(maxSimilar) }),
      }),
      responseSchema: SimilarStrategies,
    }),
  }),
});

export const { useSimilarStrategiesQuery } = similarApi;
