import { Client, Pool } from 'pg';
import type { TestDatabase } from './test-database.ts';

/** A copy of a database as it is now, as a restored backup would be; ends all connections to the original. */
export const copyDatabase = async (original: TestDatabase): Promise<TestDatabase> => {
  const url = new URL(original.url);
  const source = url.pathname.slice(1);
  const copy = `${source}_copy_${Date.now() % 100_000}`;
  const adminUrl = new URL(original.url);
  adminUrl.pathname = '/postgres';
  const admin = new Client({ connectionString: adminUrl.href });
  await admin.connect();
  await admin.query(`alter database ${source} with allow_connections false`);
  await admin.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [
    source,
  ]);
  await admin.query(`create database ${copy} template ${source}`);
  await admin.query(`alter database ${source} with allow_connections true`);
  url.pathname = `/${copy}`;
  const pool = new Pool({ connectionString: url.href, max: 10 });
  pool.on('error', () => {});
  return {
    pool,
    url: url.href,
    drop: async () => {
      await pool.end();
      await admin.query(`drop database ${copy} with (force)`);
      await admin.end();
    },
  };
};
