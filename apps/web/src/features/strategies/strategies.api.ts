import { StrategyDetails, strategyRoutes } from '@tapedeck/strategies/contract';
import { baseApi } from '../../api/base-api.ts';
import { membershipTag } from '../../api/member-tags.ts';

const strategiesApi = baseApi.enhanceEndpoints({ addTagTypes: [membershipTag.type] }).injectEndpoints({
  endpoints: (build) => ({
    strategyDetails: build.query<StrategyDetails, string>({
      query: (urlId) => strategyRoutes.details(encodeURIComponent(urlId)),
      responseSchema: StrategyDetails,
      // Another plan may include what this one leaves out.
      providesTags: (details) => (details?.sourceCodeIncluded === false ? [membershipTag] : []),
    }),
  }),
});

export const { strategyDetails } = strategiesApi.endpoints;
export const { useStrategyDetailsQuery } = strategiesApi;

/** Loads a strategy that will probably be opened next. */
export const usePrefetchStrategy = (): ((urlId: string) => void) =>
  strategiesApi.usePrefetch('strategyDetails');
