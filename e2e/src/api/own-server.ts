import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@tapedeck/platform/testing';

/** A PostgreSQL server of the machine, with the programs that the embedded one lacks. */
export type OwnServer = Readonly<{
  url: (database: string) => string;
  createDatabase: (name: string) => void;
  /** `pg_dump --format=custom`. */
  dump: (database: string, file: string) => void;
  /** `pg_restore` with further arguments. */
  restore: (database: string, file: string, ...args: readonly string[]) => void;
  stop: () => void;
}>;

const needed = ['initdb', 'pg_ctl', 'postgres', 'pg_dump', 'pg_restore', 'createdb'];

/** The folder of the server's programs; undefined where no complete PostgreSQL is installed. */
const installedPrograms = (): string | undefined => {
  try {
    const folder = execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim();
    return needed.every((name) => existsSync(join(folder, name))) ? folder : undefined;
  } catch {
    return undefined;
  }
};

export const ownServerPrograms = installedPrograms();

/** Servers refuse to run as root. */
const ownerOf = (): Readonly<{ uid?: number; gid?: number }> => {
  if (process.getuid?.() !== 0) return {};
  const idOf = (kind: '-u' | '-g'): number =>
    Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
};

/** Starts a server in a temporary folder. */
export const startOwnServer = async (programs: string): Promise<OwnServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'tapedeck-own-server-'));
  chmodSync(folder, 0o755);
  const owner = ownerOf();
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const port = await freePort();
  const options: ExecFileSyncOptions = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] };
  const asOwner = (name: string, ...args: readonly string[]): void =>
    void execFileSync(join(programs, name), args, { ...options, ...owner });
  const asClient = (name: string, ...args: readonly string[]): void =>
    void execFileSync(join(programs, name), args, options);
  const data = join(folder, 'data');
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`;
  asOwner('initdb', `--pgdata=${data}`, '--username=tapedeck', '--encoding=UTF8', '--auth=trust');
  asOwner('pg_ctl', 'start', '-D', data, '-l', join(folder, 'log'), '-w', '-o', settings);
  const url = (database: string): string => `postgres://tapedeck@127.0.0.1:${port}/${database}`;
  return {
    url,
    createDatabase: (name) => asClient('createdb', `--maintenance-db=${url('postgres')}`, name),
    dump: (database, file) =>
      asClient('pg_dump', '--format=custom', `--file=${file}`, `--dbname=${url(database)}`),
    restore: (database, file, ...args) => asClient('pg_restore', ...args, `--dbname=${url(database)}`, file),
    stop: () => {
      asOwner('pg_ctl', 'stop', '-D', data, '-m', 'fast', '-w');
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
