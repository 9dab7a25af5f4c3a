/** Keeps what was used lately: at least the last `least` values, at most twice as many. */
export type Recent<K, V> = Readonly<{
  get: (key: K) => V | undefined;
  set: (key: K, value: V) => void;
}>;

/** Values in use pass from the older half to the younger; when that is full, the older one goes as a whole. */
export const recent = <K, V>(least: number): Recent<K, V> => {
  let young = new Map<K, V>();
  let old = new Map<K, V>();

  const set = (key: K, value: V): void => {
    young.set(key, value);
    if (young.size <= least) return;
    old = young;
    young = new Map([[key, value]]);
  };

  return {
    get: (key) => {
      const known = young.get(key);
      if (known !== undefined) return known;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
  };
};
