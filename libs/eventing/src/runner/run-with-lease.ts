import type { TapePage } from '../event-store.ts';
import { linkedAbortController } from './abort.ts';
import { applyPage, preparePage, type PreparedPage } from './apply-page.ts';
import { buildReadModel, type BuildLimits } from './build-read-model.ts';
import { releaseLease, renewLease, type Lease } from './checkpoint.ts';
import { dropExpiredVersions } from './drop-versions.ts';
import type { ParkedEvent } from './fold-batch.ts';
import { createVersionIndexes, goLive } from './go-live.ts';
import {
  handled,
  isOver,
  lastEventOf,
  observeWritten,
  readAhead,
  withRetries,
  type LeasedRun,
  type RunOptions,
} from './leased-run.ts';
import { observeLag, projectorMetrics } from './metrics.ts';
import { startRenewing } from './run-leased.ts';
import { assertSameTape } from './same-tape.ts';
import { standbyOf } from './standby.ts';

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
  const { page, lastEvent } = prepared;
  const { pool, projection } = run;
  const started = performance.now();
  const { applied, parked } = await withRetries(run, () => applyPage(pool, projection, prepared, run));
  if (!applied) return false;
  const { position, head, events } = page;
  observeWritten(
    run,
    { position, head, events: events.length, lastEvent, lastRecordedAt: events.at(-1)?.recordedAt },
    started,
  );
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

/** Projects pages until the lease ends. While one is written, the next is folded and the one after it is read. */
const projectPages = async (run: LeasedRun, pages: AsyncIterator<TapePage>): Promise<void> => {
  if (!(await finishBuild(run))) return;
  let reading = readAhead(pages);
  const prepareNext = async (): Promise<PreparedPage | undefined> => {
    const { done, value } = await reading;
    if (done === true) return undefined;
    reading = readAhead(pages);
    return preparePage(run.projection, value, await lastEventOf(run, value));
  };
  for (let next = handled(prepareNext()); ;) {
    const prepared = await next;
    if (!prepared || isOver(run)) return;
    next = handled(prepareNext());
    if (!(await projectPage(run, prepared))) return;
    const { position, head } = prepared.page;
    if (run.waitingReason === undefined && position >= head && !(await finishBuild(run))) return;
  }
};

const dropIntervalMs = 3_600_000;

/** Another version that was replaced long ago, or is no longer built, must not keep its rows. */
const dropOldVersions = async (run: LeasedRun): Promise<void> => {
  const { pool, projection, clock, logger } = run;
  if (!run.live || projection.isStandby || clock.now() < run.nextDropAt) return;
  run.nextDropAt = clock.now() + dropIntervalMs;
  try {
    const versions = await dropExpiredVersions(pool, projection.name, run);
    await dropExpiredVersions(pool, standbyOf(projection).name, run);
    if (versions.length > 0) logger.info({ projection: projection.name, versions }, 'old versions dropped');
  } catch (error) {
    logger.warn({ err: error, projection: projection.name }, 'old versions could not be dropped');
  }
};

/** Renews the lease, updates the metrics, and tries again to go live: all that must also happen without new events. */
const renew = async (run: LeasedRun, end: () => void): Promise<void> => {
  const { pool, projection, store, clock, leaseMs } = run;
  // It may wait for locks, and the lease must be renewed meanwhile.
  void dropOldVersions(run);
  const parked = await renewLease(pool, projection, run.epoch, leaseMs);
  if (parked === undefined) return end();
  projectorMetrics.parked.set({ projection: projection.name }, parked);
  observeLag(projection.name, clock, run.position, await store.head());
  if (run.waitingReason !== undefined && !(await finishBuild(run))) end();
};

/** No reader waits for a page of a build, and larger ones cost less per event. */
const buildPageFactor = 3;

/** Calls `work` with the pages after the checkpoint. */
const withPages = async <Result>(
  run: LeasedRun,
  batchSize: number,
  work: (pages: AsyncIterator<TapePage>) => Promise<Result>,
): Promise<Result> => {
  const { store, projection, position: after } = run;
  const { controller, unlink } = linkedAbortController(run.signal);
  const { signal } = controller;
  const followed = store.follow({ after, batchSize, types: projection.types, form: 'sealed', signal });
  const pages = followed[Symbol.asyncIterator]();
  try {
    return await work(pages);
  } finally {
    // Without this a page that is read ahead would wait for new events.
    controller.abort();
    unlink();
    await pages.return?.().catch(() => {});
  }
};

/** Somebody watches its progress, and the build in use goes on beside it. */
const standbyLimits: BuildLimits = { events: 50_000, rows: 10_000, characters: 16_000_000 };

/** Runs the projection until the lease is lost or the signal is aborted, then releases the lease. */
export const runWithLease = async (options: RunOptions, lease: Lease): Promise<void> => {
  const { pool, projection, store } = options;
  const { controller, unlink } = linkedAbortController(options.signal);
  const { signal } = controller;
  const end = (): void => controller.abort();
  const run: LeasedRun = {
    ...options,
    signal,
    epoch: lease.epoch,
    position: lease.position,
    lastEvent: lease.lastEvent,
    indexed: lease.indexed,
    live: lease.status !== 'building',
    waitingReason: undefined,
    nextDropAt: 0,
  };
  const stopRenewing = startRenewing({ ...options, consumerId: projection }, () => renew(run, end));
  try {
    await assertSameTape(store, projection, run, signal);
    if (lease.parked === 0 && !run.indexed && !(await isAtEnd(run))) {
      const pageSize = run.batchSize * buildPageFactor;
      const outcome = await withPages(run, pageSize, (pages) =>
        buildReadModel(run, pages, projection.isStandby ? standbyLimits : undefined),
      );
      if (outcome === 'over') return;
      await assertSameTape(store, projection, run, signal);
    }
    await withPages(run, run.batchSize, (pages) => projectPages(run, pages));
  } finally {
    end();
    stopRenewing();
    unlink();
    await releaseLease(pool, projection, lease.epoch).catch(() => {});
  }
};
