import type { ClientBase, Pool } from 'pg';
import type { EventStore } from '../event-store.ts';
import type { Position } from '../event.ts';
import type { Projection, ProjectionTable } from '../projection.ts';
import { applyEvents } from './apply-page.ts';
import { createTables, dropTables, quoted, storedName } from './rows/tables.ts';
import { inTransaction } from './transaction.ts';

export type RebuildOptions = Readonly<{
  store: EventStore;
  projection: Projection;
  pool: Pool;
  /** End of the names of the tables that it creates: `favourites_v1_check`. */
  suffix?: string;
  /** The last position to project; the end of the tape by default. */
  upTo?: Position;
  batchSize?: number;
}>;

const defaultSuffix = '_check';

/**
 * Projects the tape from its beginning into separate tables; those of the projection stay unchanged.
 *
 * @example
 * await rebuildInto({ store, projection, pool });
 * expect(await dumpReadModel(pool, projection, '_check')).toBe(await dumpReadModel(pool, projection));
 */
export const rebuildInto = async ({
  store,
  projection,
  pool,
  suffix = defaultSuffix,
  upTo,
  batchSize = 2_000,
}: RebuildOptions): Promise<void> => {
  const end = upTo ?? (await store.head());
  await inTransaction(pool, async (client) => {
    await dropTables(client, projection, suffix);
    await createTables(client, projection, suffix);
    const blocked = new Set<string>();
    for (let after = 0n; after < end;) {
      const page = await store.readTape({ after, limit: batchSize, types: projection.types, form: 'sealed' });
      if (page.position === after) break;
      after = page.position;
      const events = page.events.filter(({ position }) => position <= end);
      await applyEvents(client, projection, events, blocked, suffix);
    }
  });
};

const dumpTable = async (
  pool: Pool | ClientBase,
  projection: Projection,
  table: ProjectionTable,
  suffix: string,
): Promise<string> => {
  const columns = Object.keys(table.columns).map(quoted).join(', ');
  const order = table.key.map((column) => `${quoted(column)}::text collate "C"`).join(', ');
  const { rows } = await pool.query<[string]>({
    text: `select row(${columns})::text from ${quoted(storedName(projection, table, suffix))} order by ${order}`,
    rowMode: 'array',
  });
  return [`${table.name} (${columns})`, ...rows.map(([row]) => row), ''].join('\n');
};

/** All rows of a read model as text, in the order of their keys: equal content gives equal text. */
export const dumpReadModel = async (pool: Pool, projection: Projection, suffix = ''): Promise<string> => {
  const tables: string[] = [];
  for (const table of projection.tables) tables.push(await dumpTable(pool, projection, table, suffix));
  return tables.join('\n');
};
