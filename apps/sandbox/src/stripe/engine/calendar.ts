export type Interval = Readonly<{ interval: string; count: number }>;

const secondsPer: Readonly<Record<string, number>> = { day: 86_400, week: 604_800 };

const daysInMonth = (year: number, month: number): number =>
  new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

/** The same day and time `months` later, in UTC; the last day of a month that is too short. */
export const addMonths = (anchor: number, months: number): number => {
  const date = new Date(anchor * 1_000);
  const total = date.getUTCFullYear() * 12 + date.getUTCMonth() + months;
  const [year, month] = [Math.floor(total / 12), total % 12];
  const day = Math.min(date.getUTCDate(), daysInMonth(year, month));
  const time = anchor - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) / 1_000;
  return Date.UTC(year, month, day) / 1_000 + time;
};

/** The n-th boundary of the periods that are counted from the anchor, so that day 31 returns after February. */
export const boundary = (anchor: number, { interval, count }: Interval, n: number): number => {
  const fixed = secondsPer[interval];
  if (fixed !== undefined) return anchor + fixed * count * n;
  return addMonths(anchor, n * count * (interval === 'year' ? 12 : 1));
};

/** The first boundary after `time`. */
export const nextBoundary = (anchor: number, interval: Interval, time: number): number => {
  const length = boundary(0, interval, 1);
  let n = Math.max(0, Math.floor((time - anchor) / (length * 1.05)));
  while (boundary(anchor, interval, n) <= time) n += 1;
  return boundary(anchor, interval, n);
};
