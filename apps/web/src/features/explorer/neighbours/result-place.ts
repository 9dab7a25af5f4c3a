/** Where a strategy is in a result of the explorer. */
export type ResultPlace = Readonly<{
  /** Address of filters and order, without page and scales. */
  query: string;
  /** From 0 for the first of all results. */
  position: number;
}>;

/** For the history's entry of a strategy's page: a link that is copied or typed does not have it. */
export const stateOf = (place: ResultPlace): Readonly<{ result: ResultPlace }> => ({ result: place });

/** Reads what an entry of the history holds, which an older version of the page may have written. */
export const placeOf = (state: unknown): ResultPlace | null => {
  const { result } = Object(state) as Readonly<{ result?: unknown }>;
  const { query, position } = Object(result) as Readonly<Record<string, unknown>>;
  const isPosition = typeof position === 'number' && Number.isSafeInteger(position) && position >= 0;
  return typeof query === 'string' && isPosition ? { query, position } : null;
};
