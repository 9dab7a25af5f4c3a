import { explorerRoutes, IndicatorTotals } from '@tapedeck/explorer/contract';
import { IndicatorCatalogue, strategyRoutes } from '@tapedeck/strategies/contract';
import { baseApi, keepUnusedSeconds } from '../../../api/base-api.ts';

export type IndicatorTotalsOptions = Readonly<{
  /** The address of the filters without the search. */
  query: string;
  /** Tape position of the catalogue on the screen: part of the cache key. */
  position: string;
}>;

const indicatorsApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    /** By tape position of the catalogue, which is only part of the cache key. */
    indicators: build.query<IndicatorCatalogue, string>({
      query: () => strategyRoutes.indicators,
      responseSchema: IndicatorCatalogue,
      keepUnusedDataFor: keepUnusedSeconds,
    }),
    indicatorTotals: build.query<IndicatorTotals, IndicatorTotalsOptions>({
      query: ({ query }) => ({ url: explorerRoutes.indicatorTotals, params: new URLSearchParams(query) }),
      responseSchema: IndicatorTotals,
      keepUnusedDataFor: keepUnusedSeconds,
    }),
  }),
});

export const runningIndicatorTotals = (options: IndicatorTotalsOptions) =>
  indicatorsApi.util.getRunningQueryThunk('indicatorTotals', options);

export const { useIndicatorsQuery, useIndicatorTotalsQuery } = indicatorsApi;
