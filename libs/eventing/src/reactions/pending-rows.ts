import type { Pool, PoolClient } from 'pg';
import type { Position } from '../event.ts';

/** An event that a reaction or effect has still to handle, where it is on the tape, and what became of the attempts. */
export type PendingEvent = Readonly<{
  position: Position;
  key: string;
  stream: string;
  streamVersion: number;
  type: string;
  /** Undefined for an event that was not tried yet. */
  failure?: Failure | undefined;
}>;

/** Why an attempt failed, and what is to be done about it. */
export type Failure = Readonly<{
  error: string;
  /** The event's cause is not known yet. */
  waitingFor: string | undefined;
  /** A repetition cannot help, or has not helped often enough: somebody has to decide. */
  parks: boolean;
  retryAfterMs: number;
}>;

/** What an event of a replay waits for that would change something outside. */
export const heldFor = 'somebody who has it done';

/** The first pending event of its key. */
export type HeadEvent = Omit<PendingEvent, 'failure'> & Readonly<{ attempts: number; dueInMs: number }>;

/**
 * The planner does not know how many rows there are, because they come and go. So the statements look up each row that
 * they change by the primary key, and reach it by its place in the table.
 */
export const beginIndexed = `begin; set local enable_hashjoin = off; set local enable_mergejoin = off;
  set local enable_seqscan = off; set local enable_bitmapscan = off`;

/** The row with a key and position. */
const rowOf = (event: string): string => `lateral (
    select ctid as place from reaction_pending_events
    where reaction = $1 and key = ${event}.key and position = ${event}.position limit 1) found`;

/** An event behind a parked one, or behind one that will be retried, is not tried before it. */
const promoteSql = `
  update reaction_pending_events p set next_attempt_at = clock_timestamp()
  from unnest($2::text[]) wanted (key), lateral (
    select ctid as place from reaction_pending_events
    where reaction = $1 and key = wanted.key order by position limit 1) head
  where p.ctid = head.place and p.next_attempt_at is null and not p.parked`;

/** Gives the first event of each key its turn, if it is not parked. */
export const promoteHeads = async (
  client: PoolClient | Pool,
  reaction: string,
  keys: readonly string[],
): Promise<void> => {
  if (keys.length > 0) await client.query(promoteSql, [reaction, [...new Set(keys)]]);
};

/** The same for all keys: an event that was ignored by another process may have left the next one without its turn. */
export const promoteAllHeads = async (pool: Pool, reaction: string): Promise<void> => {
  await pool.query(
    `update reaction_pending_events p set next_attempt_at = clock_timestamp()
     from (select distinct on (key) ctid as place from reaction_pending_events
           where reaction = $1 order by key, position) head
     where p.ctid = head.place and p.next_attempt_at is null and not p.parked`,
    [reaction],
  );
};

export const insertPending = async (
  client: PoolClient,
  reaction: string,
  events: readonly PendingEvent[],
  since: string,
): Promise<void> => {
  if (events.length === 0) return;
  await client.query(
    `insert into reaction_pending_events (reaction, position, key, stream, stream_version, type, attempts, error,
       waiting_for, parked, next_attempt_at, pending_since)
     select $1, e.position, e.key, e.stream, e.stream_version, e.type, case when e.error is null then 0 else 1 end, e.error,
       e.waiting_for, e.parked, case when not e.parked then clock_timestamp() + e.retry_ms * interval '1 millisecond' end, $10
     from unnest($2::bigint[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::text[], $8::text[], $9::boolean[],
       $11::double precision[]) e (position, key, stream, stream_version, type, error, waiting_for, parked, retry_ms)`,
    [
      reaction,
      events.map(({ position }) => String(position)),
      events.map(({ key }) => key),
      events.map(({ stream }) => stream),
      events.map(({ streamVersion }) => streamVersion),
      events.map(({ type }) => type),
      events.map(({ failure }) => failure?.error ?? null),
      events.map(({ failure }) => failure?.waitingFor ?? null),
      events.map(({ failure }) => failure?.parks ?? false),
      since,
      events.map(({ failure }) => failure?.retryAfterMs ?? null),
    ],
  );
  await promoteHeads(
    client,
    reaction,
    events.map(({ key }) => key),
  );
};

export const deletePending = async (
  client: PoolClient,
  reaction: string,
  done: readonly HeadEvent[],
): Promise<void> => {
  if (done.length === 0) return;
  const keys = done.map(({ key }) => key);
  await client.query(
    `delete from reaction_pending_events p using unnest($2::text[], $3::bigint[]) done (key, position),
       ${rowOf('done')}
     where p.ctid = found.place`,
    [reaction, keys, done.map(({ position }) => String(position))],
  );
  await promoteHeads(client, reaction, keys);
};

