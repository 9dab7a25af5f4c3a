import type { SerializedError } from '@reduxjs/toolkit';
import { catalogueTopic, Exploration, explorerRoutes } from '@tapedeck/explorer/contract';
import { useEffect, useRef, useState } from 'react';
import { baseApi, keepUnusedSeconds, staleAfterSeconds } from '../../api/base-api.ts';
import { useChanges } from '../../api/changes.api.ts';
import type { ApiError, ApiRequest } from '../../api/request.ts';
import { isLater, laterPosition } from '../../api/tape-position.ts';
import { useAbortOfSuperseded } from '../../api/use-abort-of-superseded.ts';
import { useFilterAddress } from './filter-state/filters.slice.ts';
import { pageSize } from './filter-state/filters.ts';

export type ExploreOptions = Readonly<{
  /** The address of the filters. */
  query: string;
  /** The newest catalogue known at the time of the request: cached answers of older ones must not serve for it. */
  catalogue: string | null;
  /** Counts requests made without live updates: none of them may be answered from the cache. */
  uncachedRequests: number;
}>;

const exploreRequest = ({ query }: ExploreOptions): ApiRequest => {
  const params = new URLSearchParams(query);
  params.set('limit', String(pageSize));
  return { url: explorerRoutes.explore, params };
};

export const explorerApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    explore: build.query<Exploration, ExploreOptions>({
      query: exploreRequest,
      responseSchema: Exploration,
      keepUnusedDataFor: keepUnusedSeconds,
      // The answer may be of a newer catalogue; a return to this list asks for that one and finds the answer.
      onQueryStarted: async (options, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => null);
        const position = answer?.data.meta.position ?? null;
        if (!answer || !isLater(position, options.catalogue)) return;
        const newer = { ...options, catalogue: position };
        await dispatch(explorerApi.util.upsertQueryData('explore', newer, answer.data));
      },
    }),
  }),
});

export const { useExploreQuery } = explorerApi;

export type ExplorationView = Readonly<{
  options: ExploreOptions;
  /** Position of the newest catalogue that is known. */
  newestCatalogue: string | null;
  /** The newest answer, perhaps to earlier options. */
  shown: Exploration | undefined;
  /** Whether `shown` answers the present options. */
  isCurrent: boolean;
  isFetching: boolean;
  /** Other rows are being fetched, and not only other histograms. */
  isFetchingRows: boolean;
  error: ApiError | undefined;
  /** The catalogue has changed since `shown`; the list changes only on request. */
  hasUpdates: boolean;
  refresh: () => void;
  refreshIfUpdated: () => void;
}>;

/** For how long after a change another one counts as part of the same import. */
const followForMs = 1_000;

/** An aborted request leaves a serialised error, which is not an error for the reader. */
const apiErrorOf = (error: ApiError | SerializedError | undefined): ApiError | undefined =>
  error && 'status' in error ? error : undefined;

const runningExploration = (options: ExploreOptions) =>
  explorerApi.util.getRunningQueryThunk('explore', options);

type FollowOptions = Readonly<{ query: string; isEmpty: boolean; isDue: boolean; refresh: () => void }>;

/**
 * Refreshes an empty list by itself when the catalogue changes, because it shows no rows that could be reordered
 * under the reader's hands; goes on for the further changes of the same import.
 */
const useRefreshWhenEmpty = ({ query, isEmpty, isDue, refresh }: FollowOptions): void => {
  const following = useRef({ query, until: 0 });
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
  });
  useEffect(() => {
    if (following.current.query !== query) following.current = { query, until: 0 };
    const now = Date.now();
    if (!isDue || !(isEmpty || now < following.current.until)) return;
    following.current = { query, until: now + followForMs };
    latest.current();
  }, [query, isEmpty, isDue]);
};

const withoutScales = (query: string): string => {
  const params = new URLSearchParams(query);
  params.delete('scales');
  return params.toString();
};

/** Whether only the scales of the histograms differ from the last query that was answered. */
const useIsOnlyRescaled = (query: string, isAnswered: boolean): boolean => {
  const [answered, setAnswered] = useState<string | null>(null);
  if (isAnswered && answered !== query) setAnswered(query);
  return answered !== null && answered !== query && withoutScales(answered) === withoutScales(query);
};

/** Rows, total, ranges and histograms for the filters in the address. */
export const useExploration = (): ExplorationView => {
  const query = useFilterAddress();
  const { positions, isLive } = useChanges();
  const reported = positions[catalogueTopic] ?? null;
  const [options, setOptions] = useState<ExploreOptions>({
    query,
    catalogue: reported,
    uncachedRequests: 0,
  });
  const answer = useExploreQuery(options, { refetchOnMountOrArgChange: staleAfterSeconds });
  const { currentData, isFetching } = answer;
  const shown = currentData ?? answer.data;
  const shownPosition = shown?.meta.position ?? null;
  const newestCatalogue = laterPosition(reported, shownPosition);
  const hasUpdates = shown !== undefined && isLater(newestCatalogue, shownPosition);

  const request = (): void =>
    setOptions({
      query,
      catalogue: newestCatalogue,
      uncachedRequests: options.uncachedRequests + (isLive ? 0 : 1),
    });
  const isOutdated = isLater(newestCatalogue, options.catalogue);

  if (options.query !== query) request();
  const isOnlyRescaled = useIsOnlyRescaled(options.query, currentData !== undefined);
  useAbortOfSuperseded(options, runningExploration);
  useRefreshWhenEmpty({
    query,
    isEmpty: currentData?.total === 0,
    isDue: hasUpdates && !isFetching && options.query === query && isOutdated,
    refresh: request,
  });

  const refresh = (): void => {
    if (isOutdated) request();
    else void answer.refetch();
  };
  return {
    options,
    newestCatalogue,
    shown,
    isCurrent: currentData !== undefined && options.query === query && !isFetching,
    isFetching,
    isFetchingRows: isFetching && !isOnlyRescaled,
    error: apiErrorOf(answer.error),
    hasUpdates,
    refresh,
    refreshIfUpdated: () => {
      if (hasUpdates) refresh();
    },
  };
};
