import { cpus } from 'node:os';
import { Client, Pool } from 'pg';
import { say } from './print.ts';

const serverUrl = (): string => {
  const url = process.env['BENCH_POSTGRES_URL'];
  if (!url) throw new Error('BENCH_POSTGRES_URL is not set: start the benchmark by `npm run bench`.');
  return url;
};

const withConnection = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

export const urlOf = (database: string): string => {
  const url = new URL(serverUrl());
  url.pathname = `/${database}`;
  return url.href;
};

/** Creates an empty database, after dropping one of the same name. */
export const freshDatabase = (name: string): Promise<string> =>
  withConnection(async (client) => {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}`);
    return urlOf(name);
  });

/** A pool whose connections stay open, so that no measurement includes opening one. */
export const steadyPool = (url: string, max: number): Pool => {
  const pool = new Pool({ connectionString: url, max, idleTimeoutMillis: 0 });
  // Without a listener a connection that ends with its dropped database would end the process.
  pool.on('error', () => {});
  return pool;
};

/** Writes changed pages to disk, so that the next measurement does not include those of earlier ones. */
export const runCheckpoint = (): Promise<unknown> => withConnection((client) => client.query('checkpoint'));

const shownSettings = [
  'server_version',
  'fsync',
  'synchronous_commit',
  'full_page_writes',
  'shared_buffers',
  'max_wal_size',
];

/** Prints the settings of the server, as it reports them, and the machine. */
export const describeMachine = async (): Promise<void> => {
  const settings = await withConnection(async (client) => {
    const lines = [];
    for (const setting of shownSettings) {
      const { rows } = await client.query<Record<string, string>>(`show ${setting}`);
      lines.push(`${setting} ${rows[0]?.[setting] ?? '?'}`);
    }
    return lines;
  });
  const [first] = cpus();
  say(`PostgreSQL: ${settings.join(', ')}`);
  say(`Machine: ${cpus().length} cores (${first?.model.trim() ?? 'unknown'}), Node ${process.version}`);
  say();
};
