import type { ProjectionsPage, Consumer } from '@tapedeck/operations/contract';

/** Two answers that are compared lie so far apart: events come in bursts. */
const windowMs = 10_000;

/** How many events a consumer had read at a time. */
export type Sample = Readonly<{ at: number; read: ReadonlyMap<string, number> }>;

export const mainKey = ({ name, version }: Consumer): string => `${name} ${version}`;
export const standbyKey = (consumer: Consumer): string => `${mainKey(consumer)} standby`;

const sampleOf = ({ readAt, consumers }: ProjectionsPage): Sample => ({
  at: Date.parse(readAt),
  read: new Map(
    consumers.flatMap((one): readonly (readonly [string, number])[] => [
      [mainKey(one), one.eventsRead],
      ...(one.standby ? [[standbyKey(one), one.standby.eventsRead] as const] : []),
    ]),
  ),
});

/** The samples of the last seconds, with this one as the last; the same ones when it is no newer. */
export const addSample = (samples: readonly Sample[], page: ProjectionsPage): readonly Sample[] => {
  const sample = sampleOf(page);
  const last = samples.at(-1);
  if (last && sample.at <= last.at) return samples;
  return [...samples.filter(({ at }) => at >= sample.at - windowMs), sample];
};

/** Events per second between the first and the last sample; null without two of the same build. */
export const rateOf = (samples: readonly Sample[], key: string): number | null => {
  const known = samples.filter(({ read }) => read.has(key));
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
