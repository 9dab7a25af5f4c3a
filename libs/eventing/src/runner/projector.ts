import { systemClock, type Clock } from '@tapedeck/kernel';
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import type { Pool } from 'pg';
import type { EventStore } from '../event-store.ts';
import type { DatabaseName, Projection } from '../projection.ts';
import { linkedAbortController } from './abort.ts';
import { prepareProjection } from './prepare-projection.ts';
import type { RunOptions } from './leased-run.ts';
import { runLeased, silentLogger, type ProjectorLogger } from './run-leased.ts';
import { runWithLease } from './run-with-lease.ts';

export type ProjectionDatabases = Readonly<Record<DatabaseName, Pool>>;

/** @throws Error when the projection's database is not among the open ones. */
export const poolOf = (
  databases: ProjectionDatabases,
  { name, database }: Pick<Projection, 'name' | 'database'>,
): Pool => {
  const pool = databases[database];
  if (pool) return pool;
  throw new Error(`The projection ${name} needs the database ${database}, which is not open.`);
};

export type ProjectorOptions = Readonly<{
  store: EventStore;
  projections: readonly Projection[];
  databases: ProjectionDatabases;
  logger?: ProjectorLogger;
  clock?: Clock;
  /** Maximum number of events per transaction. */
  batchSize?: number;
  /** Time after which another process takes over the projections of a process that died. */
  leaseMs?: number;
  /** For how long versions of a read model are kept after another one has taken their place; seven days by default. */
  dropAfterMs?: number;
  signal?: AbortSignal;
}>;

export type Projector = Readonly<{
  /** Resolves when every projection has stopped and released its lease. */
  stopped: Promise<void>;
  stop: () => Promise<void>;
}>;

export const defaultBatchSize = 2_000;
export const defaultLeaseMs = 6_000;
export const defaultDropAfterMs = 7 * 86_400_000;

/** How this process is named in its leases. */
export const leaseOwner = (): string => `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;

const assertDistinct = (projections: readonly Projection[]): void => {
  const owners = new Map<string, string>();
  for (const { name, version, tables, database } of projections) {
    for (const table of tables) {
      const qualifiedName = `${database}.${table.name}`;
      const owner = owners.get(qualifiedName);
      if (owner !== undefined && owner !== name) {
        throw new Error(`Projections "${owner}" and "${name}" both have the table "${table.name}".`);
      }
      owners.set(qualifiedName, name);
    }
    const same = projections.filter((one) => one.name === name && one.version === version);
    if (same.length > 1) throw new Error(`Projection "${name}" version ${version} is listed twice.`);
  }
};

/** Runs one projection until the signal is aborted, with retries after every error. */
export const runProjection = (
  options: RunOptions,
  prepare = (): Promise<void> => prepareProjection(options.pool, options.projection),
): Promise<void> =>
  runLeased({ ...options, consumerId: options.projection }, prepare, (lease) => runWithLease(options, lease));

/**
 * Keeps read models up to date with the tape until it is stopped. Several processes may run the same projections: a
 * lease gives each projection to one of them, and another one takes over within ten seconds after a process died.
 *
 * @example
 * const projector = startProjector({ store, projections, databases, logger, signal });
 * await projector.stopped;
 */
export const startProjector = ({
  store,
  projections,
  databases,
  logger = silentLogger,
  clock = systemClock,
  batchSize = defaultBatchSize,
  leaseMs = defaultLeaseMs,
  dropAfterMs = defaultDropAfterMs,
  signal: callersSignal,
}: ProjectorOptions): Projector => {
  assertDistinct(projections);
  const { controller, unlink } = linkedAbortController(callersSignal);
  const { signal } = controller;
  // Every projection adds listeners to it.
  setMaxListeners(0, signal);
  const owner = leaseOwner();
  const runs = projections.map((projection) =>
    runProjection({
      store,
      projection,
      pool: poolOf(databases, projection),
      owner,
      logger,
      clock,
      batchSize,
      leaseMs,
      dropAfterMs,
      signal,
    }),
  );
  const stopped = Promise.all(runs).then(unlink);
  return {
    stopped,
    stop: () => {
      controller.abort();
      return stopped;
    },
  };
};
