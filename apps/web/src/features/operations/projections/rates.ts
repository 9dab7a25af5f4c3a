import type { ProjectionsPage, Consumer } from '@tapedeck/operations/contract';

/** Two answers that are compared lie so far apart: events come in bursts. */
const windowMs = 10_000;

/** How many events a consumer had read at a time. */
export type Reading = Readonly<{ at: number; read: ReadonlyMap<string, number> }>;

export const mainKey = ({ name, version }: Consumer): string => `${name} ${version}`;
export const standbyKey = (consumer: Consumer): string => `${mainKey(consumer)} standby`;

const readingOf = ({ readAt, consumers }: ProjectionsPage): Reading => ({
  at: Date.parse(readAt),
  read: new Map(
    consumers.flatMap((one): readonly (readonly [string, number])[] => [
      [mainKey(one), one.eventsRead],
      ...(one.standby ? [[standbyKey(one), one.standby.eventsRead] as const] : []),
    ]),
  ),
});

/** The readings of the last seconds, with this one as the last; the same ones when it is no newer. */
export const addReading = (readings: readonly Reading[], page: ProjectionsPage): readonly Reading[] => {
  const reading = readingOf(page);
  const last = readings.at(-1);
  if (last && reading.at <= last.at) return readings;
  return [...readings.filter(({ at }) => at >= reading.at - windowMs), reading];
};

/** Events per second between the first and the last reading; null without two of the same build. */
export const rateOf = (readings: readonly Reading[], key: string): number | null => {
  const known = readings.filter(({ read }) => read.has(key));
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last || last.at <= first.at) return null;
  const events = (last.read.get(key) ?? 0) - (first.read.get(key) ?? 0);
  // A build that was swapped has another count.
  return events < 0 ? null : events / ((last.at - first.at) / 1_000);
};

export type Progress = Readonly<{
  read: number;
  toRead: number;
  /** From 0 to 1. */
  share: number;
  secondsLeft: number | null;
}>;

/** Of a rebuild that runs. New events come while it does, so more may be read than were there when it began. */
export const progressOf = (read: number, toRead: number, rate: number | null): Progress => {
  const left = Math.max(0, toRead - read);
  return {
    read: Math.min(read, toRead),
    toRead,
    share: toRead === 0 ? 1 : Math.min(1, read / toRead),
    secondsLeft: left === 0 ? 0 : rate === null || rate === 0 ? null : left / rate,
  };
};
