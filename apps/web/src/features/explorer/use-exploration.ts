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
/** How long after a change the next one still counts as of the same import, in milliseconds. */
const followFor = 1_000;

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

type Follow = Readonly<{ query: string; isEmpty: boolean; isDue: boolean; follow: () => void }>;

/**
 * An empty list has nothing under the reader's hands that could be reshuffled, so it follows the catalogue by
 * itself, and goes on while one import brings change upon change.
 */
const useFollowWhenEmpty = ({ query, isEmpty, isDue, follow }: Follow): void => {
  const following = useRef({ query, until: 0 });
  const latest = useRef(follow);
  useEffect(() => {
    latest.current = follow;
  });
  useEffect(() => {
    if (following.current.query !== query) following.current = { query, until: 0 };
    const now = Date.now();
    if (!isDue || !(isEmpty || now < following.current.until)) return;
    following.current = { query, until: now + followFor };
    latest.current();
  }, [query, isEmpty, isDue]);
};

export const useExploration = (query: string): ExplorationView => {
  const { data: news } = useCatalogueNewsQuery();
  const [asked, setAsked] = useState<ExplorationAsked>({
    query,
    catalogue: news?.position ?? null,
    unheard: 0,
  });
  const answer = useExploreQuery(asked, { refetchOnMountOrArgChange: fresh });
  const shown = answer.currentData ?? answer.data;
  const shownPosition = shown?.meta.position ?? null;
  const newest = laterPosition(news?.position ?? null, shownPosition);
  const hasNews = shown !== undefined && isLater(newest, shownPosition);

  const askAgain = (): void =>
    setAsked({ query, catalogue: newest, unheard: asked.unheard + (news?.isLive ? 0 : 1) });

  if (asked.query !== query) askAgain();
  useAbortOfSuperseded(asked);
  useFollowWhenEmpty({
    query,
    isEmpty: answer.currentData?.total === 0,
    isDue: hasNews && !answer.isFetching && asked.query === query && isLater(newest, asked.catalogue),
    follow: askAgain,
  });

  const refresh = (): void => {
    if (isLater(newest, asked.catalogue)) askAgain();
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
