import { skipToken } from '@reduxjs/toolkit/query';
import { explorerRoutes, StrategyList } from '@tapedeck/explorer/contract';
import { baseApi, keepUnusedSeconds, staleAfterSeconds } from '../../../api/base-api.ts';
import { pageSize } from '../filter-state/filters.ts';
import { furtherPages, neighboursOf, pageOf, type Neighbours } from './neighbours.ts';
import type { ResultPlace } from './result-place.ts';

type PageOptions = Readonly<{ query: string; page: number }>;

const paramsOf = ({ query, page }: PageOptions): URLSearchParams => {
  const params = new URLSearchParams(query);
  params.set('page', String(page));
  params.set('limit', String(pageSize));
  return params;
};

const { useResultPageQuery } = baseApi.injectEndpoints({
  endpoints: (build) => ({
    resultPage: build.query<StrategyList, PageOptions>({
      query: (options) => ({ url: explorerRoutes.filtered, params: paramsOf(options) }),
      responseSchema: StrategyList,
      keepUnusedDataFor: keepUnusedSeconds,
    }),
  }),
});

const fresh = { refetchOnMountOrArgChange: staleAfterSeconds };

/** Loads the page of the result on which the strategy is, and the next one where a neighbour is on that. */
export const useNeighbours = (place: ResultPlace, urlId: string): Neighbours | null => {
  const { query } = place;
  const pageArgs = (page: number | null) => (page === null ? skipToken : { query, page });
  const { currentData: current } = useResultPageQuery(pageArgs(pageOf(place)), fresh);
  const further = furtherPages({ current }, place, urlId);
  const { currentData: before } = useResultPageQuery(pageArgs(further.before), fresh);
  const { currentData: after } = useResultPageQuery(pageArgs(further.after), fresh);
  return neighboursOf({ before, current, after }, place, urlId);
};
