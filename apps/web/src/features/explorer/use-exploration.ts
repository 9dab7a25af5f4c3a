import type { SerializedError, ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import type { Exploration } from '@tapedeck/explorer/contract';
import { useEffect, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import type { ApiError } from '../../app/base-query.ts';
import { isLater, laterPosition } from '../../app/tape-position.ts';
import {
  explorerApi,
  useCatalogueNewsQuery,
  useExploreQuery,
  type ExplorationAsked,
} from './explorer.api.ts';

export type ExplorationView = Readonly<{
  asked: ExplorationAsked;
  /** The newest answer there is, perhaps to an earlier question. */
  shown: Exploration | undefined;
  /** Whether `shown` answers the present question. */
  isSettled: boolean;
  isFetching: boolean;
  error: ApiError | undefined;
  /** The catalogue has changed since `shown`; nothing is reshuffled by itself. */
  hasNews: boolean;
  refresh: () => void;
  refreshIfNews: () => void;
}>;

/** Seconds for which a list is fresh (D17). */
const fresh = 30;

/** An aborted request leaves an error behind that is none. */
const apiErrorOf = (error: ApiError | SerializedError | undefined): ApiError | undefined =>
  error && 'status' in error ? error : undefined;

const useAbortOfSuperseded = (asked: ExplorationAsked): void => {
  const dispatch = useDispatch<ThunkDispatch<never, unknown, UnknownAction>>();
  const before = useRef(asked);
  useEffect(() => {
    if (before.current === asked) return;
    dispatch(explorerApi.util.getRunningQueryThunk('explore', before.current))?.abort();
    before.current = asked;
  }, [asked, dispatch]);
};

export const useExploration = (query: string): ExplorationView => {
  const { data: news } = useCatalogueNewsQuery();
  const [asked, setAsked] = useState<ExplorationAsked>({ query, catalogue: null });
  const answer = useExploreQuery(asked, { refetchOnMountOrArgChange: news?.isLive ? fresh : true });
  const shown = answer.currentData ?? answer.data;
  const shownPosition = shown?.meta.position ?? null;
  const newest = laterPosition(news?.position ?? null, shownPosition);
  const hasNews = shown !== undefined && isLater(newest, shownPosition);

  if (asked.query !== query) setAsked({ query, catalogue: newest });
  // Nothing lies under the reader's hands here that could be reshuffled.
  const isEmpty = answer.currentData?.total === 0;
  if (isEmpty && hasNews && asked.query === query && isLater(newest, asked.catalogue)) {
    setAsked({ query, catalogue: newest });
  }
  useAbortOfSuperseded(asked);

  const refresh = (): void => {
    if (isLater(newest, asked.catalogue)) setAsked({ query, catalogue: newest });
    else void answer.refetch();
  };
  return {
    asked,
    shown,
    isSettled: answer.currentData !== undefined && asked.query === query && !answer.isFetching,
    isFetching: answer.isFetching,
    error: apiErrorOf(answer.error),
    hasNews,
    refresh,
    refreshIfNews: () => {
      if (hasNews) refresh();
    },
  };
};
