/** Days of UTC as `YYYY-MM-DD`; null is open. Both ends belong to the range. */
export type DayRange = Readonly<{ from: string | null; to: string | null }>;

const form = /^\d{4}-\d{2}-\d{2}$/;

/** A day that the calendar has. */
export const isDay = (text: string): boolean => {
  const time = form.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};

export const isReversed = ({ from, to }: DayRange): boolean => from !== null && to !== null && from > to;

/** Days that contradict each other are none. */
export const tidyDays = (days: DayRange): DayRange => (isReversed(days) ? { from: null, to: null } : days);
