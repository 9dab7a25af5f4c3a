import { systemClock } from '@tapedeck/kernel';
import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { EventStore } from '../event-store.ts';
import type { Position } from '../event.ts';
import type { Projection } from '../projection.ts';
import { poolOf, startProjector, type ProjectionDatabases } from './projector.ts';
import { silentLogger } from './run-leased.ts';

export type ProjectToEndOptions = Readonly<{
  store: EventStore;
  projections: readonly Projection[];
  databases: ProjectionDatabases;
  batchSize?: number;
  timeoutMs?: number;
}>;

const pollIntervalMs = 5;

/** Whether this version is at the end and indexed, and is live or has a reason not to go live. */
const finishedSql = `select c.position >= $3 and c.indexed and (c.status <> 'building' or c.parked > 0 or exists (
    select from projection_checkpoints l
    where l.projection = c.projection and l.status = 'live' and l.version > c.version)) as finished
  from projection_checkpoints c where c.projection = $1 and c.version = $2`;

const isFinished = async (pool: Pool, { name, version }: Projection, end: Position): Promise<boolean> => {
  const { rows } = await pool.query<{ finished: boolean }>(finishedSql, [name, version, String(end)]);
  return rows[0]?.finished ?? false;
};

/**
 * Projects up to the current end of the tape and stops: for tests and command lines.
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
  const logger = { ...silentLogger, error: (details: object) => void errors.push(details) };
  const projector = startProjector({ ...options, logger });
  const deadline = systemClock.now() + timeoutMs;
  const waitFor = async (projection: Projection): Promise<void> => {
    while (!(await isFinished(poolOf(databases, projection), projection, end))) {
      if (systemClock.now() > deadline) {
        throw new Error(`Projection "${projection.name}" did not reach position ${end} in time.`, {
          cause: errors,
        });
      }
      await setTimeout(pollIntervalMs);
    }
  };
  try {
    for (const projection of projections) await waitFor(projection);
  } finally {
    await projector.stop();
  }
};
