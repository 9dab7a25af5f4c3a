import { explorerRoutes, StrategyList } from '@tapedeck/explorer/contract';
import { baseApi } from '../../../api/base-api.ts';
import type { ApiError } from '../../../api/base-query.ts';

export type CountsAsked = Readonly<{
  /** Addresses, each a choice of filters. */
  queries: readonly string[];
  /** Tape position of the catalogue on show. */
  position: string;
}>;

const listOfOne = (query: string): URLSearchParams => {
  const params = new URLSearchParams(query);
  params.set('limit', '1');
  return params;
};

const repairsApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    /** How many each of the queries finds. */
    foundCounts: build.query<readonly number[], CountsAsked>({
      queryFn: async ({ queries }, _api, _extra, ask) => {
        const answers = await Promise.all(
          queries.map(async (query) => ask({ url: explorerRoutes.filtered, params: listOfOne(query) })),
        );
        const failed = answers.find(({ error }) => error)?.error;
        if (failed) return { error: failed };
        const lists = answers.map(({ data }) => StrategyList.safeParse(data));
        if (lists.every(({ success }) => success)) return { data: lists.map(({ data }) => data?.total ?? 0) };
        const error: ApiError = { status: 'contract', message: 'The list does not fit its contract.' };
        return { error };
      },
      keepUnusedDataFor: 30,
    }),
  }),
});

export const runningCounts = (asked: CountsAsked) =>
  repairsApi.util.getRunningQueryThunk('foundCounts', asked);

export const { useFoundCountsQuery } = repairsApi;
