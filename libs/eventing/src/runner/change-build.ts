import { DomainError, systemClock } from '@tapedeck/kernel';
import type { Pool } from 'pg';
import type { Position } from '../event.ts';
import type { Projection } from '../projection.ts';
import { delay, linkedAbortController } from './abort.ts';
import { swapBuilds, isVersionInUse, type Swap } from './swap-builds.ts';
import { removeIgnored } from './ignore-parked.ts';
import { ChangeSuperseded, prepareStandby, supersedeChange, type BuildChange } from './prepare-standby.ts';
import {
  defaultBatchSize,
  defaultDropAfterMs,
  defaultLeaseMs,
  leaseOwner,
  poolOf,
  runProjection,
  type ProjectorOptions,
} from './projector.ts';
import { silentLogger } from './run-leased.ts';
import { standbyOf } from './standby.ts';

export type ChangeOptions = Omit<ProjectorOptions, 'projections' | 'signal'> &
  Readonly<{ signal: AbortSignal; pollIntervalMs?: number }>;

/** How a change has ended; undefined when this process stops before, or a later change has begun. */
export type ChangeOutcome = Exclude<Swap, Readonly<{ outcome: 'behind' }>>;

const defaultPollIntervalMs = 200;

/** A build that was never used is dropped as an abandoned one: a roll-back to it makes no sense. */
const abandon = async (pool: Pool, { projection, change }: BuildChange): Promise<void> => {
  await pool.query(
    `update projection_checkpoints set status = 'building'
     where projection = $1 and version = $2 and status = 'live' and change = $3`,
    [standbyOf(projection).name, projection.version, String(change)],
  );
};

const trySwap = async ({ store }: ChangeOptions, pool: Pool, change: BuildChange): Promise<Swap> => {
  const swapped = await swapBuilds(pool, change);
  if (swapped.outcome !== 'refused') return swapped;
  await removeIgnored({ store, pool, projection: standbyOf(change.projection) });
  return swapBuilds(pool, change);
};

/** More errors than a database causes that is restarted: the events or the program are the reason. */
const maxFailedRuns = 20n;

/** Swaps the builds as soon as the standby one is at the end of the tape, with retries after errors. */
const untilSwapped = async (
  options: ChangeOptions,
  pool: Pool,
  change: BuildChange,
): Promise<ChangeOutcome | undefined> => {
  const { signal, logger = silentLogger, pollIntervalMs = defaultPollIntervalMs } = options;
  let runsBefore: bigint | undefined;
  while (!signal.aborted) {
    try {
      const tried = await trySwap(options, pool, change);
      if (tried.outcome === 'refused') await abandon(pool, change);
      if (tried.outcome !== 'behind') return tried;
      runsBefore ??= tried.runs;
      if (tried.runs - runsBefore > maxFailedRuns && tried.lastError !== null)
        return { outcome: 'refused', reason: tried.lastError };
    } catch (error) {
      // A lock that a reader holds, or a connection that was lost.
      logger.warn({ err: error, projection: change.projection.name }, 'builds could not be swapped');
    }
    await delay(pollIntervalMs, signal);
  }
  return undefined;
};

/** While another version is used, a process of that program executes the change. */
const untilInUse = async (
  { signal, pollIntervalMs = defaultPollIntervalMs }: ChangeOptions,
  pool: Pool,
  projection: Projection,
): Promise<void> => {
  while (!signal.aborted && !(await isVersionInUse(pool, projection))) await delay(pollIntervalMs, signal);
};

const prepared = async (pool: Pool, change: BuildChange): Promise<'ready' | 'superseded' | ChangeOutcome> => {
  try {
    await prepareStandby(pool, change);
    return 'ready';
  } catch (error) {
    if (error instanceof ChangeSuperseded) return 'superseded';
    if (error instanceof DomainError) return { outcome: 'refused', reason: error.message };
    throw error;
  }
};

/**
 * Fills the standby build of a read model up to the end of the tape, from the first event or from where it was left, and
 * has queries use it. May be called again by any process after a crash: it then continues. Several processes may execute
 * one change at the same time; a lease gives the work to one of them.
 *
 * @example
 * const ended = await changeBuild({ store, databases, signal }, { projection, kind: 'rebuild', change: position });
 */
export const changeBuild = async (
  options: ChangeOptions,
  change: BuildChange,
): Promise<ChangeOutcome | undefined> => {
  const { projection } = change;
  const pool = poolOf(options.databases, projection);
  await untilInUse(options, pool, projection);
  if (options.signal.aborted) return undefined;
  const preparation = await prepared(pool, change);
  if (preparation === 'superseded') return undefined;
  if (preparation !== 'ready') return preparation;
  const { controller, unlink } = linkedAbortController(options.signal);
  const running = runProjection(
    {
      logger: silentLogger,
      clock: systemClock,
      batchSize: defaultBatchSize,
      leaseMs: defaultLeaseMs,
      dropAfterMs: defaultDropAfterMs,
      ...options,
      pool,
      projection: standbyOf(projection),
      owner: leaseOwner(),
      signal: controller.signal,
    },
    () => prepareStandby(pool, change),
  );
  try {
    return await untilSwapped(options, pool, change);
  } finally {
    controller.abort();
    await running;
    unlink();
  }
};

/**
 * Ends a change before queries use its build, or says that they do already. May be called again, by any process; a process
 * that still executes the change does not swap the builds after this.
 * @param cancel the position of the event by which somebody has asked for it
 */
export const cancelBuild = async (
  options: ChangeOptions,
  change: BuildChange,
  cancel: Position,
): Promise<ChangeOutcome | Readonly<{ outcome: 'cancelled' }> | undefined> => {
  const pool = poolOf(options.databases, change.projection);
  await untilInUse(options, pool, change.projection);
  if (options.signal.aborted) return undefined;
  try {
    const position = await supersedeChange(pool, change, cancel);
    return position === null ? { outcome: 'cancelled' } : { outcome: 'swapped', position };
  } catch (error) {
    if (error instanceof ChangeSuperseded) return undefined;
    // There is nothing to roll back to.
    if (error instanceof DomainError) return { outcome: 'cancelled' };
    throw error;
  }
};
