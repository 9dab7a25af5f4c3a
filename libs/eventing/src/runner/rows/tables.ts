import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import type { Projection, ProjectionTable } from '../../projection.ts';
import { quoted, storedName } from '../names.ts';

const hash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

/** Changes with the stored shape: the same version must always have the same. */
export const tablesHash = (projection: Projection): string =>
  hash(projection.tables.map(({ name, key, columns }) => [name, key, columns]));

export const viewsHash = (projection: Projection): string =>
  hash([projection.views ?? [], projection.tables.map(({ name, columns }) => [name, Object.keys(columns)])]);

// Rows of read models change often: room in their pages saves a third of the cost of an update.
const fillFactor = 70;

const createTable = (projection: Projection, table: ProjectionTable, suffix: string): string => {
  const columns = Object.entries(table.columns).map(([name, definition]) => `${quoted(name)} ${definition}`);
  const key = table.key.map(quoted).join(', ');
  return `create table if not exists ${quoted(storedName(projection, table, suffix))}
    (${columns.join(', ')}, primary key (${key})) with (fillfactor = ${fillFactor})`;
};

export const createTables = async (
  client: ClientBase,
  projection: Projection,
  suffix = '',
): Promise<void> => {
  for (const table of projection.tables) await client.query(createTable(projection, table, suffix));
};

export const dropTables = async (client: ClientBase, projection: Projection, suffix = ''): Promise<void> => {
  for (const table of projection.tables) {
    await client.query(`drop table if exists ${quoted(storedName(projection, table, suffix))}`);
  }
};

/** Made once the rows are in: building an index at once is faster than keeping it while millions come. */
export const createIndexes = async (client: ClientBase, projection: Projection): Promise<void> => {
  for (const table of projection.tables) {
    const stored = storedName(projection, table);
    for (const definition of table.indexes ?? []) {
      const name = quoted(`${stored.slice(0, 40)}_${hash(definition).slice(0, 8)}`);
      await client.query(`create index if not exists ${name} on ${quoted(stored)} ${definition}`);
    }
    await client.query(`analyze ${quoted(stored)}`);
  }
};

/** Points the names that queries use at this version's tables, and makes the views over them again. */
export const switchViews = async (client: ClientBase, projection: Projection): Promise<void> => {
  for (const table of projection.tables) {
    const columns = Object.keys(table.columns).map(quoted).join(', ');
    // Cascade: views over this one are among `views`, which follow.
    await client.query(`drop view if exists ${quoted(table.name)} cascade`);
    await client.query(
      `create view ${quoted(table.name)} as select ${columns} from ${quoted(storedName(projection, table))}`,
    );
  }
  for (const sql of projection.views ?? []) await client.query(sql);
};
