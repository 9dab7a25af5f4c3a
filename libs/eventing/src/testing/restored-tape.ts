import { randomBytes } from 'node:crypto';
import { Client, Pool } from 'pg';
import { eventually } from './eventually.ts';
import type { TestDatabase } from './test-database.ts';

const nameOf = ({ url }: TestDatabase): string => new URL(url).pathname.slice(1);

const withName = (url: string, name: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
};

const withAdmin = async (database: TestDatabase, steps: (admin: Client) => Promise<void>): Promise<void> => {
  const admin = new Client({ connectionString: withName(database.url, 'postgres') });
  await admin.connect();
  try {
    await steps(admin);
  } finally {
    await admin.end();
  }
};

/** Ends all connections to the database, and admits no others until the steps have ended. */
const withoutConnections = async (
  admin: Client,
  name: string,
  steps: () => Promise<unknown>,
): Promise<void> => {
  await admin.query(`alter database ${name} with allow_connections false`);
  // A connection that was just being opened is not in the list yet.
  await eventually(async () => {
    await admin.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [
      name,
    ]);
    await steps();
  });
};

/** A copy of a database as it is now, as a restored backup would be; ends all connections to the original. */
export const copyDatabase = async (original: TestDatabase): Promise<TestDatabase> => {
  const copy = `t_${randomBytes(6).toString('hex')}`;
  const source = nameOf(original);
  await withAdmin(original, async (admin) => {
    await withoutConnections(admin, source, () => admin.query(`create database ${copy} template ${source}`));
    await admin.query(`alter database ${source} with allow_connections true`);
  });
  const url = withName(original.url, copy);
  const pool = new Pool({ connectionString: url, max: 10 });
  pool.on('error', () => {});
  return {
    pool,
    url,
    drop: async () => {
      await pool.end();
      await withAdmin(original, async (admin) => {
        await admin.query(`drop database ${copy} with (force)`);
      });
    },
  };
};

/** Gives each database the name of the other one: those who reconnect find the other one. */
export const swapDatabases = (one: TestDatabase, other: TestDatabase): Promise<void> =>
  withAdmin(one, async (admin) => {
    const [first, second, between] = [nameOf(one), nameOf(other), `t_${randomBytes(6).toString('hex')}`];
    await withoutConnections(admin, first, () => admin.query(`alter database ${first} rename to ${between}`));
    await withoutConnections(admin, second, () => admin.query(`alter database ${second} rename to ${first}`));
    await admin.query(`alter database ${between} rename to ${second}`);
    for (const name of [first, second])
      await admin.query(`alter database ${name} with allow_connections true`);
  });
