import { setTimeout } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import type { Position } from '../event.ts';
import type { Projection } from '../projection.ts';
import { storeViewsHash } from './prepare-projection.ts';
import type { BuildChange } from './prepare-standby.ts';
import { swapTables, lockViews, switchViews } from './rows/tables.ts';
import { standbyOf } from './standby.ts';
import { inTransaction } from './transaction.ts';

export type Swap =
  /** Queries use the other build from this position on, since now or since an earlier call. */
  | Readonly<{ outcome: 'swapped'; position: Position }>
  /** It is not at the end of the tape yet. */
  | Readonly<{ outcome: 'behind'; runs: bigint; lastError: string | null }>
  | Readonly<{ outcome: 'refused'; reason: string }>;

type BuildRow = Readonly<{
  status: string;
  position: string;
  indexed: boolean;
  parked: number;
  change: string;
  lease_epoch: string;
  last_error: string | null;
}>;

const readRow = async (
  client: Pool | PoolClient,
  { name, version }: Projection,
  lock = '',
): Promise<BuildRow | undefined> => {
  const { rows } = await client.query<BuildRow>(
    `select status, position, indexed, parked, change, lease_epoch, last_error from projection_checkpoints
     where projection = $1 and version = $2 ${lock}`,
    [name, version],
  );
  return rows[0];
};

// Readers wait behind a statement that waits for their table.
const begin = `begin; set local lock_timeout = '500ms'`;
const catchUpMs = 1_000;
const pollMs = 10;
/** A standby build that is no further behind is waited for, while the other one stands still. */
const maxLag = 2_000n;

/** Whether queries use this version: only its program can change what they use. */
export const isVersionInUse = async (pool: Pool, projection: Projection): Promise<boolean> =>
  (await readRow(pool, projection))?.status === 'live';

/** What belongs to the rows of a build. Leases stay with the names; new epochs end the runs of both. */
const swapRowsSql = `
  update projection_checkpoints one
  set position = other.position, event_position = other.event_position, event_stream = other.event_stream,
      event_version = other.event_version, event_id = other.event_id, parked = other.parked,
      events_read = other.events_read, indexed = other.indexed, types_hash = other.types_hash,
      tables_hash = other.tables_hash, parking_changes = greatest(one.parking_changes, other.parking_changes) + 1,
      last_error = null, last_error_code = null, updated_at = now(), change = $4,
      lease_owner = null, lease_until = null, lease_epoch = one.lease_epoch + 1,
      status = case one.projection when $1 then 'live' else 'retired' end,
      retired_at = case one.projection when $1 then null else now() end
  from projection_checkpoints other
  where one.projection = any(array[$1, $2]) and other.projection = any(array[$1, $2])
    and one.projection <> other.projection and one.version = $3 and other.version = $3`;

const swapParkedSql = `
  update projection_parked_events set projection = $2 where projection = $1 and version = $3`;

const swap = async (client: PoolClient, projection: Projection, change: Position): Promise<void> => {
  const standby = standbyOf(projection);
  const { name, version } = projection;
  await lockViews(client, projection);
  await swapTables(client, projection, standby);
  await client.query(swapRowsSql, [name, standby.name, version, String(change)]);
  const between = `${standby.name}:swapped`;
  for (const [from, to] of [
    [name, between],
    [standby.name, name],
    [between, standby.name],
  ] as const)
    await client.query(swapParkedSql, [from, to, version]);
  await switchViews(client, projection);
  await storeViewsHash(client, projection);
};

/** The runner of the live build waits for its row meanwhile, so that the end of the tape does not move away. */
const standbyAtEnd = async (client: PoolClient, standby: Projection, end: Position): Promise<boolean> => {
  const deadline = performance.now() + catchUpMs;
  while (performance.now() < deadline) {
    const row = await readRow(client, standby);
    if (row && BigInt(row.position) >= end) return true;
    await setTimeout(pollMs);
  }
  return false;
};

const refusal = (
  { name, version }: Projection,
  live: BuildRow | undefined,
  standby: BuildRow,
): string | undefined => {
  if (live?.status !== 'live') return `Version ${version} of ${name} is not the one that queries use.`;
  if (standby.parked <= live.parked) return undefined;
  return `The new build has ${standby.parked} parked events and the one in use ${live.parked}: correct the events or the program, or ignore them, and rebuild again.`;
};

/**
 * Makes queries use the other build once it is not behind, so that no reader sees an earlier state. The one that was used
 * remains as the standby build, with its own checkpoint.
 */
export const swapBuilds = async (
  pool: Pool,
  { projection, change }: Pick<BuildChange, 'projection' | 'change'>,
): Promise<Swap> => {
  const standby = standbyOf(projection);
  const [seenLive, seenStandby] = [await readRow(pool, projection), await readRow(pool, standby)];
  if (seenLive && BigInt(seenLive.change) === change)
    return { outcome: 'swapped', position: BigInt(seenLive.position) };
  const behind = {
    outcome: 'behind',
    runs: BigInt(seenStandby?.lease_epoch ?? 0),
    lastError: seenStandby?.last_error ?? null,
  } as const;
  if (!seenStandby?.indexed || BigInt(seenStandby.change) !== change) return behind;
  if (BigInt(seenStandby.position) + maxLag < BigInt(seenLive?.position ?? 0)) return behind;
  return inTransaction(
    pool,
    async (client) => {
      const live = await readRow(client, projection, 'for update');
      const position = BigInt(live?.position ?? 0);
      if (live && BigInt(live.change) === change) return { outcome: 'swapped', position };
      if (!(await standbyAtEnd(client, standby, position))) return behind;
      const own = await readRow(client, standby, 'for update');
      // It may have been cancelled meanwhile.
      if (!own || BigInt(own.change) !== change) return behind;
      const reason = refusal(projection, live, own);
      if (reason !== undefined) return { outcome: 'refused', reason };
      await swap(client, projection, change);
      return { outcome: 'swapped', position: BigInt(own.position) };
    },
    begin,
  );
};
