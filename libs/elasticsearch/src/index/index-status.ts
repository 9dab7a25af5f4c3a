import type { Position } from '@tapedeck/eventing';
import type pg from 'pg';

/** The writer's progress with the index behind an alias: a row in PostgreSQL, so that readers can poll it cheaply. */
export type IndexStatus = Readonly<{
  /** Grows with every new state that readers have to open; 0 before the first. */
  stateNumber: bigint;
  /** That state contains the tape up to here. */
  reached: Position;
  /** Number of the newest rebuild that was requested, and of the newest that is done. */
  rebuildRequested: bigint;
  rebuildDone: bigint;
}>;

type StatusRow = Readonly<Record<'stamp' | 'reached' | 'rebuild_wanted' | 'rebuild_done', string>>;

/** Null before the writer has finished its first index. */
export const readIndexStatus = async (pool: pg.Pool, alias: string): Promise<IndexStatus | null> => {
  const { rows } = await pool.query<StatusRow>({
    name: 'explorer_index_status',
    text: 'select stamp, reached, rebuild_wanted, rebuild_done from explorer_index where name = $1',
    values: [alias],
  });
  const [row] = rows;
  return row
    ? {
        stateNumber: BigInt(row.stamp),
        reached: BigInt(row.reached),
        rebuildRequested: BigInt(row.rebuild_wanted),
        rebuildDone: BigInt(row.rebuild_done),
      }
    : null;
};

/** `hasNewState` is false when the tape was read on without a change of the catalogue. */
export const recordProgress = async (
  pool: pg.Pool,
  alias: string,
  { reached, hasNewState }: Readonly<{ reached: Position; hasNewState: boolean }>,
): Promise<void> => {
  await pool.query(
    `insert into explorer_index (name, stamp, reached) values ($1, 1, $2)
     on conflict (name) do update
     set stamp = explorer_index.stamp + $3, reached = excluded.reached, updated_at = now()`,
    [alias, String(reached), hasNewState ? 1 : 0],
  );
};

/** Has every reader open the index behind the alias again. */
export const announceIndex = async (pool: pg.Pool, alias: string): Promise<void> => {
  await pool.query('update explorer_index set stamp = stamp + 1, updated_at = now() where name = $1', [
    alias,
  ]);
};

/** Asks the writer for a new index; returns the number of the request. */
export const requestRebuild = async (pool: pg.Pool, alias: string): Promise<bigint> => {
  const { rows } = await pool.query<{ rebuild_wanted: string }>(
    `insert into explorer_index (name, rebuild_wanted) values ($1, 1)
     on conflict (name) do update set rebuild_wanted = explorer_index.rebuild_wanted + 1
     returning rebuild_wanted`,
    [alias],
  );
  return BigInt(rows[0]?.rebuild_wanted ?? 0);
};

export const recordRebuilt = async (pool: pg.Pool, alias: string, rebuild: bigint): Promise<void> => {
  await pool.query(
    'update explorer_index set rebuild_done = greatest(rebuild_done, $2), updated_at = now() where name = $1',
    [alias, String(rebuild)],
  );
};

/** Identity of the catalogue in this database; an index that was filled from another one is not used. */
export const catalogueIdentity = async (pool: pg.Pool): Promise<string> => {
  const { rows } = await pool.query<{ id: string }>('select id from explorer_identity');
  const [row] = rows;
  if (!row) throw new Error('The catalogue has no identity: its migrations have not run.');
  return row.id;
};
