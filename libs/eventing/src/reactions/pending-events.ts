import { systemClock, type Clock } from '@tapedeck/kernel';
import type { Pool } from 'pg';
import type { Position } from '../event.ts';
import { heldFor } from './pending-rows.ts';

export type PendingState =
  /** Is handled now or in a moment. */
  | 'queued'
  /** Has failed, and is tried again at `nextAttemptAt`. */
  | 'retrying'
  /** Its cause is not known yet; is tried again at `nextAttemptAt`. */
  | 'waiting'
  /** Somebody has to retry or ignore it. */
  | 'parked'
  /** Follows an earlier event of its key. */
  | 'behind';

/** An event that a reaction or effect has not finished. Its content is on the tape. */
export type PendingEventView = Readonly<{
  reaction: string;
  position: Position;
  key: string;
  stream: string;
  streamVersion: number;
  type: string;
  state: PendingState;
  attempts: number;
  error: string | null;
  waitingFor: string | null;
  /** A replay has caused it: it changes something outside, and waits for somebody who has it done. */
  isHeld: boolean;
  /** ISO 8601 UTC, by the given clock; null when it is not tried. */
  nextAttemptAt: string | null;
  /** ISO 8601 UTC, by the clock of the product. */
  since: string;
}>;

export type PendingFilter = Readonly<{
  reaction?: string;
  key?: string;
  stream?: string;
  states?: readonly PendingState[];
  /** Only those that wait for a person after a replay, or only the others. */
  isHeld?: boolean;
  /** 1,000 by default. */
  limit?: number;
}>;

type ViewRow = Readonly<{
  reaction: string;
  position: string;
  key: string;
  stream: string;
  stream_version: number;
  type: string;
  state: PendingState;
  attempts: number;
  error: string | null;
  waiting_for: string | null;
  next_in_ms: number | null;
  pending_since: Date;
}>;

const viewSql = `
  select * from (
    select reaction, position, key, stream, stream_version, type, attempts, error, waiting_for, pending_since,
      (extract(epoch from next_attempt_at - clock_timestamp()) * 1000)::double precision as next_in_ms,
      case when parked then 'parked' when next_attempt_at is null then 'behind'
           when waiting_for is not null then 'waiting' when error is not null then 'retrying' else 'queued' end as state
    from reaction_pending_events
    where ($1::text is null or reaction = $1) and ($2::text is null or key = $2) and ($3::text is null or stream = $3)
  ) pending
  where ($4::text[] is null or state = any($4))
    and ($6::boolean is null or (state = 'parked' and coalesce(waiting_for = $7, false)) = $6)
  order by position, reaction limit $5`;

/**
 * The events that reactions and effects have not finished, the oldest first.
 *
 * @example
 * const board = await pendingEvents(databases.tapedeck, { states: ['parked', 'waiting'] }, clock);
 */
export const pendingEvents = async (
  pool: Pool,
  { reaction, key, stream, states, isHeld, limit = 1_000 }: PendingFilter = {},
  clock: Clock = systemClock,
): Promise<readonly PendingEventView[]> => {
  const where = [reaction ?? null, key ?? null, stream ?? null, states ?? null];
  const { rows } = await pool.query<ViewRow>(viewSql, [...where, limit, isHeld ?? null, heldFor]);
  return rows.map((row) => ({
    reaction: row.reaction,
    position: BigInt(row.position),
    key: row.key,
    stream: row.stream,
    streamVersion: row.stream_version,
    type: row.type,
    state: row.state,
    attempts: row.attempts,
    error: row.error,
    waitingFor: row.waiting_for,
    isHeld: row.state === 'parked' && row.waiting_for === heldFor,
    nextAttemptAt: row.next_in_ms === null ? null : new Date(clock.now() + row.next_in_ms).toISOString(),
    since: row.pending_since.toISOString(),
  }));
};
