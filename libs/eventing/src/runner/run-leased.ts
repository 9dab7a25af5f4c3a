import type { Pool } from 'pg';
import { delay } from './abort.ts';
import { acquireLease, recordError, type Lease } from './checkpoint.ts';
import { projectorMetrics } from './metrics.ts';
import { isRegistered, type ConsumerId } from './consumer-id.ts';

/** The logger that the runner needs; a pino logger fits. */
export type ProjectorLogger = Readonly<
  Record<'debug' | 'info' | 'warn' | 'error', (details: object, message: string) => void>
>;

export const silentLogger: ProjectorLogger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};

export type LeaseOptions = Readonly<{
  pool: Pool;
  consumerId: ConsumerId;
  /** Identifies this process in the lease. */
  owner: string;
  logger: ProjectorLogger;
  /** After this time a lease that was not renewed is free. */
  leaseMs: number;
  signal: AbortSignal;
}>;

const maxLeasePollIntervalMs = 1_000;
const minRetryDelayMs = 100;
const maxRetryDelayMs = 10_000;

/** Runs if the lease is free; otherwise waits before the next attempt. False when the consumer is no longer registered. */
const tryRun = async (options: LeaseOptions, run: (lease: Lease) => Promise<void>): Promise<boolean> => {
  const { pool, consumerId, owner, leaseMs, logger, signal } = options;
  const lease = await acquireLease(pool, consumerId, owner, leaseMs);
  if (!lease) {
    if (!(await isRegistered(pool, consumerId))) return false;
    await delay(Math.min(maxLeasePollIntervalMs, leaseMs / 4), signal);
    return true;
  }
  if (lease.takenOver) {
    projectorMetrics.leasesTakenOver.inc({ projection: consumerId.name });
    logger.warn({ projection: consumerId.name, position: String(lease.position) }, 'lease taken over');
  }
  await run(lease);
  return true;
};

/** Prepares, then runs whenever the lease is free, until the signal is aborted, with retries after every error. */
export const runLeased = async (
  options: LeaseOptions,
  prepare: () => Promise<void>,
  run: (lease: Lease) => Promise<void>,
): Promise<void> => {
  const { pool, consumerId, logger, signal } = options;
  let prepared = false;
  let delayMs = minRetryDelayMs;
  while (!signal.aborted) {
    try {
      if (!prepared) await prepare();
      prepared = await tryRun(options, run);
      delayMs = minRetryDelayMs;
    } catch (error) {
      logger.error(
        { err: error, projection: consumerId.name, delayMs },
        'projection failed, will be retried',
      );
      projectorMetrics.failures.inc({ projection: consumerId.name });
      await recordError(pool, consumerId, error).catch(() => {});
      await delay(delayMs, signal);
      delayMs = Math.min(delayMs * 2, maxRetryDelayMs);
    }
  }
};

/** Calls `renew` periodically, one call at a time, until the returned function is called. */
export const startRenewing = (
  { consumerId, leaseMs, logger }: Pick<LeaseOptions, 'consumerId' | 'leaseMs' | 'logger'>,
  renew: () => Promise<void>,
): (() => void) => {
  let renewing = false;
  const timer = setInterval(() => {
    if (renewing) return;
    renewing = true;
    void renew()
      .catch((error: unknown) =>
        logger.warn({ err: error, projection: consumerId.name }, 'lease could not be renewed'),
      )
      .finally(() => {
        renewing = false;
      });
  }, leaseMs / 3);
  return () => clearInterval(timer);
};
