import { DomainError, eventId, messageOf } from '@tapedeck/kernel';
import type { ClientBase, Pool } from 'pg';
import type { Position } from '../event.ts';
import { sqlStateOf } from '../postgres-errors.ts';
import type { AppliedEvent } from './same-tape.ts';
import type { ConsumerId } from './consumer-id.ts';

export type ProjectionState = 'building' | 'live' | 'retired';

/** The exclusive right to one checkpoint, until another process takes it over. */
export type Lease = Readonly<{
  /** Number of the lease: writes with an older one are refused. */
  epoch: string;
  /** Until when no other process can have it, on the scale of `performance.now()`. */
  heldUntil: number;
  position: Position;
  lastEvent: AppliedEvent | undefined;
  status: ProjectionState;
  /** Whether the indexes exist. They are created when the projection first reaches the end of the tape. */
  indexed: boolean;
  parked: number;
}>;

const acquireSql = `
  update projection_checkpoints
  set lease_owner = $3, lease_until = clock_timestamp() + $4 * interval '1 millisecond', lease_epoch = lease_epoch + 1,
      run_at = clock_timestamp()
  where projection = $1 and version = $2
    and (lease_owner is null or lease_owner = $3 or lease_until < clock_timestamp())
  returning lease_epoch, position, status, indexed, parked, event_position, event_stream, event_version, event_id, (select p.lease_owner from projection_checkpoints p
    where p.projection = $1 and p.version = $2) as previous`;

export type LastEventRow = Readonly<{
  event_position: string | null;
  event_stream: string | null;
  event_version: number | null;
  event_id: string | null;
}>;

export const lastEventOf = (row: LastEventRow): AppliedEvent | undefined => {
  const { event_position: position, event_stream: stream, event_version: version, event_id: id } = row;
  if (position === null || stream === null || version === null || id === null) return undefined;
  return { position: BigInt(position), stream, version, id: eventId(id) };
};

type AcquiredRow = LastEventRow &
  Readonly<{
    lease_epoch: string;
    position: string;
    status: ProjectionState;
    indexed: boolean;
    parked: number;
    previous: string | null;
  }>;

/** The lease, if it is free or its owner has not renewed it in time. */
export const acquireLease = async (
  pool: Pool,
  consumerId: ConsumerId,
  owner: string,
  leaseMs: number,
): Promise<(Lease & Readonly<{ takenOver: boolean }>) | undefined> => {
  const heldUntil = performance.now() + leaseMs;
  const { rows } = await pool.query<AcquiredRow>(acquireSql, [
    consumerId.name,
    consumerId.version,
    owner,
    leaseMs,
  ]);
  const [row] = rows;
  if (!row) return undefined;
  return {
    epoch: row.lease_epoch,
    heldUntil,
    position: BigInt(row.position),
    lastEvent: lastEventOf(row),
    status: row.status,
    indexed: row.indexed,
    parked: row.parked,
    takenOver: row.previous !== null && row.previous !== owner,
  };
};

/**
 * Renews the lease and returns the number of parked events; undefined when another process has the lease. A run that
 * lasts until then has overcome the last error.
 */
export const renewLease = async (
  pool: Pool,
  consumerId: ConsumerId,
  epoch: string,
  leaseMs: number,
): Promise<number | undefined> => {
  const { rows } = await pool.query<{ parked: number }>(
    `update projection_checkpoints
     set lease_until = clock_timestamp() + $4 * interval '1 millisecond', run_at = clock_timestamp(),
         last_error = null, last_error_code = null
     where projection = $1 and version = $2 and lease_epoch = $3 returning parked`,
    [consumerId.name, consumerId.version, epoch, leaseMs],
  );
  return rows[0]?.parked;
};

/** Frees the lease, so that another process does not have to wait until it expires. */
export const releaseLease = async (pool: Pool, consumerId: ConsumerId, epoch: string): Promise<void> => {
  await pool.query(
    `update projection_checkpoints set lease_owner = null, lease_until = null, run_at = clock_timestamp()
     where projection = $1 and version = $2 and lease_epoch = $3`,
    [consumerId.name, consumerId.version, epoch],
  );
};

export type CheckpointMove = Readonly<{
  epoch: string;
  from: Position;
  to: Position;
  /** The last event up to `to` that is known; without one the checkpoint keeps that of an earlier move. */
  lastEvent?: AppliedEvent | undefined;
  /** How many events were read between; none by default. */
  events?: number;
  leaseMs: number;
}>;

/**
 * Moves the checkpoint if it is still at `from` and the lease is still that of `epoch`. Returns the number of parked
 * events, or undefined when the checkpoint was not moved. Locks the row: until the transaction ends, no other process
 * can move the checkpoint or replay parked events.
 */
export const advanceCheckpoint = async (
  client: ClientBase | Pool,
  consumerId: ConsumerId,
  { epoch, from, to, lastEvent, events = 0, leaseMs }: CheckpointMove,
): Promise<number | undefined> => {
  const own = [consumerId.name, consumerId.version];
  const event = [
    lastEvent && String(lastEvent.position),
    lastEvent?.stream,
    lastEvent?.version,
    lastEvent?.id,
  ];
  const { rows } = await client.query<{ parked: number }>({
    name: 'projection_advance',
    text: `update projection_checkpoints
      set position = $5, updated_at = now(), last_error = null, last_error_code = null,
          lease_until = clock_timestamp() + $6 * interval '1 millisecond',
          event_position = coalesce($7, event_position), event_stream = coalesce($8, event_stream),
          event_version = coalesce($9, event_version), event_id = coalesce($10, event_id),
          events_read = events_read + $11
      where projection = $1 and version = $2 and lease_epoch = $3 and position = $4
      returning parked`,
    values: [...own, epoch, String(from), String(to), leaseMs, ...event, events],
  });
  return rows[0]?.parked;
};

const maxErrorLength = 1_000;

/** Stores why a run has ended, for `projectionStatus`, unless another process runs meanwhile. */
export const recordError = async (
  pool: Pool,
  { name, version }: ConsumerId,
  error: unknown,
): Promise<void> => {
  const code = error instanceof DomainError ? error.code : (sqlStateOf(error) ?? null);
  await pool.query(
    `update projection_checkpoints set last_error = $3, last_error_code = $4
     where projection = $1 and version = $2 and (lease_owner is null or lease_until < clock_timestamp())`,
    [name, version, messageOf(error).slice(0, maxErrorLength), code],
  );
};
