import { cpus } from 'node:os';
import { Client, Pool } from 'pg';
import { say } from './print.ts';

const serverUrl = (): string => {
  const url = process.env['BENCH_POSTGRES_URL'];
  if (!url) throw new Error('BENCH_POSTGRES_URL is not set: start the benchmark by `npm run bench`.');
  return url;
};

const onServer = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
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

/** An empty database of this name, whatever stood there before. */
export const freshDatabase = (name: string): Promise<string> =>
  onServer(async (client) => {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}`);
    return urlOf(name);
  });

/** Connections that stay open: making one is no part of what is measured. */
export const steadyPool = (url: string, max: number): Pool => {
  const pool = new Pool({ connectionString: url, max, idleTimeoutMillis: 0 });
  // A connection that ends with its dropped database is replaced or not needed any more.
  pool.on('error', () => {});
  return pool;
};

/** Writes out what earlier work has left behind, so that nobody pays for somebody else's pages. */
export const settle = (): Promise<unknown> => onServer((client) => client.query('checkpoint'));

const asked = [
  'server_version',
  'fsync',
  'synchronous_commit',
  'full_page_writes',
  'shared_buffers',
  'max_wal_size',
];

/** What the server itself says of its settings, and the machine of its own. */
export const describeMachine = async (): Promise<void> => {
  const settings = await onServer(async (client) => {
    const answers = [];
    for (const setting of asked) {
      const { rows } = await client.query<Record<string, string>>(`show ${setting}`);
      answers.push(`${setting} ${rows[0]?.[setting] ?? '?'}`);
    }
    return answers;
  });
  const [first] = cpus();
  say(`PostgreSQL: ${settings.join(', ')}`);
  say(`Machine: ${cpus().length} cores (${first?.model.trim() ?? 'unknown'}), Node ${process.version}`);
  say();
};
