import type { Pool } from 'pg';
import type { Position } from '../event.ts';
import { inTransaction } from '../runner/transaction.ts';
import { promoteHeads } from './pending-rows.ts';
import { consumerIdOf } from './consumer.ts';

type KeyRow = Readonly<{ key: string }>;

const { version } = consumerIdOf('');

/** Tries again the events that are parked or would be tried later; by default all. Returns how many. */
export const retryPending = async (
  pool: Pool,
  reaction: string,
  positions?: readonly Position[],
): Promise<number> => {
  const { rowCount } = await pool.query(
    `update reaction_pending_events set parked = false, attempts = 0, next_attempt_at = clock_timestamp()
     where reaction = $1 and ($2::bigint[] is null or position = any($2))
       and (parked or next_attempt_at > clock_timestamp())`,
    [reaction, positions?.map(String) ?? null],
  );
  return rowCount ?? 0;
};

const ignoreSql = `
  with ignored as (
    delete from reaction_pending_events where reaction = $1 and position = $3 and parked
    returning key, stream, stream_version, type)
  insert into ignored_events (subscriber, version, position, key, stream, stream_version, type)
  select $1, $2, $3, key, stream, stream_version, type from ignored
  on conflict do nothing returning key`;

const ignoredKeySql =
  'select key from ignored_events where subscriber = $1 and version = $2 and position = $3';

/** Ignores a parked event; the later ones of its key continue. False when it is not parked and was not ignored before. */
export const ignorePending = (pool: Pool, reaction: string, position: Position): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const values = [reaction, version, String(position)];
    const { rows: ignored } = await client.query<KeyRow>(ignoreSql, values);
    const { rows } =
      ignored.length > 0 ? { rows: ignored } : await client.query<KeyRow>(ignoredKeySql, values);
    // Also when it was ignored before: that process may have died before this step.
    await promoteHeads(
      client,
      reaction,
      rows.map(({ key }) => key),
    );
    return rows.length > 0;
  });

/** It is not handled beside a later event of its key: that one is finished first. */
const restoreSql = `
  with restored as (
    delete from ignored_events where subscriber = $1 and version = $2 and position = $3
    returning key, stream, stream_version, type)
  insert into reaction_pending_events
    (reaction, position, key, stream, stream_version, type, next_attempt_at, pending_since)
  select $1, $3, key, stream, stream_version, type,
    case when not exists (select from reaction_pending_events p
      where p.reaction = $1 and p.key = restored.key and p.next_attempt_at is not null) then clock_timestamp() end, $4
  from restored where stream_version is not null
  on conflict do nothing`;

/** Handles an ignored event all the same, after later ones of its key. `now` is ISO 8601 UTC. */
export const restorePending = async (
  pool: Pool,
  reaction: string,
  position: Position,
  now: string,
): Promise<void> => {
  await pool.query(restoreSql, [reaction, version, String(position), now]);
};
