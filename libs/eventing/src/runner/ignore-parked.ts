import type { Pool, PoolClient } from 'pg';
import type { Position } from '../event.ts';
import type { Projection } from '../projection.ts';
import { countParked } from './parking.ts';
import { lockCheckpoint, retryParked, type RetryOptions } from './retry-parked.ts';
import { baseNameOf } from './standby.ts';
import { inTransaction } from './transaction.ts';

type KeyRow = Readonly<{ key: string }>;

const ignoreSql = `
  with ignored as (
    delete from projection_parked_events where projection = $1 and version = $2 and position = $3 and error is not null
    returning key, stream, stream_version, type)
  insert into ignored_events (subscriber, version, position, key, stream, stream_version, type)
  select $1, $2, $3, key, stream, stream_version, type from ignored
  on conflict do nothing returning key`;

const ignoredKeySql =
  'select key from ignored_events where subscriber = $1 and version = $2 and position = $3';

/**
 * Ignores a parked event of a read model, and projects the later ones of its key. Repeating it changes nothing. False
 * when the event is not parked, or waits behind another one, and was not ignored before.
 */
export const ignoreParked = async (options: RetryOptions, position: Position): Promise<boolean> => {
  const { pool, projection } = options;
  const values = [projection.name, projection.version, String(position)];
  const key = await inTransaction(pool, async (client) => {
    await lockCheckpoint(client, projection);
    const { rows: ignored } = await client.query<KeyRow>(ignoreSql, values);
    if (ignored.length > 0) await countParked(client, projection);
    const { rows } =
      ignored.length > 0 ? { rows: ignored } : await client.query<KeyRow>(ignoredKeySql, values);
    return rows[0]?.key;
  });
  if (key === undefined) return false;
  await retryParked({ ...options, key });
  return true;
};

/** The event is part of the next build again. The builds that were made without it stay as they are. */
export const restoreIgnored = async (
  pool: Pool,
  { name, version }: Pick<Projection, 'name' | 'version'>,
  position: Position,
): Promise<void> => {
  await pool.query('delete from ignored_events where subscriber = $1 and version = $2 and position = $3', [
    name,
    version,
    String(position),
  ]);
};

const removeSql = `
  delete from projection_parked_events parked using ignored_events ignored
  where parked.projection = $1 and parked.version = $2 and parked.error is not null
    and ignored.subscriber = $3 and ignored.version = $2 and ignored.position = parked.position
  returning parked.key`;

const removeOnce = (pool: Pool, projection: Projection): Promise<readonly string[]> =>
  inTransaction(pool, async (client: PoolClient) => {
    await lockCheckpoint(client, projection);
    const { name, version } = projection;
    const { rows } = await client.query<KeyRow>(removeSql, [name, version, baseNameOf(name)]);
    if (rows.length > 0) await countParked(client, projection);
    return rows.map(({ key }) => key);
  });

/** Ignores in a build what was ignored in the one that queries use. */
export const removeIgnored = async (options: RetryOptions): Promise<void> => {
  for (;;) {
    const keys = await removeOnce(options.pool, options.projection);
    if (keys.length === 0) return;
    for (const key of keys) await retryParked({ ...options, key });
  }
};
