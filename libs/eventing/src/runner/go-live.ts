import type { Pool } from 'pg';
import type { Projection } from '../projection.ts';
import { rememberViews } from './checkpoint.ts';
import { createIndexes, switchViews } from './tables.ts';
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

const setStatus = `update projection_checkpoints set status = $3, indexed = indexed or $3 = 'live'
  where projection = $1 and version = $2`;

const reasonToWait = (own: Standing, live: Standing | undefined): string | undefined => {
  if (!live || live.version === own.version) return undefined;
  if (live.version > own.version) return `version ${live.version} is live, and newer`;
  if (own.parked > live.parked) {
    return `it has ${own.parked} parked events, version ${live.version} has ${live.parked}: replay them first`;
  }
  return undefined;
};

/**
 * At the end of the tape for the first time: makes the indexes and, in the same transaction, points the
 * views at this version. The version before stays as it is, for going back.
 */
export const goLive = (pool: Pool, projection: Projection, epoch: string): Promise<LiveOutcome> =>
  inTransaction(pool, async (client) => {
    const all = await standings(client, projection);
    const own = all.find(({ version }) => version === projection.version);
    const live = all.find(({ status }) => status === 'live');
    if (!own || own.lease_epoch !== epoch) return { outcome: 'lost' };
    const why = reasonToWait(own, live);
    if (why !== undefined) return { outcome: 'waiting', why };
    await createIndexes(client, projection);
    if (live && live.version !== own.version) {
      await client.query(setStatus, [projection.name, live.version, 'retired']);
    }
    await client.query(setStatus, [projection.name, projection.version, 'live']);
    if (own.status === 'live') return { outcome: 'live' };
    await switchViews(client, projection);
    await rememberViews(client, projection);
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
    if (live) await client.query(setStatus, [projection.name, live.version, 'retired']);
    await client.query(setStatus, [projection.name, projection.version, 'live']);
    await switchViews(client, projection);
    await rememberViews(client, projection);
  });
