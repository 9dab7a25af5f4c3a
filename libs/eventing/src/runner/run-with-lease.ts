import type { Clock } from '@tapedeck/kernel';
import type { Pool } from 'pg';
import type { EventStore, TapePage } from '../event-store.ts';
import type { Position } from '../event.ts';
import { isTransient } from '../postgres-errors.ts';
import type { Projection } from '../projection.ts';
import { delay, linkedAbortController } from './abort.ts';
import { applyPage, preparePage, type PreparedPage } from './apply-page.ts';
import { releaseLease, renewLease, type Lease } from './checkpoint.ts';
import { dropExpiredVersions } from './drop-versions.ts';
import type { ParkedEvent } from './fold-batch.ts';
import { createVersionIndexes, goLive } from './go-live.ts';
import { observeLag, projectorMetrics } from './metrics.ts';
import { assertSameTape } from './same-tape.ts';

/** The logger that the projector needs; a pino logger fits. */
export type ProjectorLogger = Readonly<
  Record<'debug' | 'info' | 'warn' | 'error', (details: object, message: string) => void>
>;

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
type LeasedRun = RunOptions & {
  readonly epoch: string;
  /** The checkpoint in the database, as this process knows it. */
  position: Position;
  indexed: boolean;
  live: boolean;
  /** Why the last attempt to go live did not succeed. */
  waitingReason: string | undefined;
  lastEmptyPageAt: number;
  nextDropAt: number;
};

const minRetryDelayMs = 50;
const maxRetryDelayMs = 10_000;
/** Limits how often a checkpoint moves when the page contains no event of the projection's types. */
const minEmptyPageIntervalMs = 40;

const isOver = (run: LeasedRun): boolean => run.signal.aborted;

