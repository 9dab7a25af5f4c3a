import type { Pool, PoolClient } from 'pg';
import type { EventStore } from '../event-store.ts';
import type { Position, RecordedEvent } from '../event.ts';
import type { Projection } from '../projection.ts';
import { applyEvents } from './apply-page.ts';
import { parkedPlaces, readParked } from './parked-events.ts';
import { countParked, storableError } from './parking.ts';
import { inTransaction } from './transaction.ts';

export type ReplayOptions = Readonly<{
  store: EventStore;
  projection: Projection;
  pool: Pool;
  /** Replays only the events of this key; by default all. */
  key?: string;
  /** Replays only the keys of these events. */
  positions?: readonly Position[];
}>;

export type ReplayResult = Readonly<{
  replayed: number;
  /** Number of events that are still parked. */
  parked: number;
  /** The error of each key at which its replay stopped. */
  errors: readonly Readonly<{ key: string; position: Position; error: string }>[];
}>;

const chunkSize = 500;

export const lockCheckpoint = async (client: PoolClient, projection: Projection): Promise<void> => {
  await client.query(
    'select 1 from projection_checkpoints where projection = $1 and version = $2 for update',
    [projection.name, projection.version],
  );
};

type FailedEvent = Readonly<{ position: Position; error: string }>;
type ChunkResult = Readonly<{ replayed: number; hasMore: boolean; failed?: ReplayResult['errors'][number] }>;

const deleteParked = async (
  client: PoolClient,
  { name, version }: Projection,
  positions: readonly Position[],
): Promise<void> => {
  await client.query(
    'delete from projection_parked_events where projection = $1 and version = $2 and position = any($3)',
    [name, version, positions.map(String)],
  );
};

const recordFailure = async (
  client: PoolClient,
  { name, version }: Projection,
  { position, error }: FailedEvent,
): Promise<void> => {
  await client.query(
    `update projection_parked_events set attempts = attempts + 1, error = $4
     where projection = $1 and version = $2 and position = $3`,
    [name, version, String(position), storableError(error)],
  );
};

/** Applies the events in order, up to the first one that fails. */
const applyInOrder = async (
  client: PoolClient,
  projection: Projection,
  key: string,
  events: readonly RecordedEvent[],
): Promise<Readonly<{ applied: readonly Position[]; failed?: FailedEvent }>> => {
  // They were parked under this key, which a corrected `keyOf` may no longer give them.
  const [first] = await applyEvents(client, { ...projection, keyOf: () => key }, events, new Set());
  const applied = events.map(({ position }) => position).filter((at) => !first || at < first.event.position);
  return first
    ? { applied, failed: { position: first.event.position, error: first.error ?? '' } }
    : { applied };
};

const replayChunk = ({ pool, store, projection }: ReplayOptions, key: string): Promise<ChunkResult> =>
  inTransaction(pool, async (client) => {
    // The runner waits for this lock before it writes or parks events of its next batch.
    await lockCheckpoint(client, projection);
    const places = await parkedPlaces(client, projection, key, chunkSize);
    const read = await readParked(store, places);
    const { applied, failed = read.failed } = await applyInOrder(client, projection, key, read.events);
    await deleteParked(client, projection, applied);
    if (failed) await recordFailure(client, projection, failed);
    if (applied.length > 0) await countParked(client, projection);
    return {
      replayed: applied.length,
      hasMore: !failed && places.length === chunkSize,
      ...(failed ? { failed: { key, ...failed } } : {}),
    };
  });

const parkedKeys = async ({
  pool,
  projection,
  key,
  positions,
}: ReplayOptions): Promise<readonly string[]> => {
  if (key !== undefined) return [key];
  const { rows } = await pool.query<{ key: string }>(
    `select key from projection_parked_events where projection = $1 and version = $2 and ($3::bigint[] is null or position = any($3))
     group by key order by min(position)`,
    [projection.name, projection.version, positions?.map(String) ?? null],
  );
  return rows.map((row) => row.key);
};

/**
 * Projects parked events again, those of each key in order, while the projection continues. The replay of a key stops
 * at the first event that still fails, or that this store cannot give: it stays parked, and so do the later ones.
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
