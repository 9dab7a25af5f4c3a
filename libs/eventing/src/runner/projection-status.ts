import { systemClock, type Clock } from '@tapedeck/kernel';
import type { EventStore } from '../event-store.ts';
import type { Position } from '../event.ts';
import type { DatabaseName, Projection } from '../projection.ts';
import type { ProjectionState } from './checkpoint.ts';
import { poolOf, type ProjectionDatabases } from './projector.ts';

export type ProjectionStatus = Readonly<{
  projection: string;
  version: number;
  database: DatabaseName;
  status: ProjectionState;
  position: Position;
  /** Positions on the tape after the checkpoint. Failed appends leave positions without an event. */
  lagEvents: number;
  /** Age of the oldest event that is not projected yet; 0 at the end of the tape. */
  lagSeconds: number;
  parked: number;
  /** The process that runs the projection; null when none does. */
  leaseOwner: string | null;
  lastError: string | null;
  /** Code of a domain error or SQLSTATE: `EVENT_UNKNOWN` when a newer program must take over. */
  lastErrorCode: string | null;
  updatedAt: string;
}>;

export type StatusOptions = Readonly<{
  store: EventStore;
  /** Reactions and effects have a status too: `{ name, database: 'tapedeck' }`. */
  projections: readonly Pick<Projection, 'name' | 'database'>[];
  databases: ProjectionDatabases;
  clock?: Clock;
}>;

type StatusRow = Readonly<{
  projection: string;
  version: number;
  status: ProjectionState;
  position: string;
  parked: number;
  lease_owner: string | null;
  last_error: string | null;
  last_error_code: string | null;
  updated_at: Date;
}>;

const statusSql = `select projection, version, status, position, parked, last_error, last_error_code, updated_at,
    case when lease_until > clock_timestamp() then lease_owner end as lease_owner
  from projection_checkpoints where projection = any($1) order by projection, version`;

const lagSecondsAt = async (
  { store, clock = systemClock }: StatusOptions,
  position: Position,
  head: Position,
): Promise<number> => {
  if (position >= head) return 0;
  const { events } = await store.readTape({ after: position, limit: 1 });
  const [oldest] = events;
  return oldest ? Math.max(0, (clock.now() - Date.parse(oldest.recordedAt)) / 1_000) : 0;
};

/**
 * The status of every version of the given projections.
 *
 * @example
 * const lagging = (await projectionStatus({ store, projections, databases })).filter(({ lagSeconds }) => lagSeconds > 10);
 */
export const projectionStatus = async (options: StatusOptions): Promise<readonly ProjectionStatus[]> => {
  const { store, projections, databases } = options;
  const head = await store.head();
  const all: ProjectionStatus[] = [];
  for (const database of new Set(projections.map((projection) => projection.database))) {
    const stored = projections.filter((projection) => projection.database === database);
    const [first] = stored;
    if (!first) continue;
    const names = stored.map(({ name }) => name);
    const { rows } = await poolOf(databases, first).query<StatusRow>(statusSql, [names]);
    for (const row of rows) {
      const position = BigInt(row.position);
      all.push({
        projection: row.projection,
        version: row.version,
        database,
        status: row.status,
        position,
        lagEvents: head > position ? Number(head - position) : 0,
        lagSeconds: await lagSecondsAt(options, position, head),
        parked: row.parked,
        leaseOwner: row.lease_owner,
        lastError: row.last_error,
        lastErrorCode: row.last_error_code,
        updatedAt: row.updated_at.toISOString(),
      });
    }
  }
  return all;
};
