import type { Position } from '@tapedeck/eventing';
import type pg from 'pg';
import { mappingVersion } from './mapping.ts';

/** The alias that answers come from: a program that expects other fields has another one. */
export const aliasOf = (prefix: string): string => `${prefix}-v${mappingVersion}`;

/** What the writer has said of the index behind an alias. */
export type IndexNotice = Readonly<{
  /** Moves whenever there is a new state to open. */
  stamp: bigint;
  /** Answers of that state contain the tape up to here. */
  reached: Position;
  rebuildWanted: bigint;
  rebuildDone: bigint;
}>;

type NoticeRow = Readonly<Record<'stamp' | 'reached' | 'rebuild_wanted' | 'rebuild_done', string>>;

/** Null before the writer has finished its first index. */
export const readNotice = async (pool: pg.Pool, alias: string): Promise<IndexNotice | null> => {
  const { rows } = await pool.query<NoticeRow>({
    name: 'explorer_index_notice',
    text: 'select stamp, reached, rebuild_wanted, rebuild_done from explorer_index where name = $1',
    values: [alias],
  });
  const [row] = rows;
  return row
    ? {
        stamp: BigInt(row.stamp),
        reached: BigInt(row.reached),
        rebuildWanted: BigInt(row.rebuild_wanted),
        rebuildDone: BigInt(row.rebuild_done),
      }
    : null;
};

const put = (update: string): string =>
  `insert into explorer_index (name, stamp, reached) values ($1, 1, $2)
   on conflict (name) do update set reached = excluded.reached, updated_at = now()${update}`;

/** The index shows a new state, which has the tape up to `reached`. */
export const tellState = async (pool: pg.Pool, alias: string, reached: Position): Promise<void> => {
  await pool.query(put(', stamp = explorer_index.stamp + 1'), [alias, String(reached)]);
};

/** The state is as it was, and has the tape up to `reached`: what came since is of no concern to it. */
export const tellReached = async (pool: pg.Pool, alias: string, reached: Position): Promise<void> => {
  await pool.query(put(''), [alias, String(reached)]);
};

/** Asks the writer for a new index; answers which wish that is. */
export const wantRebuild = async (pool: pg.Pool, alias: string): Promise<bigint> => {
  const { rows } = await pool.query<{ rebuild_wanted: string }>(
    `insert into explorer_index (name, rebuild_wanted) values ($1, 1)
     on conflict (name) do update set rebuild_wanted = explorer_index.rebuild_wanted + 1
     returning rebuild_wanted`,
    [alias],
  );
  return BigInt(rows[0]?.rebuild_wanted ?? 0);
};

export const tellRebuilt = async (pool: pg.Pool, alias: string, wish: bigint): Promise<void> => {
  await pool.query(
    'update explorer_index set rebuild_done = greatest(rebuild_done, $2), updated_at = now() where name = $1',
    [alias, String(wish)],
  );
};

/** Which catalogue this database holds: an index that was filled from another one is not answered from. */
export const catalogueIdentity = async (pool: pg.Pool): Promise<string> => {
  const { rows } = await pool.query<{ id: string }>('select id from explorer_identity');
  const [row] = rows;
  if (!row) throw new Error('The catalogue has no identity: its migrations have not run.');
  return row.id;
};
