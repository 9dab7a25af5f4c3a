import type { Pool } from 'pg';
import type { Position } from '../event.ts';
import { inTransaction } from '../runner/transaction.ts';
import { promoteHeads } from './pending-rows.ts';
import { consumerIdOf } from './consumer.ts';

type KeyRow = Readonly<{ key: string }>;

const { version } = consumerIdOf('');

/**
 * Has these events tried again, those that are parked and those that would be tried later: within a second. Returns how many.
 *
 * @example
 * await retryPending(databases.tapedeck, 'stripe-writes', [position]);
 */
export const retryPending = async (
  pool: Pool,
  reaction: string,
  positions: readonly Position[],
): Promise<number> => {
  const { rowCount } = await pool.query(
    `update reaction_pending_events set parked = false, attempts = 0, next_attempt_at = clock_timestamp()
     where reaction = $1 and position = any($2) and (parked or next_attempt_at > clock_timestamp())`,
    [reaction, positions.map(String)],
  );
  return rowCount ?? 0;
};

const leaveOutSql = `
  with left_out as (
    delete from reaction_pending_events where reaction = $1 and position = $3 and parked
    returning key, stream, stream_version, type)
  insert into ignored_events (subscriber, version, position, key, stream, stream_version, type)
  select $1, $2, $3, key, stream, stream_version, type from left_out
  on conflict do nothing returning key`;

const ignoredKeySql =
  'select key from ignored_events where subscriber = $1 and version = $2 and position = $3';

/**
 * Leaves out a parked event; the later ones of its key continue. It can be had back by `takeBack`. Repeating it changes
 * nothing. False when the event is not parked and was not left out before.
 */
export const leaveOutParked = (pool: Pool, reaction: string, position: Position): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const values = [reaction, version, String(position)];
    const { rows: leftOut } = await client.query<KeyRow>(leaveOutSql, values);
    const { rows } =
      leftOut.length > 0 ? { rows: leftOut } : await client.query<KeyRow>(ignoredKeySql, values);
    // Also when it was left out before: whoever did may have died before this step.
    await promoteHeads(
      client,
      reaction,
      rows.map(({ key }) => key),
    );
    return rows.length > 0;
  });

/** It is not handled beside a later event of its key: that one is finished first. */
const takeBackSql = `
  with taken as (
    delete from ignored_events where subscriber = $1 and version = $2 and position = $3
    returning key, stream, stream_version, type)
  insert into reaction_pending_events
    (reaction, position, key, stream, stream_version, type, next_attempt_at, pending_since)
  select $1, $3, key, stream, stream_version, type,
    case when not exists (select from reaction_pending_events p
      where p.reaction = $1 and p.key = taken.key and p.next_attempt_at is not null) then clock_timestamp() end, $4
  from taken where stream_version is not null
  on conflict do nothing`;

/** An event that was left out is handled all the same, after later ones of its key. Repeating it changes nothing. */
export const takeBack = async (
  pool: Pool,
  reaction: string,
  position: Position,
  now: string,
): Promise<void> => {
  await pool.query(takeBackSql, [reaction, version, String(position), now]);
};
