import type { ClientBase, Pool } from 'pg';
import type { Position } from '../event.ts';
import type { Projection } from '../projection.ts';
import { createTables, switchViews, tablesHash, viewsHash } from './rows/tables.ts';
import { inTransaction } from './transaction.ts';

export type ProjectionState = 'building' | 'live' | 'retired';

/** The right to wind on one version of a projection, as long as nobody has taken it over. */
export type Lease = Readonly<{
  epoch: string;
  position: Position;
  status: ProjectionState;
  /** Whether the indexes are there, which is once it has been at the end of the tape. */
  indexed: boolean;
}>;

const registerSql = `
  insert into projection_checkpoints (projection, version, status, tables_hash)
  values ($1, $2, case when exists (select from projection_checkpoints where projection = $1 and status = 'live')
                  then 'building' else 'live' end, $3)
  on conflict (projection, version) do update set projection = excluded.projection
  returning status, tables_hash, views_hash`;

type Registered = Readonly<{ status: ProjectionState; tables_hash: string; views_hash: string }>;

const refuseOtherShape = (projection: Projection, stored: string): void => {
  if (stored === tablesHash(projection)) return;
  throw new Error(
    `The tables of projection "${projection.name}" are not those its version ${projection.version} was built with: raise its version.`,
  );
};

/** First half of the key under which several processes take turns at preparing a projection. */
const prepareLock = 1_952_542_822;

/** Makes the tables of this version, and the views when nothing else stands under their names. */
export const prepareProjection = async (pool: Pool, projection: Projection): Promise<void> => {
  await inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1, hashtext($2))', [prepareLock, projection.name]);
    const { rows } = await client.query<Registered>(registerSql, [
      projection.name,
      projection.version,
      tablesHash(projection),
    ]);
    const [registered] = rows;
    if (!registered) throw new Error(`Projection "${projection.name}" could not be registered.`);
    refuseOtherShape(projection, registered.tables_hash);
    await createTables(client, projection);
    if (registered.status !== 'live' || registered.views_hash === viewsHash(projection)) return;
    await switchViews(client, projection);
    await rememberViews(client, projection);
  });
};

export const rememberViews = async (client: ClientBase, projection: Projection): Promise<void> => {
  await client.query(
    'update projection_checkpoints set views_hash = $3 where projection = $1 and version = $2',
    [projection.name, projection.version, viewsHash(projection)],
  );
};

const acquireSql = `
  update projection_checkpoints
  set lease_owner = $3, lease_until = clock_timestamp() + $4 * interval '1 millisecond', lease_epoch = lease_epoch + 1
  where projection = $1 and version = $2
    and (lease_owner is null or lease_owner = $3 or lease_until < clock_timestamp())
  returning lease_epoch, position, status, indexed, (select p.lease_owner from projection_checkpoints p
    where p.projection = $1 and p.version = $2) as previous`;

type AcquiredRow = Readonly<{
  lease_epoch: string;
  position: string;
  status: ProjectionState;
  indexed: boolean;
  previous: string | null;
}>;

/** The lease, when nobody holds it or its holder has not renewed it in time. */
export const acquireLease = async (
  pool: Pool,
  projection: Projection,
  owner: string,
  leaseMs: number,
): Promise<(Lease & Readonly<{ takenOver: boolean }>) | undefined> => {
  const { rows } = await pool.query<AcquiredRow>(acquireSql, [
    projection.name,
    projection.version,
    owner,
    leaseMs,
  ]);
  const [row] = rows;
  if (!row) return undefined;
  return {
    epoch: row.lease_epoch,
    position: BigInt(row.position),
    status: row.status,
    indexed: row.indexed,
    takenOver: row.previous !== null && row.previous !== owner,
  };
};

/** The number of parked events, or undefined when somebody else has taken over. */
export const renewLease = async (
  pool: Pool,
  projection: Projection,
  epoch: string,
  leaseMs: number,
): Promise<number | undefined> => {
  const { rows } = await pool.query<{ parked: number }>(
    `update projection_checkpoints set lease_until = clock_timestamp() + $4 * interval '1 millisecond'
     where projection = $1 and version = $2 and lease_epoch = $3 returning parked`,
    [projection.name, projection.version, epoch, leaseMs],
  );
  return rows[0]?.parked;
};

/** So that the next one need not wait for the lease to end. */
export const releaseLease = async (pool: Pool, projection: Projection, epoch: string): Promise<void> => {
  await pool.query(
    `update projection_checkpoints set lease_owner = null, lease_until = null
     where projection = $1 and version = $2 and lease_epoch = $3`,
    [projection.name, projection.version, epoch],
  );
};

export type Step = Readonly<{ epoch: string; from: Position; to: Position; leaseMs: number }>;

/**
 * Moves the checkpoint if it still is where this runner believes it to be and the lease is still its own;
 * answers how many events are parked, or undefined when somebody else was there. Locks the row: nobody
 * else moves it, or replays parked events, before the transaction has ended.
 */
export const advanceCheckpoint = async (
  client: ClientBase | Pool,
  projection: Projection,
  { epoch, from, to, leaseMs }: Step,
): Promise<number | undefined> => {
  const { rows } = await client.query<{ parked: number }>({
    name: 'projection_advance',
    text: `update projection_checkpoints
      set position = $5, updated_at = now(), last_error = null,
          lease_until = clock_timestamp() + $6 * interval '1 millisecond'
      where projection = $1 and version = $2 and lease_epoch = $3 and position = $4
      returning parked`,
    values: [projection.name, projection.version, epoch, String(from), String(to), leaseMs],
  });
  return rows[0]?.parked;
};

export const recordError = async (pool: Pool, projection: Projection, message: string): Promise<void> => {
  await pool.query(
    'update projection_checkpoints set last_error = $3 where projection = $1 and version = $2',
    [projection.name, projection.version, message.slice(0, 1_000)],
  );
};

/**
 * The tape position up to which this version of a projection is folded; null when it has never been started. Within a
 * transaction that sees one snapshot, its rows and this position belong together.
 */
export const checkpointOf = async (
  client: ClientBase | Pool,
  { name, version }: Projection,
): Promise<Position | null> => {
  const { rows } = await client.query<{ position: string }>(
    'select position::text from projection_checkpoints where projection = $1 and version = $2',
    [name, version],
  );
  return rows[0] ? BigInt(rows[0].position) : null;
};
