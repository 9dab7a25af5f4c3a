/** Keeps so many values; the one that was not used for longest goes first. */
export type LeastRecent<K, V> = Readonly<{
  get: (key: K) => V | undefined;
  set: (key: K, value: V) => void;
}>;

export const leastRecent = <K, V>(most: number): LeastRecent<K, V> => {
  const values = new Map<K, V>();
  return {
    get: (key) => {
      const value = values.get(key);
      if (value === undefined) return undefined;
      values.delete(key);
      values.set(key, value);
      return value;
    },
    set: (key, value) => {
      values.delete(key);
      values.set(key, value);
      const [oldest] = values.keys();
      if (values.size > most && oldest !== undefined) values.delete(oldest);
    },
  };
};
