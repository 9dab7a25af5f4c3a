import type { Favourite } from '@tapedeck/favourites/contract';

/** A removal or its undoing that the list may not show yet. `isDone`: the server has confirmed it. */
type PendingChange = Readonly<{ favourite: Favourite; isPresent: boolean; isDone: boolean }>;
export type PendingChanges = ReadonlyMap<string, PendingChange>;

/** The list as it is after the pending changes. */
export const withPendingChanges = (
  list: readonly Favourite[],
  changes: PendingChanges,
): readonly Favourite[] => {
  if (changes.size === 0) return list;
  const restored = [...changes.values()]
    .filter(({ isPresent, favourite }) => isPresent && !list.some(({ urlId }) => urlId === favourite.urlId))
    .map(({ favourite }) => favourite);
  return [...restored, ...list.filter(({ urlId }) => changes.get(urlId)?.isPresent !== false)];
};

export type PendingChangeStore = Readonly<{
  get: () => PendingChanges;
  subscribe: (listener: () => void) => () => void;
  begin: (favourite: Favourite, isPresent: boolean) => void;
  confirm: (urlId: string) => void;
  /** It has failed: the list is right as it is. */
  drop: (urlId: string) => void;
  /** To be called when the list is requested; the returned function, when it has arrived. */
  beginRead: () => () => void;
}>;

/**
 * Changes are shown at once, and a list that was requested before one is confirmed may arrive after it. So a change
 * applies to every list until one arrives that was requested after it was confirmed.
 */
export const createPendingChanges = (): PendingChangeStore => {
  let changes: PendingChanges = new Map();
  const listeners = new Set<() => void>();
  const set = (next: PendingChanges): void => {
    changes = next;
    listeners.forEach((listener) => listener());
  };
  const without = (isDropped: (change: PendingChange) => boolean): PendingChanges =>
    new Map([...changes].filter(([, change]) => !isDropped(change)));
  return {
    get: () => changes,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    begin: (favourite, isPresent) =>
      set(new Map(changes).set(favourite.urlId, { favourite, isPresent, isDone: false })),
    confirm: (urlId) => {
      const change = changes.get(urlId);
      if (change) set(new Map(changes).set(urlId, { ...change, isDone: true }));
    },
    drop: (urlId) => set(without(({ favourite }) => favourite.urlId === urlId)),
    beginRead: () => {
      const confirmed = new Set([...changes.values()].filter(({ isDone }) => isDone));
      return () => {
        if (confirmed.size > 0) set(without((change) => confirmed.has(change)));
      };
    },
  };
};

/** Of this page. */
export const pendingChanges = createPendingChanges();
