import { DomainError, messageOf } from '@tapedeck/kernel';
import pg from 'pg';

export type Databases = Readonly<{
  tapedeck: pg.Pool;
  catalogue: pg.Pool;
  close: () => Promise<void>;
}>;

export type DatabaseOptions = Readonly<{
  urls: Readonly<{ tapedeck: string; catalogue: string }>;
  /** Shown by the server beside each connection. */
  application: string;
  /** Connections per database. */
  max?: number;
  onError: (error: Error) => void;
}>;

const oldestVersion = 15;

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
  if (major >= oldestVersion) return;
  throw new DomainError(
    'invalid',
    'DATABASE_TOO_OLD',
    `The database ${withoutPassword(url)} is PostgreSQL ${major}: at least version ${oldestVersion} is needed.`,
  );
};

/** @throws DomainError DATABASE_UNREACHABLE, DATABASE_TOO_OLD: one sentence, without the password. */
export const openDatabases = async (options: DatabaseOptions): Promise<Databases> => {
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
  const tapedeck = open(options.urls.tapedeck);
  const catalogue = open(options.urls.catalogue);
  const close = async (): Promise<void> => {
    await Promise.all([tapedeck.end(), catalogue.end()]);
  };
  try {
    await checked(tapedeck, options.urls.tapedeck);
    await checked(catalogue, options.urls.catalogue);
  } catch (error) {
    await close();
    throw error;
  }
  return { tapedeck, catalogue, close };
};
