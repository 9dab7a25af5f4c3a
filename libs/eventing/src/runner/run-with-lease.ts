import type { Clock } from '@tapedeck/kernel';
import type { Pool } from 'pg';
import type { EventStore, TapePage } from '../event-store.ts';
import type { Position } from '../event.ts';
import { isTransient } from '../postgres-errors.ts';
import type { Projection } from '../projection.ts';
import { applyPage, preparePage, type PreparedPage } from './apply-page.ts';
import { releaseLease, renewLease, type Lease } from './checkpoint.ts';
import type { ParkedEvent } from './fold-batch.ts';
import { goLive, indexVersion } from './go-live.ts';
import type { ProjectorLogger } from './logger.ts';
import { observeLag, projectorMetrics } from './metrics.ts';
import { childOf, pause } from '../pause.ts';

export type RunnerOptions = Readonly<{
  store: EventStore;
  projection: Projection;
  pool: Pool;
  /** Names this process in the lease. */
  owner: string;
  logger: ProjectorLogger;
  clock: Clock;
  batchSize: number;
  /** Milliseconds after which a lease that was not renewed is free. */
  leaseMs: number;
  signal: AbortSignal;
}>;

/** The time in which one lease is ours. */
type Tenure = RunnerOptions & {
  readonly epoch: string;
  /** What the checkpoint in the database says, as far as we know. */
  position: Position;
  indexed: boolean;
  live: boolean;
  /** Why it could not be switched to when it was tried last. */
  waitingFor: string | undefined;
  emptyPageAt: number;
};

const longestBackoff = 10_000;
/** Milliseconds between two checkpoints that only move over events of other types. */
const emptyPageInterval = 40;

/** Ends with the tenure, not with the process. */
const isOver = (tenure: Tenure): boolean => tenure.signal.aborted;

const retryTransient = async <Result>(tenure: Tenure, step: () => Promise<Result>): Promise<Result> => {
  const { projection, logger, signal } = tenure;
  for (let wait = 50; ; wait = Math.min(wait * 2, longestBackoff)) {
    try {
      return await step();
    } catch (error) {
      if (!isTransient(error) || isOver(tenure)) throw error;
      projectorMetrics.failures.inc({ projection: projection.name });
      logger.warn({ err: error, projection: projection.name, wait }, 'batch failed, trying again');
      await pause(wait, signal);
    }
  }
};

const reportParked = ({ projection, logger }: Tenure, parked: readonly ParkedEvent[]): void => {
  for (const { event, key, error } of parked) {
    if (error === undefined) continue;
    logger.error(
      { projection: projection.name, position: String(event.position), type: event.type, key, error },
      'event parked, with all later ones of its key',
    );
  }
};

/** False when somebody else has moved the checkpoint or taken the lease. */
const projectPage = async (tenure: Tenure, prepared: PreparedPage): Promise<boolean> => {
  const { page } = prepared;
  const { pool, projection, signal } = tenure;
  if (page.events.length === 0) {
    await pause(Math.max(0, tenure.emptyPageAt + emptyPageInterval - performance.now()), signal);
    tenure.emptyPageAt = performance.now();
  }
  const started = performance.now();
  const { applied, parked } = await retryTransient(tenure, () =>
    applyPage(pool, projection, prepared, tenure),
  );
  if (!applied) return false;
  tenure.position = page.position;
  const labels = { projection: projection.name };
  projectorMetrics.events.inc(labels, page.events.length);
  projectorMetrics.batchDuration.observe(labels, (performance.now() - started) / 1_000);
  observeLag(projection.name, tenure.clock, page.position, page.head, page.events.at(-1)?.recordedAt);
  reportParked(tenure, parked);
  return true;
};

const isAtEnd = async ({ store, position }: Tenure): Promise<boolean> => position >= (await store.head());

