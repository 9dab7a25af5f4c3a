import { DomainError, messageOf } from '@tapedeck/kernel';
import pg from 'pg';

/**
 * Open databases by name. `tapedeck` contains the tape; a module that needs another one names it:
 * `Databases<'catalogue'>`.
 */
export type Databases<Name extends string = 'tapedeck'> = Readonly<Record<Name, pg.Pool>>;

export type OpenDatabases<Name extends string = string> = Readonly<{
  pools: Databases<Name>;
  close: () => Promise<void>;
}>;

export type DatabaseOptions<Name extends string> = Readonly<{
  urls: Readonly<Record<Name, string>>;
  /** The name that the server shows for each connection. */
  application: string;
  onError: (error: Error) => void;
  /** After this time a query ends with an error, on both sides; without it there is no limit. */
  queryMs?: number;
  /** Settings of every connection, such as `-c search_path=public`. */
  startOptions?: string;
}>;

const minMajorVersion = 15;
const maxConnections = 10;
const connectMs = 5_000;
/** Where requests wait for a free connection: they are answered before their clients have left. */
const connectForRequestMs = 2_000;
/** A transaction that its process has left open ends, so that it locks nothing and delays no reader of the tape. */
const maxIdleInTransactionMs = 60_000;

const withoutPassword = (url: string): string => {
  const shown = new URL(url);
  shown.password = '';
  return shown.href;
};

const assertUsable = async (pool: pg.Pool, url: string): Promise<void> => {
  const { rows } = await pool
    .query<{ version: string }>("select current_setting('server_version_num') as version")
    .catch((error: unknown) => {
      throw new DomainError(
        'unavailable',
        'DATABASE_UNREACHABLE',
        `The database ${withoutPassword(url)} cannot be used: ${messageOf(error)}.`,
      );
    });
  const major = Math.floor(Number(rows[0]?.version ?? 0) / 10_000);
  if (major >= minMajorVersion) return;
  throw new DomainError(
    'invalid',
    'DATABASE_TOO_OLD',
    `The database ${withoutPassword(url)} is PostgreSQL ${major}: at least version ${minMajorVersion} is needed.`,
  );
};

/** @throws DomainError DATABASE_UNREACHABLE, DATABASE_TOO_OLD: one sentence, without the password. */
export const openDatabases = async <Name extends string>(
  options: DatabaseOptions<Name>,
): Promise<OpenDatabases<Name>> => {
  const open = (url: string): pg.Pool => {
    const pool = new pg.Pool({
      connectionString: url,
      max: maxConnections,
      application_name: options.application,
      connectionTimeoutMillis: options.queryMs === undefined ? connectMs : connectForRequestMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      idle_in_transaction_session_timeout: maxIdleInTransactionMs,
      ...(options.startOptions === undefined ? {} : { options: options.startOptions }),
      ...(options.queryMs === undefined
        ? {}
        : { query_timeout: options.queryMs, statement_timeout: options.queryMs }),
    });
    // Without listeners, a connection that ends while no query runs would end the process: an idle one, and one that
    // somebody has taken from the pool, whose next query then fails.
    pool.on('error', options.onError);
    pool.on('connect', (client) => void client.on('error', () => {}));
    return pool;
  };
  const urls = Object.entries<string>(options.urls);
  const opened = urls.map(([name, url]) => ({ name, url, pool: open(url) }));
  const close = async (): Promise<void> => {
    await Promise.all(opened.map(({ pool }) => pool.end()));
  };
  try {
    for (const { pool, url } of opened) await assertUsable(pool, url);
  } catch (error) {
    await close();
    throw error;
  }
  // One pool for each name in `urls`.
  const pools = Object.fromEntries(opened.map(({ name, pool }) => [name, pool])) as Databases<Name>;
  return { pools, close };
};