const withRetries = async <Result>(run: LeasedRun, step: () => Promise<Result>): Promise<Result> => {
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

const logParked = ({ projection, logger }: LeasedRun, parked: readonly ParkedEvent[]): void => {
  for (const { event, key, error } of parked) {
    if (error === undefined) continue;
    logger.error(
      { projection: projection.name, position: String(event.position), type: event.type, key, error },
      'event parked; later events of its key will be parked too',
    );
  }
};

/** Projects a page; false when another process has moved the checkpoint or taken the lease. */
const projectPage = async (run: LeasedRun, prepared: PreparedPage): Promise<boolean> => {
  const { page } = prepared;
  const { pool, projection, signal } = run;
  if (page.events.length === 0) {
    await delay(Math.max(0, run.lastEmptyPageAt + minEmptyPageIntervalMs - performance.now()), signal);
    run.lastEmptyPageAt = performance.now();
  }
  const started = performance.now();
  const { applied, parked } = await withRetries(run, () => applyPage(pool, projection, prepared, run));
  if (!applied) return false;
  run.position = page.position;
  const labels = { projection: projection.name };
  projectorMetrics.events.inc(labels, page.events.length);
  projectorMetrics.batchDuration.observe(labels, (performance.now() - started) / 1_000);
  observeLag(projection.name, run.clock, page.position, page.head, page.events.at(-1)?.recordedAt);
  logParked(run, parked);
  return true;
};

const isAtEnd = async ({ store, position }: LeasedRun): Promise<boolean> => position >= (await store.head());

/** Tries to go live; false when the lease is lost. */
const tryGoLive = async (run: LeasedRun): Promise<boolean> => {
  const { pool, projection, logger } = run;
  const result = await goLive(pool, projection, run.epoch);
  if (result.outcome === 'lease-lost') return false;
  const details = { projection: projection.name, version: projection.version };
  if (result.outcome === 'live') {
    run.live = true;
    run.waitingReason = undefined;
    logger.info({ ...details, previousVersion: result.previousVersion }, 'projection is live');
  } else if (result.reason !== run.waitingReason) {
    run.waitingReason = result.reason;
    logger.warn(details, `projection does not go live: ${result.reason}`);
  }
  return true;
};

/** At the end of the tape: creates the indexes and goes live, if that is still to do. False when the lease is lost. */
const finishBuild = async (run: LeasedRun): Promise<boolean> => {
  const { pool, projection, leaseMs } = run;
  if ((run.indexed && run.live) || !(await isAtEnd(run))) return true;
  if (!run.indexed && !(await createVersionIndexes(pool, projection, run.epoch, leaseMs))) return false;
  run.indexed = true;
  // The tape may have grown while the indexes were created.
  return run.live || !(await isAtEnd(run)) || tryGoLive(run);
};

/** The page with its last event, by which the checkpoint recognises its tape. */
const prepareNext = async ({ projection, store }: LeasedRun, page: TapePage): Promise<PreparedPage> => {
  const last = page.events.at(-1);
  if (last?.position === page.position) return preparePage(projection, page);
  return preparePage(projection, page, (await store.readEvent(page.position)) ?? last);
};

/** Projects pages until the lease ends. Reads and folds the next page while one is written. */
const projectPages = async (run: LeasedRun, pages: AsyncIterator<TapePage>): Promise<void> => {
  const readNext = (): Promise<PreparedPage | undefined> => {
    const next = pages
      .next()
      .then(({ done, value }) => (done === true ? undefined : prepareNext(run, value)));
    // The loop awaits it later; until then a rejection must not count as unhandled.
    next.catch(() => {});
    return next;
  };
  if (!(await finishBuild(run))) return;
  for (let next = readNext(); ;) {
    const prepared = await next;
    if (!prepared || isOver(run)) return;
    next = readNext();
    if (!(await projectPage(run, prepared))) return;
    const { position, head } = prepared.page;
    if (run.waitingReason === undefined && position >= head && !(await finishBuild(run))) return;
  }
};

const dropIntervalMs = 3_600_000;

/** Another version that was replaced long ago, or is no longer built, must not keep its rows. */
const dropOldVersions = async (run: LeasedRun): Promise<void> => {
  const { pool, projection, clock, logger } = run;
  if (!run.live || clock.now() < run.nextDropAt) return;
  run.nextDropAt = clock.now() + dropIntervalMs;
  try {
    const versions = await dropExpiredVersions(pool, projection.name, run);
    if (versions.length > 0) logger.info({ projection: projection.name, versions }, 'old versions dropped');
  } catch (error) {
    logger.warn({ err: error, projection: projection.name }, 'old versions could not be dropped');
  }
};

/** Renews the lease, updates the metrics, and tries again to go live: all that must also happen without new events. */
const renew = async (run: LeasedRun, end: () => void): Promise<void> => {
  const { pool, projection, store, clock, leaseMs } = run;
  const parked = await renewLease(pool, projection, run.epoch, leaseMs);
  if (parked === undefined) return end();
  projectorMetrics.parked.set({ projection: projection.name }, parked);
  observeLag(projection.name, clock, run.position, await store.head());
  if (run.waitingReason !== undefined && !(await finishBuild(run))) end();
};

/** Renews the lease periodically until the returned function is called. */
const startRenewing = (run: LeasedRun, end: () => void): (() => void) => {
  let renewing = false;
  const timer = setInterval(() => {
    // It may wait for locks, and the lease must be renewed meanwhile.
    void dropOldVersions(run);
    if (renewing) return;
    renewing = true;
    void renew(run, end)
      .catch((error: unknown) =>
        run.logger.warn({ err: error, projection: run.projection.name }, 'lease could not be renewed'),
      )
      .finally(() => {
        renewing = false;
      });
  }, run.leaseMs / 3);
  return () => clearInterval(timer);
};

/** Runs the projection until the lease is lost or the signal is aborted, then releases the lease. */
export const runWithLease = async (options: RunOptions, lease: Lease): Promise<void> => {
  const { pool, projection, store, batchSize } = options;
  const { controller, unlink } = linkedAbortController(options.signal);
  const { signal } = controller;
  const end = (): void => controller.abort();
  const run: LeasedRun = {
    ...options,
    signal,
    epoch: lease.epoch,
    position: lease.position,
    indexed: lease.indexed,
    live: lease.status !== 'building',
    waitingReason: undefined,
    lastEmptyPageAt: 0,
    nextDropAt: 0,
  };
  const after = lease.position;
  const pages = store.follow({ after, batchSize, types: projection.types, signal })[Symbol.asyncIterator]();
  const stopRenewing = startRenewing(run, end);
  try {
    await assertSameTape(store, projection, lease, signal);
    await projectPages(run, pages);
  } finally {
    end();
    stopRenewing();
    unlink();
    await pages.return?.().catch(() => {});
    await releaseLease(pool, projection, lease.epoch).catch(() => {});
  }
};
