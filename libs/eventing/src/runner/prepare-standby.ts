import { DomainError } from '@tapedeck/kernel';
import type { ClientBase, Pool } from 'pg';
import type { Position } from '../event.ts';
import type { Projection } from '../projection.ts';
import { lockPreparation } from './prepare-projection.ts';
import { createTables, dropTables, storedName, tablesHash, typesHash } from './rows/tables.ts';
import { standbyOf } from './standby.ts';
import { inTransaction } from './transaction.ts';

/** `rebuild`: from the first event of the tape. `roll-back`: the build that was replaced, from its own checkpoint. */
export type ChangeKind = 'rebuild' | 'roll-back';

/** What somebody has asked for. `change` is the position of the event by which they did. */
export type BuildChange = Readonly<{ projection: Projection; kind: ChangeKind; change: Position }>;

/** A later change has begun: this one has ended, in another process. */
export class ChangeSuperseded extends Error {}

const previousDropped = ({ name }: Projection): DomainError =>
  new DomainError(
    'conflict',
    'NO_PREVIOUS_BUILD',
    `The build before the one of ${name} that is used is no longer there: rebuild it instead.`,
  );

type BuildRow = Readonly<{ status: string; change: string; position: string }>;

const insertSql = `
  insert into projection_checkpoints
    (projection, version, status, tables_hash, types_hash, stored_tables, parking_changes, change)
  values ($1, $2, 'building', $3, $4, $5, extract(epoch from clock_timestamp()) * 1000, $6)`;

const beginBuild = async (client: ClientBase, standby: Projection, change: Position): Promise<void> => {
  const own = [standby.name, standby.version];
  await dropTables(client, standby);
  await client.query('delete from projection_parked_events where projection = $1 and version = $2', own);
  await client.query('delete from projection_checkpoints where projection = $1 and version = $2', own);
  const tables = standby.tables.map((table) => storedName(standby, table));
  await client.query(insertSql, [...own, tablesHash(standby), typesHash(standby), tables, String(change)]);
  await createTables(client, standby);
};

const rowOf = async (client: ClientBase, { name, version }: Projection): Promise<BuildRow | undefined> => {
  const { rows } = await client.query<BuildRow>(
    `select status, change, position from projection_checkpoints
     where projection = $1 and version = $2 for update`,
    [name, version],
  );
  return rows[0];
};

const prepare = async (client: ClientBase, { projection, kind, change }: BuildChange): Promise<void> => {
  const standby = standbyOf(projection);
  const row = await rowOf(client, standby);
  if (row && BigInt(row.change) > change) throw new ChangeSuperseded();
  if (row && BigInt(row.change) === change) return;
  if (kind === 'rebuild') return beginBuild(client, standby, change);
  if (row?.status !== 'retired') throw previousDropped(projection);
  await client.query(
    'update projection_checkpoints set change = $3, run_at = now() where projection = $1 and version = $2',
    [standby.name, standby.version, String(change)],
  );
};

/**
 * Makes the standby build ready for the change, once: a rebuild begins with empty tables, and what was in them is lost.
 * @throws DomainError NO_PREVIOUS_BUILD, ChangeSuperseded
 */
export const prepareStandby = (pool: Pool, change: BuildChange): Promise<void> =>
  inTransaction(pool, async (client) => {
    await lockPreparation(client, change.projection);
    await prepare(client, change);
  });

/**
 * Ends a change as a later one would: no process swaps the builds for it any more. What a rebuild has filled is
 * deleted; the build that a roll-back would have used stays.
 * @param cancel the position of the event by which somebody has asked for this
 * @returns the position from which queries use its build, when it was too late; null otherwise
 * @throws DomainError NO_PREVIOUS_BUILD, ChangeSuperseded
 */
export const supersedeChange = (
  pool: Pool,
  { projection, kind, change }: BuildChange,
  cancel: Position,
): Promise<Position | null> =>
  inTransaction(pool, async (client) => {
    await lockPreparation(client, projection);
    const live = await rowOf(client, projection);
    if (live && BigInt(live.change) === change) return BigInt(live.position);
    await prepare(client, { projection, kind, change: cancel });
    return null;
  });
