const dayLength = 86_400_000;

/** Days since 1970-01-01 of `YYYY-MM-DD`; NaN when unknown, as all columns have it. */
export const dayNumber = (date: string | null): number =>
  date === null ? NaN : Math.floor(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / dayLength);

export const dayText = (day: number): string | null =>
  Number.isNaN(day) ? null : new Date(day * dayLength).toISOString().slice(0, 10);

/** Two bytes hold 179 years of days. The oldest prices that strategies are tested on are of 1871. */
const firstCoded = dayNumber('1871-01-01');
const codedDays = 65_535;

/** Code 0 is unknown; days before the first code and after the last one share these. */
export const dayCode = (day: number): number =>
  Number.isNaN(day) ? 0 : Math.min(codedDays, Math.max(1, day - firstCoded + 1));

/** True when no other day has the day's code. */
export const hasOwnCode = (day: number): boolean => day > firstCoded && day - firstCoded + 1 < codedDays;
