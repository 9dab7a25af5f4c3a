/** ISO 8601 UTC, of Stripe's seconds. */
export const isoOf = (seconds: number): string => new Date(seconds * 1_000).toISOString();
export const isoOrNull = (seconds: number | null | undefined): string | null =>
  seconds === null || seconds === undefined ? null : isoOf(seconds);

/** Of an object that Stripe may have expanded. */
export const idOf = (object: string | Readonly<{ id: string }> | null | undefined): string | null =>
  typeof object === 'string' ? object : (object?.id ?? null);

export const collect = async <T>(list: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  for await (const item of list) all.push(item);
  return all;
};
