const dayLength = 86_400_000;

/** Days since 1970-01-01 of `YYYY-MM-DD`; NaN when unknown, as all columns have it. */
export const dayNumber = (date: string | null): number =>
  date === null ? NaN : Math.floor(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / dayLength);

export const dayText = (day: number): string | null =>
  Number.isNaN(day) ? null : new Date(day * dayLength).toISOString().slice(0, 10);
