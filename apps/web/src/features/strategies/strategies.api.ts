import { StrategyDetails, strategyRoutes } from '@tapedeck/strategies/contract';
import { baseApi } from '../../api/base-api.ts';

export const strategiesApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    strategyDetails: build.query<StrategyDetails, string>({
      query: (urlId) => strategyRoutes.details(encodeURIComponent(urlId)),
      responseSchema: StrategyDetails,
      providesTags: (_details, _error, urlId) => [{ type: 'Strategy', id: urlId }],
    }),
  }),
});

export const { useStrategyDetailsQuery } = strategiesApi;
