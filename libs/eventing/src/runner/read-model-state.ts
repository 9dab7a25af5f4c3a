import type { ClientBase, Pool } from 'pg';
import type { Projection } from '../projection.ts';
import { lastEventOf, type LastEventRow } from './checkpoint.ts';
import type { Progress } from './same-tape.ts';

/** What a copy of a read model's rows has to know, to follow the tape from there as the runner does. */
export type ReadModelState = Progress &
  Readonly<{
    /** The keys of parked events: their later events are omitted. */
    blockedKeys: readonly string[];
    /** Changes with every event that is parked or replayed, and when the read model is built again: rows must then be copied again. */
    parkingChanges: bigint;
    /** Whether the rows have once been those of the end of the tape. */
    isComplete: boolean;
  }>;

type StateRow = LastEventRow &
  Readonly<{ position: string; parking_changes: string; indexed: boolean; blocked: readonly string[] }>;

/**
 * The state of this version of a projection; null when it was never started. In a transaction with one snapshot, the rows
 * of the read model are those of this state.
 */
export const readModelState = async (
  client: ClientBase | Pool,
  { name, version }: Projection,
): Promise<ReadModelState | null> => {
  const { rows } = await client.query<StateRow>(
    `select c.position, c.parking_changes, c.indexed, c.event_position, c.event_stream, c.event_version, c.event_id,
       array(select distinct p.key from projection_parked_events p
             where c.parked > 0 and p.projection = c.projection and p.version = c.version) as blocked
     from projection_checkpoints c where c.projection = $1 and c.version = $2`,
    [name, version],
  );
  const [row] = rows;
  return row
    ? {
        position: BigInt(row.position),
        lastEvent: lastEventOf(row),
        blockedKeys: row.blocked,
        parkingChanges: BigInt(row.parking_changes),
        isComplete: row.indexed,
      }
    : null;
};
