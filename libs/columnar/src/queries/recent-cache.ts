/** Keeps the values that were used most recently: at least the last `minEntries`, at most twice as many. */
export type RecentCache<K, V> = Readonly<{
  get: (key: K) => V | undefined;
  set: (key: K, value: V) => void;
}>;

/** A value that is used moves from the older half to the newer one; when that is full, the older half is dropped. */
export const recentCache = <K, V>(minEntries: number): RecentCache<K, V> => {
  let newer = new Map<K, V>();
  let older = new Map<K, V>();

  const set = (key: K, value: V): void => {
    newer.set(key, value);
    if (newer.size <= minEntries) return;
    older = newer;
    newer = new Map([[key, value]]);
  };

  return {
    get: (key) => {
      const recent = newer.get(key);
      if (recent !== undefined) return recent;
      const found = older.get(key);
      if (found !== undefined) set(key, found);
      return found;
    },
    set,
  };
};
