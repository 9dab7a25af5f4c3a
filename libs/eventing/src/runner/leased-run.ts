import type { Clock } from '@tapedeck/kernel';
import type { Pool } from 'pg';
import type { EventStore, TapePage } from '../event-store.ts';
import type { Position } from '../event.ts';
import { isTransient } from '../postgres-errors.ts';
import type { Projection } from '../projection.ts';
import { delay } from './abort.ts';
import { observeLag, projectorMetrics } from './metrics.ts';
import type { ProjectorLogger } from './run-leased.ts';
import type { AppliedEvent } from './same-tape.ts';

export type RunOptions = Readonly<{
  store: EventStore;
  projection: Projection;
  pool: Pool;
  /** Identifies this process in the lease. */
  owner: string;
  logger: ProjectorLogger;
  clock: Clock;
  batchSize: number;
  /** After this time a lease that was not renewed is free. */
  leaseMs: number;
  /** For how long versions that are no longer live are kept. */
  dropAfterMs: number;
  signal: AbortSignal;
}>;

/** A run of a projection by the process that holds its lease. The signal is aborted when the lease ends. */
export type LeasedRun = RunOptions & {
  readonly epoch: string;
  /** The checkpoint in the database, as this process knows it. */
  position: Position;
  lastEvent: AppliedEvent | undefined;
  indexed: boolean;
  live: boolean;
  /** Why the last attempt to go live did not succeed. */
  waitingReason: string | undefined;
  nextDropAt: number;
};

const minRetryDelayMs = 50;
const maxRetryDelayMs = 10_000;
export const isOver = (run: LeasedRun): boolean => run.signal.aborted;

/** Repeats a step after transient errors, until the run is over. */
export const withRetries = async <Result>(run: LeasedRun, step: () => Promise<Result>): Promise<Result> => {
  const { projection, logger, signal } = run;
  for (let delayMs = minRetryDelayMs; ; delayMs = Math.min(delayMs * 2, maxRetryDelayMs)) {
    try {
      return await step();
    } catch (error) {
      if (!isTransient(error) || isOver(run)) throw error;
      projectorMetrics.failures.inc({ projection: projection.name });
      logger.warn({ err: error, projection: projection.name, delayMs }, 'batch failed, will be retried');
      await delay(delayMs, signal);
    }
  }
};

/** What a written page or several combined ones contained. */
export type Written = Readonly<
  Pick<TapePage, 'position' | 'head'> & {
    events: number;
    lastEvent: AppliedEvent | undefined;
    lastRecordedAt: string | undefined;
  }
>;

/** Remembers the new checkpoint and updates the metrics. */
export const observeWritten = (run: LeasedRun, written: Written, started: number): void => {
  const { projection, clock } = run;
  const { position, head, events, lastEvent, lastRecordedAt } = written;
  run.position = position;
  run.lastEvent = lastEvent ?? run.lastEvent;
  const labels = { projection: projection.name };
  projectorMetrics.events.inc(labels, events);
  projectorMetrics.batchDuration.observe(labels, (performance.now() - started) / 1_000);
  observeLag(projection.name, clock, position, head, lastRecordedAt);
};

/** The event at the end of a page, by which the checkpoint recognises its tape. */
export const lastEventOf = async (
  { store }: Pick<RunOptions, 'store'>,
  { events, position, last: known }: TapePage,
): Promise<AppliedEvent | undefined> => {
  if (known?.position === position) return known;
  const last = events.at(-1);
  return last?.position === position ? last : ((await store.readEvent(position)) ?? last);
};

/** A promise that is awaited later: until then a rejection must not count as unhandled. */
export const handled = <Result>(promise: Promise<Result>): Promise<Result> => {
  promise.catch(() => {});
  return promise;
};

/** Starts to read the next page before it is needed. */
export const readAhead = (pages: AsyncIterator<TapePage>): Promise<IteratorResult<TapePage>> =>
  handled(pages.next());
