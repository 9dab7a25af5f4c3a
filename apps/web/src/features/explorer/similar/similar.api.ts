import { explorerRoutes, SimilarStrategies } from '@tapedeck/explorer/contract';
import { baseApi } from '../../../api/base-api.ts';

export const mostSimilar = 6;

const similarApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    similar: build.query<SimilarStrategies, string>({
      query: (urlId) => ({
        url: explorerRoutes.similar(encodeURIComponent(urlId)),
        params: new URLSearchParams({ limit: String(mostSimilar) }),
      }),
      responseSchema: SimilarStrategies,
      providesTags: (_answer, _error, urlId) => [{ type: 'Strategy', id: urlId }],
    }),
  }),
});

export const { useSimilarQuery } = similarApi;
