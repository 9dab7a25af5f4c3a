import { systemClock } from '@tapedeck/kernel';
import type { Pool } from 'pg';
import type { EventStore } from '../event-store.ts';
import type { Position } from '../event.ts';
import type { Projection } from '../projection.ts';
import { pause } from '../pause.ts';
import { poolOf, startProjector, type ProjectionDatabases } from './projector.ts';

export type ProjectToEndOptions = Readonly<{
  store: EventStore;
  projections: readonly Projection[];
  databases: ProjectionDatabases;
  batchSize?: number;
  /** Milliseconds after which it gives up. */
  timeoutMs?: number;
}>;

/** Milliseconds between two looks. */
const lookInterval = 5;

/** Whether this version stands at the end, indexed and live, or for a reason beside the live one. */
const settledSql = `select c.position >= $3 and c.indexed and (c.status <> 'building' or c.parked > 0 or exists (
    select from projection_checkpoints l
    where l.projection = c.projection and l.status = 'live' and l.version > c.version)) as settled
  from projection_checkpoints c where c.projection = $1 and c.version = $2`;

const isSettled = async (pool: Pool, { name, version }: Projection, end: Position): Promise<boolean> => {
  const { rows } = await pool.query<{ settled: boolean }>(settledSql, [name, version, String(end)]);
  return rows[0]?.settled ?? false;
};

/**
 * Winds the projections on to the present end of the tape and stops: for tests and command lines.
 *
 * @example
 * await projectToEnd({ store, projections: favouriteProjections, databases });
 */
export const projectToEnd = async ({
  timeoutMs = 60_000,
  ...options
}: ProjectToEndOptions): Promise<void> => {
  const { store, projections, databases } = options;
  const end = await store.head();
  const errors: unknown[] = [];
  const keep = (details: object): void => {
    errors.push(details);
  };
  const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: keep };
  const stopping = new AbortController();
  const projector = startProjector({ ...options, logger, signal: stopping.signal });
  const until = systemClock.now() + timeoutMs;
  const wait = async (projection: Projection): Promise<void> => {
    while (!(await isSettled(poolOf(databases, projection), projection, end))) {
      if (systemClock.now() > until) {
        throw new Error(`Projection "${projection.name}" did not reach position ${end} in time.`, {
          cause: errors,
        });
      }
      await pause(lookInterval, stopping.signal);
    }
  };
  try {
    for (const projection of projections) await wait(projection);
  } finally {
    await projector.stop();
  }
};
