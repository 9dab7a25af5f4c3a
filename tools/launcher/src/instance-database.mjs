// The databases of an instance: configured ones, or those of the embedded server, which all its users share.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startPostgres } from '@tapedeck/dev-postgres';

/** Users of the embedded server hold this advisory lock, shared; the lock of one that dies ends with it. */
const usersLock = 1_952_542_822;
const openWithinMs = 60_000;
const retryMs = 200;

/** What a server answers while it starts or stops, and what a connection fails with that it closes. */
const temporary = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03']);
const isTemporary = (/** @type {unknown} */ error) => {
  const { code, message } = /** @type {{ code?: string, message: string }} */ (error);
  return temporary.has(code ?? '') || /Connection terminated|timeout/i.test(message);
};

/** A connection that holds the lock. @param {import('@tapedeck/dev-postgres').Server} server */
const connectAsUser = async (server) => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: server.url('postgres'),
    application_name: 'tapedeck instance',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select pg_advisory_lock_shared($1)', [usersLock]);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
};

/**
 * Whether the database was used with a key of personal data, which alone can read it.
 * @param {string} url of the database of the tape
 */
const hasMasterKey = async (url) => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    for (const table of ['tape_master_key', 'personal_data_keys']) {
      const { rows } = await client.query('select to_regclass($1) is not null as exists', [table]);
      if (rows[0].exists && (await client.query(`select from ${table} limit 1`)).rowCount) return true;
    }
    return false;
  } finally {
    await client.end();
  }
};

/** @param {import('pg').Client} client */
const createDatabases = async (client) => {
  const { rows } = await client.query('select datname from pg_database');
  const existing = new Set(rows.map(({ datname }) => datname));
  for (const name of ['tapedeck', 'catalogue'])
    if (!existing.has(name)) {
      await client.query(`create database ${name}`).catch((error) => {
        // Another user has created it meanwhile.
        if (error.code !== '42P04' && error.code !== '23505') throw error;
      });
    }
};

/**
 * @typedef {{
 *   embedded: boolean,
 *   port?: number,
 *   urls: { DATABASE_URL: string, CATALOGUE_DATABASE_URL: string },
 *   hasMasterKey: () => Promise<boolean>,
 *   lost: Promise<void>,
 *   close: () => Promise<boolean>,
 * }} InstanceDatabases
 * `lost`: the embedded server has ended, or closed the connection. `close`: false when others still use the server.
 */

/**
 * Starts the embedded server, or joins those who use it.
 * @param {{ folder: string, preferredPort: number | undefined, log: (line: string) => void }} options
 * @returns {Promise<InstanceDatabases>}
 */
const openEmbeddedDatabases = async ({ folder, preferredPort, log }) => {
  const deadline = performance.now() + openWithinMs;
  for (;;) {
    /** @type {import('@tapedeck/dev-postgres').Server | undefined} */
    let started;
    try {
      const server = await startPostgres({
        folder,
        log,
        ...(preferredPort === undefined ? {} : { port: preferredPort }),
      });
      if (!server.adopted) started = server;
      const client = await connectAsUser(server);
      let isClosing = false;
      /** @type {Promise<void>} */
      const lost = new Promise((resolve) => {
        client.once('end', () => {
          if (!isClosing) resolve();
        });
      });
      await createDatabases(client);
      return {
        embedded: true,
        port: server.port,
        urls: { DATABASE_URL: server.url('tapedeck'), CATALOGUE_DATABASE_URL: server.url('catalogue') },
        hasMasterKey: () => hasMasterKey(server.url('tapedeck')),
        lost,
        close: async () => {
          isClosing = true;
          const isLast = await client
            .query('select pg_advisory_unlock_shared($1)', [usersLock])
            .then(() => client.query('select pg_try_advisory_lock($1) as "isLast"', [usersLock]))
            .then(({ rows }) => rows[0].isLast === true)
            // Without a connection no other program can use the server either.
            .catch(() => true);
          // The lock is held until the server ends, so that no program joins meanwhile.
          if (isLast) await server.stop();
          await client.end().catch(() => {});
          return isLast;
        },
      };
    } catch (error) {
      if (!isTemporary(error) || performance.now() > deadline) {
        // No other program knows of it yet.
        await started?.stop();
        throw error;
      }
      await setTimeout(retryMs);
    }
  }
};

/**
 * The configured databases, or those of the embedded server in the data folder.
 * @param {{ dataFolder: string, preferredPort: number | undefined, log: (line: string) => void }} options
 * @returns {Promise<InstanceDatabases>}
 */
export const openInstanceDatabases = async ({ dataFolder, ...options }) => {
  const { DATABASE_URL, CATALOGUE_DATABASE_URL } = process.env;
  if (Boolean(DATABASE_URL) !== Boolean(CATALOGUE_DATABASE_URL)) {
    throw new Error(
      'Set both DATABASE_URL and CATALOGUE_DATABASE_URL, or neither for the embedded database.',
    );
  }
  if (DATABASE_URL && CATALOGUE_DATABASE_URL) {
    return {
      embedded: false,
      urls: { DATABASE_URL, CATALOGUE_DATABASE_URL },
      hasMasterKey: () => hasMasterKey(DATABASE_URL),
      lost: new Promise(() => {}),
      close: async () => true,
    };
  }
  return openEmbeddedDatabases({ folder: join(dataFolder, 'postgres'), ...options });
};
