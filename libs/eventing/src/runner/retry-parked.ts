import type { Pool, PoolClient } from 'pg';
import type { EventStore } from '../event-store.ts';
import type { Position, RecordedEvent } from '../event.ts';
import type { Projection } from '../projection.ts';
import { applyEvents } from './apply-page.ts';
import { parkedPlaces, readParked } from './parked-events.ts';
import { countParked, storableError } from './parking.ts';
import { inTransaction } from './transaction.ts';

export type RetryOptions = Readonly<{
  store: EventStore;
  projection: Projection;
  pool: Pool;
  /** Retries only the events of this key; by default all. */
  key?: string;
  /** Retries only the keys of these events. */
  positions?: readonly Position[];
}>;

export type RetryResult = Readonly<{
  retried: number;
  /** Number of events that are still parked. */
  parked: number;
  /** The error of each key at which its retry stopped. */
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
type ChunkResult = Readonly<{ retried: number; hasMore: boolean; failed?: RetryResult['errors'][number] }>;

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

const retryChunk = ({ pool, store, projection }: RetryOptions, key: string): Promise<ChunkResult> =>
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
      retried: applied.length,
      hasMore: !failed && places.length === chunkSize,
      ...(failed ? { failed: { key, ...failed } } : {}),
    };
  });

const parkedKeys = async ({ pool, projection, key, positions }: RetryOptions): Promise<readonly string[]> => {
  if (key !== undefined) return [key];
  const { rows } = await pool.query<{ key: string }>(
    `select key from projection_parked_events where projection = $1 and version = $2 and ($3::bigint[] is null or position = any($3))
     group by key order by min(position)`,
    [projection.name, projection.version, positions?.map(String) ?? null],
  );
  return rows.map((row) => row.key);
};

/**
 * Projects parked events again, those of each key in order, while the projection continues. The retry of a key stops
 * at the first event that still fails, or that this store cannot give: it stays parked, and so do the later ones.
 *
 * @example
 * const { retried, errors } = await retryParked({ store, projection, pool: databases.catalogue });
 */
export const retryParked = async (options: RetryOptions): Promise<RetryResult> => {
  let retried = 0;
  const errors: RetryResult['errors'][number][] = [];
  for (const key of await parkedKeys(options)) {
    for (let hasMore = true; hasMore;) {
      const result = await retryChunk(options, key);
      retried += result.retried;
      hasMore = result.hasMore;
      if (result.failed) errors.push(result.failed);
    }
  }
  const { rows } = await options.pool.query<{ parked: number }>(
    'select parked from projection_checkpoints where projection = $1 and version = $2',
    [options.projection.name, options.projection.version],
  );
  return { retried, parked: rows[0]?.parked ?? 0, errors };
};
