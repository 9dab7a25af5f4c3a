import type { Clock } from '@tapedeck/kernel';
import type { Pool } from 'pg';
import { quoted } from './rows/tables.ts';
import { inTransaction } from './transaction.ts';

export type DropOptions = Readonly<{
  /** For how long a version is kept after it was retired and was last run. */
  dropAfterMs: number;
  clock: Clock;
}>;

/** Versions that no process runs; their tables are stored, because the program that defined them may be gone. */
const expired = `projection = $1 and status <> 'live' and stored_tables is not null
  and (lease_owner is null or lease_until < clock_timestamp())
  and greatest(run_at, retired_at) < to_timestamp($2::double precision / 1000)`;

// A query that still reads a table must not keep the checkpoint's row locked for long; the next attempt drops it.
const begin = `begin; set local lock_timeout = '2s'`;

const dropOne = (pool: Pool, projection: string, version: number, before: number): Promise<boolean> =>
  inTransaction(
    pool,
    async (client) => {
      const { rows } = await client.query<{ stored_tables: readonly string[] }>(
        `delete from projection_checkpoints where ${expired} and version = $3 returning stored_tables`,
        [projection, before, version],
      );
      const [dropped] = rows;
      if (!dropped) return false;
      for (const table of dropped.stored_tables) await client.query(`drop table if exists ${quoted(table)}`);
      await client.query('delete from projection_parked_events where projection = $1 and version = $2', [
        projection,
        version,
      ]);
      return true;
    },
    begin,
  );

/**
 * Drops the tables, parked events and checkpoints of retired and abandoned versions of a projection, so that personal
 * data does not stay in them. Never drops a version that is live or that a process runs. Returns what it dropped.
 */
export const dropExpiredVersions = async (
  pool: Pool,
  projection: string,
  { dropAfterMs, clock }: DropOptions,
): Promise<readonly number[]> => {
  const before = clock.now() - dropAfterMs;
  const { rows } = await pool.query<{ version: number }>(
    `select version from projection_checkpoints where ${expired} order by version`,
    [projection, before],
  );
  const dropped: number[] = [];
  for (const { version } of rows) {
    if (await dropOne(pool, projection, version, before)) dropped.push(version);
  }
  return dropped;
};
