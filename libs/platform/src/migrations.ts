import { DomainError } from '@tapedeck/kernel';
import type pg from 'pg';

/** A change of a database that is not a read model; runs once, in a transaction, in the order of the list. */
export type Migration = Readonly<{
  /** Module and number, such as `eventing/001-tape`; never changes once released. */
  id: string;
  /** The name of the database that it changes. */
  database: string;
  sql: string;
}>;

const lockKey = 7_770_002;

const migrateOne = async (pool: pg.Pool, migrations: readonly Migration[]): Promise<void> => {
  const client = await pool.connect();
  let lost: Error | undefined;
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    await client.query(
      'create table if not exists migrations (id text primary key, applied_at timestamptz not null default now())',
    );
    const executed = async (): Promise<string[]> =>
      (await client.query<{ id: string }>('select id from migrations order by id')).rows.map(({ id }) => id);
    const applied = new Set(await executed());
    if (migrations.every(({ id }) => applied.has(id))) return;
    // Only here: it brings a command line with it, which no process needs at its start.
    const { Umzug } = await import('umzug');
    const umzug = new Umzug({
      logger: undefined,
      migrations: migrations.map(({ id, sql }) => ({
        name: id,
        up: async () => {
          await client.query('begin');
          try {
            await client.query(sql);
            await client.query('insert into migrations (id) values ($1)', [id]);
            await client.query('commit');
          } catch (error) {
            await client.query('rollback').catch(() => undefined);
            throw error;
          }
        },
      })),
      storage: {
        executed,
        // `up` writes the row in the transaction of the migration itself.
        logMigration: async () => {},
        unlogMigration: async () => {},
      },
    });
    await umzug.up();
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lockKey]).catch((error: Error) => {
      lost = error;
    });
    client.release(lost);
  }
};

/**
 * Runs the migrations that have not run yet; several processes may call it at once.
 * @throws Error when a migration names a database that is not open.
 */
export const migrate = async (
  databases: Readonly<Record<string, pg.Pool>>,
  migrations: readonly Migration[],
): Promise<void> => {
  for (const database of new Set(migrations.map((migration) => migration.database))) {
    const own = migrations.filter((migration) => migration.database === database);
    const pool = databases[database];
    if (!pool)
      throw new Error(`The migration ${own[0]?.id} is for the database ${database}, which is not open.`);
    await migrateOne(pool, own);
  }
};

type DatabaseRights = Readonly<{ mayMigrate: boolean; hasReadModelSchema: boolean }>;

/** What the role of the connections may do: run the migrations, or only what the migrations have granted. */
export const databaseRights = async (pool: pg.Pool): Promise<DatabaseRights> => {
  const { rows } = await pool.query<DatabaseRights>(
    `select coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayMigrate",
            to_regnamespace('read_models') is not null as "hasReadModelSchema"`,
  );
  return rows[0] ?? { mayMigrate: false, hasReadModelSchema: false };
};

// Unknown to a database without migrations, or hidden from a role to which they have granted nothing yet.
const hidden = new Set(['42P01', '42501']);

const appliedIn = async (pool: pg.Pool): Promise<ReadonlySet<string>> => {
  const { rows } = await pool.query<{ id: string }>('select id from migrations').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && hidden.has(String(error.code))) return { rows: [] };
    throw error;
  });
  return new Set(rows.map(({ id }) => id));
};

/** @throws DomainError DATABASE_NOT_MIGRATED, which says what to run. */
export const assertMigrated = async (
  databases: Readonly<Record<string, pg.Pool>>,
  migrations: readonly Migration[],
): Promise<void> => {
  for (const [database, pool] of Object.entries(databases)) {
    const applied = await appliedIn(pool);
    const missing = migrations.find(
      (migration) => migration.database === database && !applied.has(migration.id),
    );
    if (!missing) continue;
    throw new DomainError(
      'unavailable',
      'DATABASE_NOT_MIGRATED',
      `The database ${database} is not prepared for this version of the product (${missing.id} is missing): run \`npm run migrate\`, in containers the service migrate, and start again.`,
    );
  }
};
