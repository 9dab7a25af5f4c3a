import type { ClientBase, Pool } from 'pg';
import type { Projection } from '../projection.ts';
import { rememberViews } from './checkpoint.ts';
import { createIndexes, dropTables, switchViews } from './rows/tables.ts';
import { inTransaction } from './transaction.ts';

export type LiveOutcome =
  /** The views point at this version now; `before` is the version they pointed at, if any. */
  | Readonly<{ outcome: 'live'; before?: number }>
  /** It stays beside the live one: that is newer, or has fewer parked events. */
  | Readonly<{ outcome: 'waiting'; why: string }>
  /** Somebody else has the lease. */
  | Readonly<{ outcome: 'lost' }>;

type Standing = Readonly<{ version: number; status: string; parked: number; lease_epoch: string }>;

const standings = async (pool: Pick<Pool, 'query'>, projection: Projection): Promise<readonly Standing[]> => {
  const { rows } = await pool.query<Standing>(
    'select version, status, parked, lease_epoch from projection_checkpoints where projection = $1 order by version for update',
    [projection.name],
  );
  return rows;
};

const setStatus = 'update projection_checkpoints set status = $3 where projection = $1 and version = $2';

const pointViewsAt = async (
  client: ClientBase,
  projection: Projection,
  before: number | undefined,
): Promise<void> => {
  if (before !== undefined) await client.query(setStatus, [projection.name, before, 'retired']);
  await client.query(setStatus, [projection.name, projection.version, 'live']);
  await switchViews(client, projection);
  await rememberViews(client, projection);
};

const reasonToWait = (own: Standing, live: Standing | undefined): string | undefined => {
  if (!live || live.version === own.version) return undefined;
  if (live.version > own.version) return `version ${live.version} is live, and newer`;
  if (own.parked > live.parked) {
    return `it has ${own.parked} parked events, version ${live.version} has ${live.parked}: replay them first`;
  }
  return undefined;
};

/**
 * Makes the indexes and renews the lease; false when somebody else has it. In a transaction of its own,
 * since the live version goes on meanwhile.
 */
export const indexVersion = (
  pool: Pool,
  projection: Projection,
  epoch: string,
  leaseMs: number,
): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const own = [projection.name, projection.version, epoch];
    const { rowCount } = await client.query(
      `update projection_checkpoints set indexed = true
       where projection = $1 and version = $2 and lease_epoch = $3`,
      own,
    );
    if (rowCount !== 1) return false;
    await createIndexes(client, projection);
    // Whoever wants to take over waits for this row, and must find a lease that has not ended meanwhile.
    await client.query(
      `update projection_checkpoints set lease_until = clock_timestamp() + $4 * interval '1 millisecond'
       where projection = $1 and version = $2 and lease_epoch = $3`,
      [...own, leaseMs],
    );
    return true;
  });

/** At the end of the tape: points the views at this version. The version before stays, for going back. */
export const goLive = (pool: Pool, projection: Projection, epoch: string): Promise<LiveOutcome> =>
  inTransaction(pool, async (client) => {
    const all = await standings(client, projection);
    const own = all.find(({ version }) => version === projection.version);
    const live = all.find(({ status }) => status === 'live');
    if (!own || own.lease_epoch !== epoch) return { outcome: 'lost' };
    if (own.status === 'live') return { outcome: 'live' };
    const why = reasonToWait(own, live);
    if (why !== undefined) return { outcome: 'waiting', why };
    await pointViewsAt(client, projection, live?.version);
    return { outcome: 'live', ...(live ? { before: live.version } : {}) };
  });

/**
 * Points the views back at an older version that is still there: the way back when a new one turns out wrong.
 * Its runner keeps it wound on; it must be at the end of the tape, which `projectionStatus` tells.
 *
 * @example
 * await switchBack(databases.catalogue, strategiesVersion1);
 */
export const switchBack = (pool: Pool, projection: Projection): Promise<void> =>
  inTransaction(pool, async (client) => {
    const all = await standings(client, projection);
    const live = all.find(({ status }) => status === 'live');
    if (!all.some(({ version }) => version === projection.version)) {
      throw new Error(`Projection "${projection.name}" has no version ${projection.version} to go back to.`);
    }
    await pointViewsAt(client, projection, live?.version);
  });

/**
 * Deletes the tables and the checkpoint of a version that is not live and that nobody will go back to.
 *
 * @example
 * await dropVersion(databases.catalogue, strategiesVersion1);
 */
export const dropVersion = (pool: Pool, projection: Projection): Promise<void> =>
  inTransaction(pool, async (client) => {
    const all = await standings(client, projection);
    const own = all.find(({ version }) => version === projection.version);
    if (own?.status === 'live') {
      throw new Error(
        `Version ${own.version} of projection "${projection.name}" is live: it cannot be dropped.`,
      );
    }
    const key = [projection.name, projection.version];
    await dropTables(client, projection);
    await client.query('delete from projection_parked_events where projection = $1 and version = $2', key);
    await client.query('delete from projection_checkpoints where projection = $1 and version = $2', key);
  });
