import type { ClientBase, Pool } from 'pg';
import type { Projection } from '../projection.ts';
import { sqlStateOf } from '../postgres-errors.ts';
import { storeViewsHash } from './prepare-projection.ts';
import { createIndexes, dropTables, switchViews } from './rows/tables.ts';
import { inTransaction } from './transaction.ts';

export type LiveOutcome =
  /** Queries use this version now; before they used `previousVersion`, if any. */
  | Readonly<{ outcome: 'live'; previousVersion?: number }>
  /** Another version stays live, because it is newer, has fewer parked events, or is being read. */
  | Readonly<{ outcome: 'waiting'; reason: string }>
  /** Another process has the lease. */
  | Readonly<{ outcome: 'lease-lost' }>;

type VersionRow = Readonly<{
  version: number;
  status: string;
  position: string;
  parked: number;
  lease_epoch: string;
  /** Null when no process runs the version. */
  runner: string | null;
}>;

const lockVersions = async (client: ClientBase, projection: Projection): Promise<readonly VersionRow[]> => {
  const { rows } = await client.query<VersionRow>(
    `select version, status, position, parked, lease_epoch,
       case when lease_until > clock_timestamp() then lease_owner end as runner
     from projection_checkpoints where projection = $1 order by version for update`,
    [projection.name],
  );
  return rows;
};

const setStatusSql = `update projection_checkpoints
  set status = $3, retired_at = case $3 when 'retired' then now() end where projection = $1 and version = $2`;

const switchTo = async (
  client: ClientBase,
  projection: Projection,
  previousVersion: number | undefined,
): Promise<void> => {
  if (previousVersion !== undefined) {
    await client.query(setStatusSql, [projection.name, previousVersion, 'retired']);
  }
  await client.query(setStatusSql, [projection.name, projection.version, 'live']);
  await switchViews(client, projection);
  await storeViewsHash(client, projection);
};

/** SQLSTATE of a lock that was not free within `lock_timeout`. */
const lockNotAvailable = '55P03';

const reasonToWait = (own: VersionRow, live: VersionRow | undefined): string | undefined => {
  if (!live || live.version === own.version) return undefined;
  if (live.version > own.version) return `version ${live.version} is live, and newer`;
  if (own.parked > live.parked) {
    return `it has ${own.parked} parked events, version ${live.version} has ${live.parked}: replay them first`;
  }
  return undefined;
};

/**
 * Creates the indexes and renews the lease; false when another process has it. This is not part of `goLive`, because
 * it takes time and `goLive` blocks the runner of the live version.
 */
export const createVersionIndexes = (
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
    // Another process that tries to take over waits for this row; it must find a lease that has not expired.
    await client.query(
      `update projection_checkpoints set lease_until = clock_timestamp() + $4 * interval '1 millisecond'
       where projection = $1 and version = $2 and lease_epoch = $3`,
      [...own, leaseMs],
    );
    return true;
  });

/** Makes queries use this version, which must be at the end of the tape. The previous version remains for `switchBack`. */
export const goLive = (pool: Pool, projection: Projection, epoch: string): Promise<LiveOutcome> =>
  inTransaction<LiveOutcome>(pool, async (client) => {
    const all = await lockVersions(client, projection);
    const own = all.find(({ version }) => version === projection.version);
    const live = all.find(({ status }) => status === 'live');
    if (!own || own.lease_epoch !== epoch) return { outcome: 'lease-lost' };
    if (own.status === 'live') return { outcome: 'live' };
    const reason = reasonToWait(own, live);
    if (reason !== undefined) return { outcome: 'waiting', reason };
    await switchTo(client, projection, live?.version);
    return { outcome: 'live', ...(live ? { previousVersion: live.version } : {}) };
  }).catch((error: unknown) => {
    if (sqlStateOf(error) !== lockNotAvailable) throw error;
    return { outcome: 'waiting', reason: 'queries hold its views, it tries again' };
  });

/** Readers must not see an earlier state than before. */
const assertNotBehind = ({ name }: Projection, own: VersionRow, live: VersionRow | undefined): void => {
  const lag = live ? BigInt(live.position) - BigInt(own.position) : 0n;
  if (lag <= 0n) return;
  throw new Error(
    `Version ${own.version} of projection "${name}" is ${lag} positions behind version ${live?.version}, which is live: let its runner catch up first.`,
  );
};

/**
 * Makes queries use another version again, when a new one turns out to be wrong. Refuses a version that is behind the live
 * one, see `projectionStatus`; its runner brings it to the end of the tape and keeps it there.
 *
 * @example
 * await switchBack(databases.catalogue, strategiesVersion1);
 */
export const switchBack = (pool: Pool, projection: Projection): Promise<void> =>
  inTransaction(pool, async (client) => {
    const all = await lockVersions(client, projection);
    const live = all.find(({ status }) => status === 'live');
    const own = all.find(({ version }) => version === projection.version);
    if (!own) {
      throw new Error(
        `Projection "${projection.name}" has no version ${projection.version} to switch back to.`,
      );
    }
    assertNotBehind(projection, own, live);
    await switchTo(client, projection, live?.version);
  });

/**
 * Deletes the tables and the checkpoint of a version that is neither live nor run by a process.
 *
 * @example
 * await dropVersion(databases.catalogue, strategiesVersion1);
 */
export const dropVersion = (pool: Pool, projection: Projection): Promise<void> =>
  inTransaction(pool, async (client) => {
    const all = await lockVersions(client, projection);
    const own = all.find(({ version }) => version === projection.version);
    if (own?.status === 'live') {
      throw new Error(
        `Version ${own.version} of projection "${projection.name}" is live: it cannot be dropped.`,
      );
    }
    if (own?.runner) {
      throw new Error(
        `Version ${own.version} of projection "${projection.name}" is run by ${own.runner}: stop that first.`,
      );
    }
    const key = [projection.name, projection.version];
    await dropTables(client, projection);
    await client.query('delete from projection_parked_events where projection = $1 and version = $2', key);
    await client.query('delete from projection_checkpoints where projection = $1 and version = $2', key);
  });
