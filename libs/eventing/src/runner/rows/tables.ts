import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import type { Projection, ProjectionTable } from '../../projection.ts';

const identifier = /^[a-z_][a-z0-9_]{0,49}$/;

/** A table or column name as SQL writes it. */
export const quoted = (name: string): string => {
  if (identifier.test(name)) return `"${name}"`;
  throw new Error(`"${name}" is not a valid table or column name: use up to 50 of a-z, 0-9 and _.`);
};

/** The name of the table that contains the rows. It has the version in it, so that versions exist side by side. */
export const storedName = (projection: Projection, table: ProjectionTable, suffix = ''): string =>
  `${table.name}_v${projection.version}${projection.isStandby ? '_spare' : ''}${suffix}`;

/**
 * The stored table of a projection, as SQL writes it, for queries of the rows of this version, whichever version is
 * live.
 *
 * @example
 * await client.query(`select * from ${storedTable(explorerStrategies, 'explorer_strategies')}`);
 */
export const storedTable = (projection: Projection, table: string): string => {
  const found = projection.tables.find(({ name }) => name === table);
  if (found) return quoted(storedName(projection, found));
  throw new Error(`The projection ${projection.name} has no table ${table}.`);
};

const hash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

/** Changes when the tables change. All processes must have the same tables for the same version. */
export const tablesHash = (projection: Projection): string =>
  hash(projection.tables.map(({ name, key, columns }) => [name, key, columns]));

/** Changes when the projection reads other events. */
export const typesHash = ({ types }: Projection): string => hash(types.toSorted());

export const viewsHash = (projection: Projection): string =>
  hash([projection.views ?? [], projection.tables.map(({ name, columns }) => [name, Object.keys(columns)])]);

// Rows of read models change often: free space in their pages makes an update cheaper by a third.
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

/** Also drops the views over them, which `switchViews` recreates. */
export const dropTables = async (client: ClientBase, projection: Projection, suffix = ''): Promise<void> => {
  for (const table of projection.tables) {
    await client.query(`drop table if exists ${quoted(storedName(projection, table, suffix))} cascade`);
  }
};

const indexName = (stored: string, definition: string): string =>
  quoted(`${stored.slice(0, 40)}_${hash(definition).slice(0, 8)}`);

/** The views over the tables of a projection, and those over them, the outermost first. */
const viewsSql = `
  with recursive above (oid, depth) as (
    select to_regclass(name)::oid, 0 from unnest($1::text[]) name where to_regclass(name) is not null
    union
    select rule.ev_class, above.depth + 1 from above
      join pg_depend on refclassid = 'pg_class'::regclass and refobjid = above.oid and classid = 'pg_rewrite'::regclass
      join pg_rewrite rule on rule.oid = pg_depend.objid and rule.ev_class <> above.oid)
  select oid::regclass::text as name from above group by oid order by max(depth) desc, oid`;

/**
 * Locks views and tables as a query does, the outer view first, so that no reader waits for a lock that waits for it. A
 * query that uses two views may still do so in the other order: the change gives up before PostgreSQL looks for a
 * deadlock (`deadlock_timeout` is 1 s by default), so that the reader never fails.
 */
export const lockViews = async (client: ClientBase, projection: Projection): Promise<void> => {
  const names = projection.tables.map(({ name }) => quoted(name));
  const { rows } = await client.query<{ name: string }>(viewsSql, [names]);
  await client.query(`set local lock_timeout = '500ms'`);
  for (const { name } of rows) await client.query(`lock table ${name} in access exclusive mode`);
};

/** Gives the tables of two builds the names of each other, and their indexes, of which a new one may be missing. */
export const swapTables = async (client: ClientBase, one: Projection, other: Projection): Promise<void> => {
  const rename = async (kind: 'table' | 'index', from: string, to: string): Promise<void> => {
    await client.query(`alter ${kind} if exists ${from} rename to ${to}`);
  };
  const swap = async (kind: 'table' | 'index', first: string, second: string): Promise<void> => {
    const between = `"swapped_${hash([first, second])}"`;
    await rename(kind, first, between);
    await rename(kind, second, first);
    await rename(kind, between, second);
  };
  for (const table of one.tables) {
    const [first, second] = [storedName(one, table), storedName(other, table)];
    await swap('table', quoted(first), quoted(second));
    for (const definition of table.indexes ?? [])
      await swap('index', indexName(first, definition), indexName(second, definition));
  }
};

/** Creates the indexes of the tables. This is faster after the rows were written than before. */
export const createIndexes = async (client: ClientBase, projection: Projection): Promise<void> => {
  for (const table of projection.tables) {
    const stored = storedName(projection, table);
    for (const definition of table.indexes ?? []) {
      const name = indexName(stored, definition);
      await client.query(`create index if not exists ${name} on ${quoted(stored)} ${definition}`);
    }
    await client.query(`analyze ${quoted(stored)}`);
  }
};

/** Makes the views that queries use show the tables of this version, and recreates the projection's `views`. */
export const switchViews = async (client: ClientBase, projection: Projection): Promise<void> => {
  if (projection.isStandby) return;
  await lockViews(client, projection);
  for (const table of projection.tables) {
    const columns = Object.keys(table.columns).map(quoted).join(', ');
    // Also drops the views over this one, which are among `views` and are recreated below.
    await client.query(`drop view if exists ${quoted(table.name)} cascade`);
    await client.query(
      `create view ${quoted(table.name)} as select ${columns} from ${quoted(storedName(projection, table))}`,
    );
  }
  for (const sql of projection.views ?? []) await client.query(sql);
};
