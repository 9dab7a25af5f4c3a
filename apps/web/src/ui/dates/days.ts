/** Days of UTC as `YYYY-MM-DD`; null is open. Both ends belong to the range. */
export type DayRange = Readonly<{ from: string | null; to: string | null }>;

const format = /^\d{4}-\d{2}-\d{2}$/;

/** A day that exists in the calendar. */
export const isDay = (text: string): boolean => {
  const time = format.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};
