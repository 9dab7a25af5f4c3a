import { DomainError, messageOf } from '@tapedeck/kernel';
import pg from 'pg';

/**
 * Open databases by name. `tapedeck` has the tape; a module that contributes another one, or reads it, names it:
 * `Databases<'catalogue'>`.
 */
export type Databases<Name extends string = 'tapedeck'> = Readonly<Record<Name, pg.Pool>>;

export type OpenDatabases<Name extends string = string> = Readonly<{
  pools: Databases<Name>;
  close: () => Promise<void>;
}>;

export type DatabaseOptions<Name extends string> = Readonly<{
  urls: Readonly<Record<Name, string>>;
  /** Shown by the server beside each connection. */
  application: string;
  /** Connections per database. */
  max?: number;
  onError: (error: Error) => void;
}>;

const minVersion = 15;

const withoutPassword = (url: string): string => {
  const shown = new URL(url);
  shown.password = '';
  return shown.href;
};

const checked = async (pool: pg.Pool, url: string): Promise<void> => {
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
  if (major >= minVersion) return;
  throw new DomainError(
    'invalid',
    'DATABASE_TOO_OLD',
    `The database ${withoutPassword(url)} is PostgreSQL ${major}: at least version ${minVersion} is needed.`,
  );
};

/** @throws DomainError DATABASE_UNREACHABLE, DATABASE_TOO_OLD: one sentence, without the password. */
export const openDatabases = async <Name extends string>(
  options: DatabaseOptions<Name>,
): Promise<OpenDatabases<Name>> => {
  const open = (url: string): pg.Pool => {
    const pool = new pg.Pool({
      connectionString: url,
      max: options.max ?? 10,
      application_name: options.application,
      connectionTimeoutMillis: 5_000,
    });
    // An idle connection that the server closes must not end the process; the next query opens another.
    pool.on('error', options.onError);
    return pool;
  };
  const urls = Object.entries<string>(options.urls);
  const opened = urls.map(([name, url]) => ({ name, url, pool: open(url) }));
  const close = async (): Promise<void> => {
    await Promise.all(opened.map(({ pool }) => pool.end()));
  };
  try {
    for (const { pool, url } of opened) await checked(pool, url);
  } catch (error) {
    await close();
    throw error;
  }
  // One pool for each of the names that were given.
  const pools = Object.fromEntries(opened.map(({ name, pool }) => [name, pool])) as Databases<Name>;
  return { pools, close };
};
