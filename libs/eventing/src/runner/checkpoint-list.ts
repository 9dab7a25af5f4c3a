import type { Pool } from 'pg';
import type { Position } from '../event.ts';
import type { ProjectionState } from './checkpoint.ts';
import { baseNameOf } from './standby.ts';

export type ListedCheckpoint = Readonly<{
  /** The name of the projection, reaction, effect or due dates. */
  name: string;
  kind: 'projection' | 'reaction' | 'effect' | 'due-dates';
  version: number;
  /** `standby`: a rebuild that is being filled, or the build that queries used before. */
  build: 'main' | 'standby';
  status: ProjectionState;
  position: Position;
  eventsRead: bigint;
  parked: number;
  /** Host, process id and a random part; null when no process has the lease. */
  leaseOwner: string | null;
  /** For how many seconds it is held. */
  leaseSeconds: number | null;
  lastError: string | null;
  retiredAt: string | null;
}>;

type Row = Readonly<{
  projection: string;
  kind: ListedCheckpoint['kind'];
  version: number;
  status: ProjectionState;
  position: string;
  events_read: string;
  parked: number;
  lease_owner: string | null;
  lease_seconds: number | null;
  last_error: string | null;
  retired_at: Date | null;
}>;

// Only the database of the tape has the column `kind`.
const listSql = `
  select projection, coalesce(to_jsonb(c) ->> 'kind', 'projection') as kind, version, status, position, events_read, parked, last_error, retired_at,
    case when lease_until > clock_timestamp() then lease_owner end as lease_owner,
    case when lease_until > clock_timestamp()
      then extract(epoch from lease_until - clock_timestamp())::double precision end as lease_seconds
  from projection_checkpoints c order by projection, version`;

const checkpointOf = (row: Row): ListedCheckpoint => {
  const name = baseNameOf(row.projection);
  return {
    name,
    kind: row.kind,
    version: row.version,
    build: name === row.projection ? 'main' : 'standby',
    status: row.status,
    position: BigInt(row.position),
    eventsRead: BigInt(row.events_read),
    parked: row.parked,
    leaseOwner: row.lease_owner,
    leaseSeconds: row.lease_seconds,
    lastError: row.last_error,
    retiredAt: row.retired_at?.toISOString() ?? null,
  };
};

/** All checkpoints of a database, with the builds of read models that queries do not use. */
export const listCheckpoints = async (pool: Pool): Promise<readonly ListedCheckpoint[]> =>
  (await pool.query<Row>(listSql)).rows.map(checkpointOf);

export type ParkedKey = Readonly<{
  name: string;
  version: number;
  key: string;
  events: number;
  error: string | null;
}>;

const parkedKeysSql = `
  select projection as name, version, key, count(*)::integer as events,
    (array_agg(error order by position))[1] as error
  from projection_parked_events group by 1, 2, 3 order by min(position) limit $1`;

/** The keys with parked events of all read models of a database, the oldest first. */
export const listParkedKeys = async (pool: Pool, limit: number): Promise<readonly ParkedKey[]> =>
  (await pool.query<ParkedKey>(parkedKeysSql, [limit])).rows;
