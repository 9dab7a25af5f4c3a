import { favouritesTopic, type Favourite } from '@tapedeck/favourites/contract';
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { tapePosition } from '../../api/base-api.ts';
import { useChanges } from '../../api/changes.api.ts';
import { isLater } from '../../api/tape-position.ts';
import { favouritesReadPosition, useFavouritesQuery } from './favourites.api.ts';
import { pendingChanges, withPendingChanges, type PendingChanges } from './pending-changes.ts';

export const usePendingChanges = (): PendingChanges =>
  useSyncExternalStore(pendingChanges.subscribe, pendingChanges.get);

export type FavouritesView = Readonly<{
  /** With what this page has removed or restored; undefined before the first answer. */
  favourites: readonly Favourite[] | undefined;
  error: object | undefined;
  isFetching: boolean;
  refetch: () => void;
}>;

/** The favourites as every part of the page shows and counts them. */
export const useFavourites = (): FavouritesView => {
  const { data, error, isFetching, refetch } = useFavouritesQuery();
  const changes = usePendingChanges();
  const favourites = useMemo(() => data && withPendingChanges(data, changes), [data, changes]);
  return { favourites, error, isFetching, refetch: () => void refetch() };
};

/** Requests the list again when another page of the account has changed it. Mounted once. */
export const useFollowedFavourites = (options: Readonly<{ skip: boolean }>): void => {
  const { positions, isLive } = useChanges(options);
  const { refetch, isFetching, isUninitialized } = useFavouritesQuery(undefined, options);
  const changedAt = positions[favouritesTopic] ?? null;
  // RTK Query ignores `refetch` while a request is running, whose answer may be older than the change.
  const canRead = !isUninitialized && !isFetching;
  useEffect(() => {
    if (!canRead || !isLater(changedAt, favouritesReadPosition())) return;
    tapePosition.record(changedAt);
    void refetch();
  }, [canRead, changedAt, refetch]);
  // What has changed while the connection was lost is unknown.
  const wasLost = useRef(false);
  useEffect(() => {
    if (!isLive) wasLost.current = !isUninitialized;
    else if (canRead && wasLost.current) {
      wasLost.current = false;
      void refetch();
    }
  }, [canRead, isLive, isUninitialized, refetch]);
};
