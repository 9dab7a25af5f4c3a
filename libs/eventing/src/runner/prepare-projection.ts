import type { ClientBase, Pool } from 'pg';
import type { Projection } from '../projection.ts';
import type { ProjectionState } from './checkpoint.ts';
import {
  createTables,
  dropTables,
  storedName,
  switchViews,
  tablesHash,
  typesHash,
  viewsHash,
} from './rows/tables.ts';
import { inTransaction } from './transaction.ts';

// A read model that is built again gets other numbers of changes than before, so that copies of its rows notice it.
const registerSql = `
  insert into projection_checkpoints (projection, version, status, tables_hash, types_hash, parking_changes)
  values ($1, $2, case when exists (select from projection_checkpoints where projection = $1 and status = 'live')
                  then 'building' else 'live' end, $3, $4, extract(epoch from clock_timestamp()) * 1000)
  on conflict (projection, version) do nothing`;

// Versions that were registered before types and tables were stored get them now.
const registeredSql = `
  update projection_checkpoints
  set stored_tables = $4, types_hash = case types_hash when '' then $3 else types_hash end
  where projection = $1 and version = $2
  returning status, tables_hash, types_hash, views_hash`;

type Registered = Readonly<
  { status: ProjectionState } & Record<'tables_hash' | 'types_hash' | 'views_hash', string>
>;

/** The version's row; `isNew` if this call has inserted it. */
const register = async (
  client: ClientBase,
  projection: Projection,
): Promise<Registered & Readonly<{ isNew: boolean }>> => {
  const own = [projection.name, projection.version];
  const types = typesHash(projection);
  const { rowCount } = await client.query(registerSql, [...own, tablesHash(projection), types]);
  const tables = projection.tables.map((table) => storedName(projection, table));
  const { rows } = await client.query<Registered>(registeredSql, [...own, types, tables]);
  const [registered] = rows;
  if (!registered) throw new Error(`Projection "${projection.name}" could not be registered.`);
  return { ...registered, isNew: rowCount === 1 };
};

/** Processes that fold the same version differently would omit what the other one has passed. */
const assertSame = ({ name, version }: Projection, what: string, stored: string, own: string): void => {
  if (stored === own) return;
  throw new Error(
    `Version ${version} of projection "${name}" was built with other ${what}: raise its version.`,
  );
};

/** First half of the advisory lock key under which only one process at a time prepares a projection. */
const prepareLockClass = 1_952_542_822;

/** Until the end of the transaction no other process prepares this projection or its standby build. */
export const lockPreparation = async (
  client: ClientBase,
  { name }: Pick<Projection, 'name'>,
): Promise<void> => {
  await client.query('select pg_advisory_xact_lock($1, hashtext($2))', [prepareLockClass, name]);
};

/** A version that begins at the start of the tape begins with empty tables. */
const removeRemains = async (client: ClientBase, projection: Projection): Promise<void> => {
  await dropTables(client, projection);
  await client.query('delete from projection_parked_events where projection = $1 and version = $2', [
    projection.name,
    projection.version,
  ]);
};

/** Creates the tables of this version, and the views if this version is live. */
export const prepareProjection = async (pool: Pool, projection: Projection): Promise<void> => {
  await inTransaction(pool, async (client) => {
    await lockPreparation(client, projection);
    const registered = await register(client, projection);
    assertSame(projection, 'tables', registered.tables_hash, tablesHash(projection));
    assertSame(projection, 'event types', registered.types_hash, typesHash(projection));
    if (registered.isNew) await removeRemains(client, projection);
    await createTables(client, projection);
    if (registered.status !== 'live' || registered.views_hash === viewsHash(projection)) return;
    await switchViews(client, projection);
    await storeViewsHash(client, projection);
  });
};

export const storeViewsHash = async (client: ClientBase, projection: Projection): Promise<void> => {
  await client.query(
    'update projection_checkpoints set views_hash = $3 where projection = $1 and version = $2',
    [projection.name, projection.version, viewsHash(projection)],
  );
};
