import { messageOf } from '@tapedeck/kernel';
import { acquireLease, prepareProjection, recordError } from './checkpoint.ts';
import { projectorMetrics } from './metrics.ts';
import { pause } from '../pause.ts';
import { serveTenure, type RunnerOptions } from './run-with-lease.ts';

const shortestBackoff = 100;
const longestBackoff = 10_000;
/** Milliseconds between two looks whether a lease has become free, at most. */
const longestWait = 1_000;

const takeTurn = async (options: RunnerOptions): Promise<void> => {
  const { pool, projection, owner, leaseMs, logger, signal } = options;
  const lease = await acquireLease(pool, projection, owner, leaseMs);
  if (!lease) {
    await pause(Math.min(longestWait, leaseMs / 4), signal);
    return;
  }
  if (lease.takenOver) {
    projectorMetrics.leasesTakenOver.inc({ projection: projection.name });
    logger.warn({ projection: projection.name, position: String(lease.position) }, 'lease taken over');
  }
  await serveTenure(options, lease);
};

/** Winds one projection on until the signal is aborted, whatever happens to the databases meanwhile. */
export const runProjection = async (options: RunnerOptions): Promise<void> => {
  const { pool, projection, logger, signal } = options;
  let prepared = false;
  let backoff = shortestBackoff;
  while (!signal.aborted) {
    try {
      if (!prepared) await prepareProjection(pool, projection);
      prepared = true;
      await takeTurn(options);
      backoff = shortestBackoff;
    } catch (error) {
      logger.error({ err: error, projection: projection.name, backoff }, 'projection failed, trying again');
      projectorMetrics.failures.inc({ projection: projection.name });
      await recordError(pool, projection, messageOf(error)).catch(() => {});
      await pause(backoff, signal);
      backoff = Math.min(backoff * 2, longestBackoff);
    }
  }
};
