import type { SerializedError } from '@reduxjs/toolkit';
import type { Exploration } from '@tapedeck/explorer/contract';
import { useEffect, useRef, useState } from 'react';
import type { ApiError } from '../../api/base-query.ts';
import { isLater, laterPosition } from '../../api/tape-position.ts';
import {
  explorerApi,
  useCatalogueNewsQuery,
  useExploreQuery,
  type ExplorationAsked,
} from './explorer.api.ts';
import { useAbortOfSuperseded } from '../../api/use-abort-of-superseded.ts';

export type ExplorationView = Readonly<{
  asked: ExplorationAsked;
  /** The newest catalogue that is known of. */
  newest: string | null;
  /** The newest answer there is, perhaps to an earlier question. */
  shown: Exploration | undefined;
  /** Whether `shown` answers the present question. */
  isSettled: boolean;
  isFetching: boolean;
  /** Other rows are on their way, and not only other histograms. */
  isFetchingRows: boolean;
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

const runningExploration = (asked: ExplorationAsked) =>
  explorerApi.util.getRunningQueryThunk('explore', asked);

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

const withoutScales = (query: string): string => {
  const params = new URLSearchParams(query);
  params.delete('scales');
  return params.toString();
};

/** Whether nothing but the histograms' scales is new in a question since the last one that was answered. */
const useOnlyRescaled = ({ query }: ExplorationAsked, isAnswered: boolean): boolean => {
  const [answered, setAnswered] = useState<string | null>(null);
  if (isAnswered && answered !== query) setAnswered(query);
  return answered !== null && answered !== query && withoutScales(answered) === withoutScales(query);
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
  const isOnlyRescaled = useOnlyRescaled(asked, answer.currentData !== undefined);
  useAbortOfSuperseded(asked, runningExploration);
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
    newest,
    shown,
    isSettled: answer.currentData !== undefined && asked.query === query && !answer.isFetching,
    isFetching: answer.isFetching,
    isFetchingRows: answer.isFetching && !isOnlyRescaled,
    error: apiErrorOf(answer.error),
    hasNews,
    refresh,
    refreshIfNews: () => {
      if (hasNews) refresh();
    },
  };
};
