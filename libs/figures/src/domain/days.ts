import { dayMs } from '@tapedeck/kernel';
/** For so many months figures are shown. */
export const shownMonths = 13;

/** Days in UTC up to the current one, which is not over. */
export type Days = Readonly<{
  /** ISO 8601 dates, the oldest first. */
  names: readonly string[];
  startMs: number;
  now: number;
}>;

export const daysUntil = (now: number): Days => {
  const date = new Date(now);
  const today = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  const startMs = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - shownMonths, date.getUTCDate());
  const count = Math.round((today - startMs) / dayMs) + 1;
  const names = Array.from({ length: count }, (_, day) =>
    new Date(startMs + day * dayMs).toISOString().slice(0, 10),
  );
  return { names, startMs, now };
};

/** The index of the day in which the time lies: negative before the first day. */
export const dayOf = ({ startMs }: Days, time: number): number => Math.floor((time - startMs) / dayMs);

/**
 * The days at whose end something holds that holds in [from, to): their last millisecond counts, of the current day the
 * present instant. Undefined when there is none.
 */
export const daysAtWhoseEnd = (
  days: Days,
  { from, to }: Readonly<{ from: number; to: number }>,
): readonly [first: number, last: number] | undefined => {
  const today = days.names.length - 1;
  if (from > days.now || to <= from) return undefined;
  const first = Math.max(0, dayOf(days, from));
  const last = to > days.now ? today : Math.min(today - 1, dayOf(days, to) - 1);
  return first <= last ? [first, last] : undefined;
};
