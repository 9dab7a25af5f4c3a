import { systemClock, type Clock } from '@tapedeck/kernel';
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import type { Pool } from 'pg';
import type { EventStore } from '../event-store.ts';
import type { DatabaseName, Projection } from '../projection.ts';
import { silentLogger, type ProjectorLogger } from './logger.ts';
import { runProjection } from './run-projection.ts';

export type ProjectionDatabases = Readonly<Record<DatabaseName, Pool>>;

/** @throws Error when the database in which a projection is kept is not among the open ones. */
export const poolOf = (databases: ProjectionDatabases, { name, database }: Projection): Pool => {
  const pool = databases[database];
  if (pool) return pool;
  throw new Error(`The projection ${name} is kept in the database ${database}, which is not open.`);
};

export type ProjectorOptions = Readonly<{
  store: EventStore;
  projections: readonly Projection[];
  databases: ProjectionDatabases;
  logger?: ProjectorLogger;
  clock?: Clock;
  /** Events per transaction, at most. */
  batchSize?: number;
  /** Milliseconds after which a projector that has died is replaced. */
  leaseMs?: number;
  signal?: AbortSignal;
}>;

export type Projector = Readonly<{
  /** Resolves when every projection has stopped and given back its lease. */
  stopped: Promise<void>;
  stop: () => Promise<void>;
}>;

const defaultBatchSize = 2_000;
const defaultLeaseMs = 6_000;

const assertDistinct = (projections: readonly Projection[]): void => {
  const tables = new Map<string, string>();
  for (const { name, version, tables: own, database } of projections) {
    for (const table of own) {
      const place = `${database}.${table.name}`;
      const other = tables.get(place);
      if (other !== undefined && other !== name) {
        throw new Error(`Projections "${other}" and "${name}" both have the table "${table.name}".`);
      }
      tables.set(place, name);
    }
    const same = projections.filter((one) => one.name === name && one.version === version);
    if (same.length > 1) throw new Error(`Projection "${name}" version ${version} is listed twice.`);
  }
};

/**
 * Winds read models on from the tape until the signal is aborted. Any number of processes may run the
 * same projections: one of them works on each, and another takes over within ten seconds of its death.
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
  signal,
}: ProjectorOptions): Projector => {
  assertDistinct(projections);
  const own = new AbortController();
  // Every projection listens to it.
  setMaxListeners(0, own.signal);
  const abort = (): void => own.abort();
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  const owner = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;
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
      signal: own.signal,
    }),
  );
  const stopped = Promise.all(runs).then(() => signal?.removeEventListener('abort', abort));
  return {
    stopped,
    stop: () => {
      abort();
      return stopped;
    },
  };
};
