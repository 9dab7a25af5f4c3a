import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Databases } from '../databases.ts';

export type TestDatabases = Readonly<{
  tapedeck: pg.Pool;
  catalogue: pg.Pool;
  /** Both, by name. */
  pools: Databases<'tapedeck' | 'catalogue'>;
  urls: Readonly<{ tapedeck: string; catalogue: string }>;
  drop: () => Promise<void>;
}>;

const serverUrl = (): string => {
  const url = process.env['TEST_POSTGRES_URL'];
  if (url) return url;
  throw new Error('TEST_POSTGRES_URL is not set: run the tests through `npm test` or `npm run jest`.');
};

const withDatabase = (url: string, name: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
};

const openPool = (connectionString: string): pg.Pool => {
  const pool = new pg.Pool({ connectionString, max: 10 });
  // Dropping a database ends connections that are still closing; that must not fail a test.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', () => {});
  return pool;
};

/** Creates two empty databases on the server that the test run has started; call `drop` in `afterAll`. */
export const testDatabases = async (): Promise<TestDatabases> => {
  const admin = new pg.Client({ connectionString: serverUrl() });
  // A file whose tests could not be set up does not end it, and the server stops at the end of the run.
  admin.on('error', () => {});
  await admin.connect();
  const id = randomBytes(6).toString('hex');
  const names = { tapedeck: `t_${id}_tapedeck`, catalogue: `t_${id}_catalogue` };
  await admin.query(`create database ${names.tapedeck}`);
  await admin.query(`create database ${names.catalogue}`);
  const urls = {
    tapedeck: withDatabase(serverUrl(), names.tapedeck),
    catalogue: withDatabase(serverUrl(), names.catalogue),
  };
  const tapedeck = openPool(urls.tapedeck);
  const catalogue = openPool(urls.catalogue);
  return {
    tapedeck,
    catalogue,
    pools: { tapedeck, catalogue },
    urls,
    drop: async () => {
      await Promise.all([tapedeck.end(), catalogue.end()]);
      await admin.query(`drop database ${names.tapedeck} with (force)`);
      await admin.query(`drop database ${names.catalogue} with (force)`);
      await admin.end();
    },
  };
};
