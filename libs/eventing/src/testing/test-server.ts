import type { Dirent } from 'node:fs';
import {
  appendFile,
  chmod,
  chown,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres, type Server } from '@tapedeck/dev-postgres';

/** A PostgreSQL server of the test's own, which the test may crash, restart and promote. */
export type TestServer = Readonly<{
  /** Always the same, also after a restart. */
  url: (database: string) => string;
  stop: (mode?: 'fast' | 'immediate') => Promise<void>;
  /** Does nothing while it runs. */
  start: () => Promise<void>;
  promote: () => Promise<void>;
  /** A standby of this server, made from a base backup; it streams as soon as it runs. */
  createStandby: () => Promise<TestServer>;
  /** Stops the server and deletes its files. */
  dispose: () => Promise<void>;
}>;

type Settings = Readonly<Record<string, string>>;

const defaultSettings: Settings = { fsync: 'on', synchronous_commit: 'on', shared_buffers: '64MB' };

const newFolder = async (parent: string): Promise<string> => {
  const folder = await mkdtemp(join(parent, 'tapedeck-server-'));
  // The server may run as another user.
  await chmod(folder, 0o755);
  return join(folder, 'postgres');
};

/** What a base backup omits: files of the running server, and the log, which the standby streams. */
const leftOut = /\/(?:postmaster\.(?:pid|opts)|pg_wal\/.+|pg_replslot\/.+|pg_stat_tmp\/.+)$/;

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** As PostgreSQL demands of a backup: a file that the server deletes meanwhile is omitted. */
const copyLiveFolder = async (from: string, to: string): Promise<void> => {
  await mkdir(to, { recursive: true });
  const copy = async (entry: Dirent): Promise<void> => {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (leftOut.test(source)) return;
    if (entry.isDirectory()) return copyLiveFolder(source, target);
    await copyFile(source, target).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
  };
  await Promise.all((await readdir(from, { withFileTypes: true })).map(copy));
};

/** Copies the files of a running server by the low-level backup functions of PostgreSQL. */
const takeBaseBackup = async (primary: Server, folder: string): Promise<void> => {
  const [from, to] = [join(primary.folder, 'data'), join(folder, 'data')];
  const { uid, gid } = await stat(from);
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await chown(folder, uid, gid);
  const client = new Client({ connectionString: primary.url('postgres') });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('standby', true)`);
    await copyLiveFolder(from, to);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
  await copyFile(join(primary.folder, 'password'), join(folder, 'password'));
  await writeFile(join(to, 'standby.signal'), '');
  const { username, password, port } = new URL(primary.url('postgres'));
  const connection = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
  await appendFile(join(to, 'postgresql.auto.conf'), `primary_conninfo = '${connection}'\n`);
  const paths = ['', ...(await readdir(folder, { recursive: true }))];
  await Promise.all(paths.map((path) => chown(join(folder, path), uid, gid)));
  await chmod(to, 0o700);
};

const testServerIn = async (folder: string, settings: Settings): Promise<TestServer> => {
  let server = await startPostgres({ folder, settings });
  let isRunning = true;
  const stop = async (mode?: 'fast' | 'immediate'): Promise<void> => {
    if (isRunning) await server.stop(mode);
    isRunning = false;
  };
  return {
    url: (database) => server.url(database),
    stop,
    start: async () => {
      server = await startPostgres({ folder, settings, port: server.port });
      isRunning = true;
    },
    promote: () => server.promote(),
    createStandby: async () => {
      const standbyFolder = await newFolder(join(folder, '..', '..'));
      await takeBaseBackup(server, standbyFolder);
      return testServerIn(standbyFolder, settings);
    },
    dispose: async () => {
      await stop('immediate');
      await rm(join(folder, '..'), { recursive: true, force: true });
    },
  };
};

/**
 * Starts a server in a temporary folder, of the system or of `parent`.
 *
 * @example
 * const server = await startTestServer();
 * await server.stop('immediate');
 * await server.start();
 */
export const startTestServer = async (settings: Settings = {}, parent = tmpdir()): Promise<TestServer> =>
  testServerIn(await newFolder(parent), { ...defaultSettings, ...settings });