export const recordFailures = async (
  client: PoolClient,
  reaction: string,
  failed: readonly Readonly<{ key: string; position: Position; failure: Failure }>[],
): Promise<void> => {
  if (failed.length === 0) return;
  await client.query(
    `update reaction_pending_events p
     set attempts = p.attempts + 1, error = e.error, waiting_for = e.waiting_for, parked = e.parked,
         next_attempt_at = case when not e.parked then clock_timestamp() + e.retry_ms * interval '1 millisecond' end
     from unnest($2::bigint[], $3::text[], $4::text[], $5::boolean[], $6::double precision[], $7::text[])
       e (position, error, waiting_for, parked, retry_ms, key), ${rowOf('e')}
     where p.ctid = found.place`,
    [
      reaction,
      failed.map(({ position }) => String(position)),
      failed.map(({ failure }) => failure.error),
      failed.map(({ failure }) => failure.waitingFor ?? null),
      failed.map(({ failure }) => failure.parks),
      failed.map(({ failure }) => failure.retryAfterMs),
      failed.map(({ key }) => key),
    ],
  );
};

type HeadRow = Readonly<{
  position: string;
  key: string;
  stream: string;
  stream_version: number;
  type: string;
  attempts: number;
  due_in_ms: number;
}>;

const headOf = (row: HeadRow): HeadEvent => ({
  position: BigInt(row.position),
  key: row.key,
  stream: row.stream,
  streamVersion: row.stream_version,
  type: row.type,
  attempts: row.attempts,
  dueInMs: row.due_in_ms,
});

/** The events whose turn is next, also those whose time has not come. Leaves out the ones that are being handled. */
export const nextHeads = async (
  pool: Pool,
  reaction: string,
  handled: readonly Position[],
  limit: number,
): Promise<readonly HeadEvent[]> => {
  const { rows } = await pool.query<HeadRow>({
    name: 'reaction_next_heads',
    text: `select position, key, stream, stream_version, type, attempts,
        (extract(epoch from next_attempt_at - clock_timestamp()) * 1000)::double precision as due_in_ms
      from reaction_pending_events
      where reaction = $1 and next_attempt_at is not null and position <> all($2)
      order by next_attempt_at, position limit $3`,
    values: [reaction, handled.map(String), limit],
  });
  return rows.map(headOf);
};

/** Behind the first event of a key, those that were not tried either, by key and in their order. */
export const laterEvents = async (
  pool: Pool,
  reaction: string,
  heads: readonly HeadEvent[],
  limit: number,
): Promise<ReadonlyMap<string, readonly HeadEvent[]>> => {
  const { rows } = await pool.query<HeadRow>({
    name: 'reaction_later_events',
    text: `select later.*, 0::double precision as due_in_ms
      from unnest($2::text[], $3::bigint[]) head (key, position), lateral (
        select position, key, stream, stream_version, type, attempts from reaction_pending_events
        where reaction = $1 and key = head.key and position > head.position and attempts = 0 and not parked
        order by position limit $4) later
      order by later.position`,
    values: [reaction, heads.map(({ key }) => key), heads.map(({ position }) => String(position)), limit],
  });
  const byKey = new Map<string, HeadEvent[]>();
  for (const later of rows.map(headOf)) {
    const events = byKey.get(later.key);
    if (events) events.push(later);
    else byKey.set(later.key, [later]);
  }
  return byKey;
};

/** Those of the keys that have a pending event: their later events follow it. */
export const blockedKeys = async (
  pool: Pool,
  reaction: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await pool.query<{ key: string }>({
    name: 'reaction_blocked_keys',
    text: 'select distinct key from reaction_pending_events where reaction = $1 and key = any($2)',
    values: [reaction, keys],
  });
  return new Set(rows.map(({ key }) => key));
};

export type PendingCount = Readonly<{
  pending: number;
  parked: number;
  /** The parked ones, and those behind them. */
  held: number;
}>;

/** Counts the pending events; the checkpoint contains the number of the parked ones. */
export const countPending = async (pool: Pool, reaction: string): Promise<PendingCount> => {
  const { rows } = await pool.query<PendingCount>(
    `with counted as (
       select count(*)::integer as pending, (count(*) filter (where parked))::integer as parked,
         (count(*) filter (where behind))::integer as held
       from (select parked, bool_or(parked) over (partition by key order by position) as behind
             from reaction_pending_events where reaction = $1) events),
     changed as (
       update projection_checkpoints set parked = counted.parked from counted
       where projection = $1 and projection_checkpoints.parked <> counted.parked)
     select pending, parked, held from counted`,
    [reaction],
  );
  return rows[0] ?? { pending: 0, parked: 0, held: 0 };
};
