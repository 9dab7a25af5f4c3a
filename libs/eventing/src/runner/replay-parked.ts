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
  /** Only events of this key; all by default. */
  key?: string;
}>;

export type Replayed = Readonly<{
  replayed: number;
  /** Events that are still parked. */
  parked: number;
  /** What stopped each key that could not be replayed to its end. */
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

/** The events again as they read today: repaired upcasters count. */
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

type ChunkResult = Readonly<{ replayed: number; more: boolean; failed?: Replayed['errors'][number] }>;

const forget = async (
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
    // The runner waits here with its next batch: what it parks or writes comes after.
    await lockCheckpoint(client, projection);
    const positions = await parkedPositions(client, projection, key);
    const events = await readEvents(options, positions);
    const [failed] = await applyEvents(client, projection, events, new Set());
    const done = positions.filter((position) => !failed || position < failed.event.position);
    await forget(client, projection, done);
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
      more: !failed && positions.length === chunkSize,
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
 * Folds parked events again, each key's in their order, while the projection goes on; a key stops at the
 * first event that still fails.
 *
 * @example
 * const { replayed, errors } = await replayParked({ store, projection, pool: databases.catalogue });
 */
export const replayParked = async (options: ReplayOptions): Promise<Replayed> => {
  let replayed = 0;
  const errors: Replayed['errors'][number][] = [];
  for (const key of await parkedKeys(options)) {
    for (let more = true; more;) {
      const result = await replayChunk(options, key);
      replayed += result.replayed;
      more = result.more;
      if (result.failed) errors.push(result.failed);
    }
  }
  const { rows } = await options.pool.query<{ parked: number }>(
    'select parked from projection_checkpoints where projection = $1 and version = $2',
    [options.projection.name, options.projection.version],
  );
  return { replayed, parked: rows[0]?.parked ?? 0, errors };
};
