import { StrategyDetails, strategyRoutes } from '@tapedeck/strategies/contract';
import { baseApi } from '../../api/base-api.ts';

const strategiesApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    strategyDetails: build.query<StrategyDetails, string>({
      query: (urlId) => strategyRoutes.details(encodeURIComponent(urlId)),
      responseSchema: StrategyDetails,
    }),
  }),
});

export const { useStrategyDetailsQuery } = strategiesApi;

/** Loads a strategy that will probably be opened next. */
export const usePrefetchStrategy = (): ((urlId: string) => void) =>
  strategiesApi.usePrefetch('strategyDetails');