const switchTo = async (tenure: Tenure): Promise<boolean> => {
  const { pool, projection, logger } = tenure;
  const result = await goLive(pool, projection, tenure.epoch);
  if (result.outcome === 'lost') return false;
  const named = { projection: projection.name, version: projection.version };
  if (result.outcome === 'live') {
    tenure.live = true;
    tenure.waitingFor = undefined;
    logger.info({ ...named, before: result.before }, 'projection is live');
  } else if (result.why !== tenure.waitingFor) {
    tenure.waitingFor = result.why;
    logger.warn(named, `projection is not switched to: ${result.why}`);
  }
  return true;
};

/** Indexes the version, and switches to it, when it is at the end of the tape; false when the lease is gone. */
const settle = async (tenure: Tenure): Promise<boolean> => {
  const { pool, projection, leaseMs } = tenure;
  if ((tenure.indexed && tenure.live) || !(await isAtEnd(tenure))) return true;
  if (!tenure.indexed && !(await indexVersion(pool, projection, tenure.epoch, leaseMs))) return false;
  tenure.indexed = true;
  // Making indexes takes time, in which the tape may have grown.
  return tenure.live || !(await isAtEnd(tenure)) || switchTo(tenure);
};

/** Follows the tape for as long as the lease is ours. The next page is read and folded while one is written. */
const projectPages = async (tenure: Tenure, pages: AsyncIterator<TapePage>): Promise<void> => {
  const read = (): Promise<PreparedPage | undefined> => {
    const next = pages
      .next()
      .then(({ done, value }) => (done === true ? undefined : preparePage(tenure.projection, value)));
    // Looked at when its turn comes; until then a failure must not count as unhandled.
    next.catch(() => {});
    return next;
  };
  if (!(await settle(tenure))) return;
  for (let next = read(); ;) {
    const prepared = await next;
    if (!prepared || isOver(tenure)) return;
    next = read();
    if (!(await projectPage(tenure, prepared))) return;
    const { position, head } = prepared.page;
    if (tenure.waitingFor === undefined && position >= head && !(await settle(tenure))) return;
  }
};

/** Renews the lease, and does what must also happen while the tape is quiet. */
const renew = async (tenure: Tenure, end: () => void): Promise<void> => {
  const { pool, projection, store, clock, leaseMs } = tenure;
  const parked = await renewLease(pool, projection, tenure.epoch, leaseMs);
  if (parked === undefined) return end();
  projectorMetrics.parked.set({ projection: projection.name }, parked);
  observeLag(projection.name, clock, tenure.position, await store.head());
  if (tenure.waitingFor !== undefined && !(await settle(tenure))) end();
};

const keepRenewing = (tenure: Tenure, end: () => void): (() => void) => {
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    void renew(tenure, end)
      .catch((error: unknown) =>
        tenure.logger.warn({ err: error, projection: tenure.projection.name }, 'lease could not be renewed'),
      )
      .finally(() => {
        busy = false;
      });
  }, tenure.leaseMs / 3);
  return () => clearInterval(timer);
};

/** Works on the projection until the lease is lost or the signal aborted, then gives the lease back. */
export const serveTenure = async (options: RunnerOptions, lease: Lease): Promise<void> => {
  const { pool, projection, store, batchSize } = options;
  const { controller, dispose } = childOf(options.signal);
  const end = (): void => controller.abort();
  const tenure: Tenure = {
    ...options,
    signal: controller.signal,
    epoch: lease.epoch,
    position: lease.position,
    indexed: lease.indexed,
    live: lease.status !== 'building',
    waitingFor: undefined,
    emptyPageAt: 0,
  };
  const after = lease.position;
  const follow = { after, batchSize, types: projection.types, signal: controller.signal };
  const pages = store.follow(follow)[Symbol.asyncIterator]();
  const stopRenewing = keepRenewing(tenure, end);
  try {
    await projectPages(tenure, pages);
  } finally {
    end();
    stopRenewing();
    dispose();
    await pages.return?.().catch(() => {});
    await releaseLease(pool, projection, lease.epoch).catch(() => {});
  }
};
