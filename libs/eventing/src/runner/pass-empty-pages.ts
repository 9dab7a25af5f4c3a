import type { Pool } from 'pg';
import { combined } from '../store/combined.ts';
import { advanceCheckpoint, type CheckpointMove } from './checkpoint.ts';
import type { ConsumerId } from './consumer-id.ts';

type Move = CheckpointMove & Readonly<{ consumerId: ConsumerId }>;

/** Limits how often checkpoints move over pages without an event of their consumer. */
const minIntervalMs = 40;

/**
 * Leaves out rows that are locked, so that one of them does not hold up the others. What a crash of the server undoes
 * is repeated, so the statement does not wait for the disk.
 */
const passSql = `
  with moves as (
    select * from unnest($1::text[], $2::integer[], $3::bigint[], $4::bigint[], $5::bigint[], $6::integer[],
      $7::bigint[], $8::text[], $9::integer[], $10::uuid[])
      as move (name, version, epoch, after, upto, lease_ms, event_position, event_stream, event_version, event_id)
  ), mine as (
    select c.projection, c.version from moves
    join projection_checkpoints c on c.projection = moves.name and c.version = moves.version
    where c.lease_epoch = moves.epoch and c.position = moves.after
    for no key update of c skip locked
  )
  update projection_checkpoints c
  set position = moves.upto, updated_at = now(), last_error = null, last_error_code = null,
      lease_until = clock_timestamp() + moves.lease_ms * interval '1 millisecond',
      event_position = coalesce(moves.event_position, c.event_position),
      event_stream = coalesce(moves.event_stream, c.event_stream),
      event_version = coalesce(moves.event_version, c.event_version),
      event_id = coalesce(moves.event_id, c.event_id)
  from (select set_config('synchronous_commit', 'off', true)) relaxed, mine join moves on moves.name = mine.projection
    and moves.version = mine.version
  where c.projection = mine.projection and c.version = mine.version
  returning c.projection, c.version, c.lease_epoch as epoch, c.parked`;

type Passed = Readonly<{ projection: string; version: number; epoch: string; parked: number }>;

/** A process may run two of one name, of which only one has the lease. */
const keyOf = (name: string, version: number, epoch: string): string => `${epoch} ${version} ${name}`;

const passAll = async (pool: Pool, moves: readonly Move[]): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await pool.query<Passed>({
    name: 'projection_pass',
    text: passSql,
    values: [
      moves.map(({ consumerId }) => consumerId.name),
      moves.map(({ consumerId }) => consumerId.version),
      moves.map(({ epoch }) => epoch),
      moves.map(({ from }) => String(from)),
      moves.map(({ to }) => String(to)),
      moves.map(({ leaseMs }) => leaseMs),
      moves.map(({ lastEvent }) => (lastEvent ? String(lastEvent.position) : null)),
      moves.map(({ lastEvent }) => lastEvent?.stream ?? null),
      moves.map(({ lastEvent }) => lastEvent?.version ?? null),
      moves.map(({ lastEvent }) => lastEvent?.id ?? null),
    ],
  });
  return new Map(rows.map((row) => [keyOf(row.projection, row.version, row.epoch), row.parked]));
};

type PassAll = (moves: readonly Move[]) => Promise<ReadonlyMap<string, number>>;
const byPool = new WeakMap<Pool, PassAll>();

const passAllOf = (pool: Pool): PassAll => {
  const known =
    byPool.get(pool) ?? combined((moves: readonly Move[]) => passAll(pool, moves), { minIntervalMs });
  byPool.set(pool, known);
  return known;
};

/**
 * Moves a checkpoint as `advanceCheckpoint` does, over a page without an event of the consumer. Every event is foreign
 * to most consumers of a process, so those that pass it together are moved by one statement.
 */
export const passEmptyPage = async (
  pool: Pool,
  consumerId: ConsumerId,
  move: CheckpointMove,
): Promise<number | undefined> => {
  const passed = await passAllOf(pool)([{ ...move, consumerId }]);
  const key = keyOf(consumerId.name, consumerId.version, move.epoch);
  return passed.get(key) ?? advanceCheckpoint(pool, consumerId, move);
};
