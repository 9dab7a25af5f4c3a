import type { Pool, PoolClient } from 'pg';
import type { EventStore } from '../event-store.ts';
import type { Position, RecordedEvent } from '../event.ts';
import type { Projection } from '../projection.ts';
import { applyEvents } from './apply-page.ts';
import { countParked } from './parking.ts';
import { inTransaction } from './transaction.ts';

export type ReplayOptions = Readonly<{
  store: EventStore;
  projection: Projection;
  pool: Pool;
  /** Replays only the events of this key; by default all. */
  key?: string;
}>;

export type ReplayResult = Readonly<{
  replayed: number;
  /** Number of events that are still parked. */
  parked: number;
  /** The error of each key at which its replay stopped. */
  errors: readonly Readonly<{ key: string; position: Position; error: string }>[];
}>;

const chunkSize = 500;

const lockCheckpoint = async (client: PoolClient, projection: Projection): Promise<void> => {
  await client.query(
    'select 1 from projection_checkpoints where projection = $1 and version = $2 for update',
    [projection.name, projection.version],
  );
};

const parkedPositions = async (
  client: PoolClient,
  projection: Projection,
  key: string,
): Promise<readonly Position[]> => {
  const { rows } = await client.query<{ position: string }>(
    `select position from projection_parked_events where projection = $1 and version = $2 and key = $3
     order by position limit $4`,
    [projection.name, projection.version, key, chunkSize],
  );
  return rows.map(({ position }) => BigInt(position));
};

/** Reads the events from the tape again, with the current upcasters. */
const readEvents = async (
  { store, projection }: ReplayOptions,
  positions: readonly Position[],
): Promise<readonly RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for (const position of positions) {
    const page = await store.readTape({ after: position - 1n, limit: 1, types: projection.types });
    const [event] = page.events;
    if (event?.position === position) events.push(event);
  }
  return events;
};

type ChunkResult = Readonly<{ replayed: number; hasMore: boolean; failed?: ReplayResult['errors'][number] }>;

const deleteParked = async (
  client: PoolClient,
  projection: Projection,
  positions: readonly Position[],
): Promise<void> => {
  await client.query(
    'delete from projection_parked_events where projection = $1 and version = $2 and position = any($3)',
    [projection.name, projection.version, positions.map(String)],
  );
};

const replayChunk = (options: ReplayOptions, key: string): Promise<ChunkResult> =>
  inTransaction(options.pool, async (client) => {
    const { projection } = options;
    // The runner waits for this lock before it writes or parks events of its next batch.
    await lockCheckpoint(client, projection);
    const positions = await parkedPositions(client, projection, key);
    const events = await readEvents(options, positions);
    const [failed] = await applyEvents(client, projection, events, new Set());
    const done = positions.filter((position) => !failed || position < failed.event.position);
    await deleteParked(client, projection, done);
    if (failed) {
      await client.query(
        `update projection_parked_events set attempts = attempts + 1, error = $4
         where projection = $1 and version = $2 and position = $3`,
        [projection.name, projection.version, String(failed.event.position), failed.error ?? null],
      );
    }
    await countParked(client, projection);
    const error = failed && { key, position: failed.event.position, error: failed.error ?? '' };
    return {
      replayed: done.length,
      hasMore: !failed && positions.length === chunkSize,
      ...(error ? { failed: error } : {}),
    };
  });

const parkedKeys = async ({ pool, projection, key }: ReplayOptions): Promise<readonly string[]> => {
  if (key !== undefined) return [key];
  const { rows } = await pool.query<{ key: string }>(
    `select key from projection_parked_events where projection = $1 and version = $2
     group by key order by min(position)`,
    [projection.name, projection.version],
  );
  return rows.map((row) => row.key);
};

/**
 * Projects parked events again, those of each key in order, while the projection continues. The replay of a key stops
 * at the first event that still fails.
 *
 * @example
 * const { replayed, errors } = await replayParked({ store, projection, pool: databases.catalogue });
 */
export const replayParked = async (options: ReplayOptions): Promise<ReplayResult> => {
  let replayed = 0;
  const errors: ReplayResult['errors'][number][] = [];
  for (const key of await parkedKeys(options)) {
    for (let hasMore = true; hasMore;) {
      const result = await replayChunk(options, key);
      replayed += result.replayed;
      hasMore = result.hasMore;
      if (result.failed) errors.push(result.failed);
    }
  }
  const { rows } = await options.pool.query<{ parked: number }>(
    'select parked from projection_checkpoints where projection = $1 and version = $2',
    [options.projection.name, options.projection.version],
  );
  return { replayed, parked: rows[0]?.parked ?? 0, errors };
};
