import { explorerRoutes, StrategyList } from '@tapedeck/explorer/contract';
import { baseApi, staleAfterSeconds } from '../../../api/base-api.ts';
import type { ApiError } from '../../../api/request.ts';

export type ResultCountsOptions = Readonly<{
  /** Addresses of filters. */
  queries: readonly string[];
  /** Tape position of the catalogue on the screen: part of the cache key. */
  position: string;
}>;

const firstRow = (query: string): URLSearchParams => {
  const params = new URLSearchParams(query);
  params.set('limit', '1');
  return params;
};

const suggestionsApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    /** The number of results of each query. */
    resultCounts: build.query<readonly number[], ResultCountsOptions>({
      queryFn: async ({ queries }, _api, _extra, baseQuery) => {
        const answers = await Promise.all(
          queries.map(async (query) => baseQuery({ url: explorerRoutes.filtered, params: firstRow(query) })),
        );
        const failed = answers.find(({ error }) => error)?.error;
        if (failed) return { error: failed };
        const lists = answers.map(({ data }) => StrategyList.safeParse(data));
        if (lists.every(({ success }) => success)) return { data: lists.map(({ data }) => data?.total ?? 0) };
        const error: ApiError = { status: 'contract', message: 'The list does not fit its contract.' };
        return { error };
      },
      keepUnusedDataFor: staleAfterSeconds,
    }),
  }),
});

export const runningResultCounts = (options: ResultCountsOptions) =>
  suggestionsApi.util.getRunningQueryThunk('resultCounts', options);

export const { useResultCountsQuery } = suggestionsApi;
