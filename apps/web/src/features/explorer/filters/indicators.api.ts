import { explorerRoutes, IndicatorTotals } from '@tapedeck/explorer/contract';
import { IndicatorCatalogue, strategyRoutes } from '@tapedeck/strategies/contract';
import { baseApi } from '../../../api/base-api.ts';

export type TotalsAsked = Readonly<{
  /** The filters but the search, as the address writes them. */
  query: string;
  /** Tape position of the catalogue on show: a later one is asked anew. */
  position: string;
}>;

/** Seconds; as long as a list (D17). */
const kept = 120;

export const indicatorsApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    indicators: build.query<IndicatorCatalogue, string>({
      // The position is only the name under which the answer is kept.
      query: () => strategyRoutes.indicators,
      responseSchema: IndicatorCatalogue,
      keepUnusedDataFor: kept,
    }),
    indicatorTotals: build.query<IndicatorTotals, TotalsAsked>({
      query: ({ query }) => ({ url: explorerRoutes.indicatorTotals, params: new URLSearchParams(query) }),
      responseSchema: IndicatorTotals,
      keepUnusedDataFor: kept,
    }),
  }),
});

export const runningTotals = (asked: TotalsAsked) =>
  indicatorsApi.util.getRunningQueryThunk('indicatorTotals', asked);

export const { useIndicatorsQuery, useIndicatorTotalsQuery } = indicatorsApi;
