/** The time that the tape shows, in milliseconds since 1970. */
export type DeckRange = Readonly<{ from: number; to: number; now: number }>;

export const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const maxFutureShare = 0.2;
/** So that the mark of the first event is whole. */
const startShare = 0.015;

/**
 * From shortly before the first event to now, and on to where the access ends: a fifth of what has passed at most, so that
 * the past keeps its space.
 */
export const deckRange = (first: number, now: number, accessUntil: number | null): DeckRange => {
  const begin = Math.min(first, now - minuteMs);
  const from = begin - (now - begin) * startShare;
  const furthest = now + (now - begin) * maxFutureShare;
  return { from, now, to: accessUntil === null ? now : Math.min(furthest, Math.max(now, accessUntil)) };
};

/** In per cent of the tape. */
export const shareOf = ({ from, to }: Pick<DeckRange, 'from' | 'to'>, time: number): number =>
  Math.min(100, Math.max(0, ((time - from) / (to - from)) * 100));

export const timeOf = ({ from, to }: Pick<DeckRange, 'from' | 'to'>, share: number): number =>
  Math.round(from + ((to - from) * share) / 100);

type Unit = 'time' | 'day' | 'month' | 'year';
type Step = Readonly<{ unit: Unit; count: number; ms: number }>;

const steps: readonly Step[] = [
  ...[1, 5, 15, 30].map((count): Step => ({ unit: 'time', count: count * minuteMs, ms: count * minuteMs })),
  ...[1, 3, 6, 12].map((count): Step => ({ unit: 'time', count: count * hourMs, ms: count * hourMs })),
  ...[1, 2, 7].map((count): Step => ({ unit: 'day', count, ms: count * dayMs })),
  ...[1, 2, 3, 6].map((count): Step => ({ unit: 'month', count, ms: count * 30.4 * dayMs })),
  ...[1, 2, 5, 10, 20, 50, 100].map((count): Step => ({ unit: 'year', count, ms: count * 365.2 * dayMs })),
];

const yearly: Step = { unit: 'year', count: 1_000, ms: Number.POSITIVE_INFINITY };

const startOf = (time: number, { unit, count }: Step): number => {
  const date = new Date(time);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (unit) {
    case 'time':
      return Math.floor(time / count) * count;
    case 'day':
      return Date.UTC(year, month, date.getUTCDate());
    case 'month':
      return Date.UTC(year, Math.floor(month / count) * count);
    case 'year':
      return Date.UTC(Math.floor(year / count) * count, 0);
    default:
      return unit satisfies never;
  }
};

const after = (time: number, { unit, count }: Step): number => {
  const date = new Date(time);
  switch (unit) {
    case 'time':
      return time + count;
    case 'day':
      return time + count * dayMs;
    case 'month':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count);
    case 'year':
      return Date.UTC(date.getUTCFullYear() + count, 0);
    default:
      return unit satisfies never;
  }
};

const formats = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', { ...options, hourCycle: 'h23', timeZone: 'UTC' });
const clock = formats({ hour: '2-digit', minute: '2-digit' });
const dayAndClock = formats({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const day = formats({ day: 'numeric', month: 'short' });
const dayOfYear = formats({ day: 'numeric', month: 'short', year: 'numeric' });
const month = formats({ month: 'short' });
const monthOfYear = formats({ month: 'short', year: 'numeric' });
const year = formats({ year: 'numeric' });

/** Short, and with the day or the year where it has changed since the label before. */
const labelOf = (time: number, { unit }: Step, before: number | undefined): string => {
  const isNew = (format: Intl.DateTimeFormat): boolean =>
    before === undefined || format.format(time) !== format.format(before);
  switch (unit) {
    case 'time':
      return (isNew(day) ? dayAndClock : clock).format(time);
    case 'day':
      return (isNew(year) ? dayOfYear : day).format(time);
    case 'month':
      return (isNew(year) ? monthOfYear : month).format(time);
    case 'year':
      return year.format(time);
    default:
      return unit satisfies never;
  }
};

export type Tick = Readonly<{ time: number; label: string }>;

/** Round instants, at most `maxTicks` of them, whether the tape has minutes or decades; the left end when there is none. */
export const ticksOf = ({ from, to }: Pick<DeckRange, 'from' | 'to'>, maxTicks: number): readonly Tick[] => {
  const step = steps.find(({ ms }) => (to - from) / ms <= maxTicks) ?? yearly;
  const times: number[] = [];
  for (let time = startOf(from, step); time <= to; time = after(time, step))
    if (time >= from) times.push(time);
  const [first] = times;
  // What is far from the next round instant would otherwise begin without a date.
  if (first === undefined || shareOf({ from, to }, first) > 100 / maxTicks) times.unshift(from);
  return times.map((time, index) => ({ time, label: labelOf(time, step, times[index - 1]) }));
};
