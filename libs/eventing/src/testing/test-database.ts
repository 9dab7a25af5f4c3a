import { randomBytes } from 'node:crypto';
import { Client, Pool } from 'pg';
import { eventingMigrations } from '../migrations.ts';

export type TestDatabase = Readonly<{ pool: Pool; url: string; drop: () => Promise<void> }>;

/** A new database on the server of the test run, with the tables of the tape and of projections. */
export const testDatabase = async (): Promise<TestDatabase> => {
  const server = process.env['TEST_POSTGRES_URL'];
  if (!server) throw new Error('TEST_POSTGRES_URL is not set: run the tests through `npm run jest`.');
  const admin = new Client({ connectionString: server });
  // A file whose tests could not be set up does not end it, and the server stops at the end of the run.
  admin.on('error', () => {});
  await admin.connect();
  const name = `t_${randomBytes(6).toString('hex')}`;
  await admin.query(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const pool = new Pool({ connectionString: url.href, max: 24 });
  // Dropping the database may terminate a connection that is just being closed.
  pool.on('error', () => {});
  for (const { sql } of eventingMigrations) await pool.query(sql);
  return {
    pool,
    url: url.href,
    drop: async () => {
      await pool.end();
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
};
