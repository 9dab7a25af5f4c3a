// An instance of the product has one data folder, with its secrets, its ports and the processes it has started.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { root } from './prepare.mjs';
import { startPostgres } from './postgres.mjs';

const run = promisify(execFile);

/**
 * @typedef {{ postgres?: number, sandbox?: number }} Ports
 * @typedef {{ launcher?: number, pids: number[], ports: Ports, url?: string, demo?: boolean }} State
 */

export const dataFolder = () => resolve(root, process.env.DATA_DIR || '.data');

const stateFile = () => join(dataFolder(), 'instance.json');

/** @returns {Promise<State>} */
export const readState = async () =>
  JSON.parse(await readFile(stateFile(), 'utf8').catch(() => '{"pids":[],"ports":{}}'));

/** @param {State} state */
export const writeState = async (state) => {
  const next = `${stateFile()}.${process.pid}`;
  await writeFile(next, JSON.stringify(state, null, 2));
  await rename(next, stateFile());
};

export const createDataFolder = async () => {
  const folder = dataFolder();
  try {
    await mkdir(join(folder, 'logs'), { recursive: true });
    const probe = join(folder, `.probe-${process.pid}`);
    await writeFile(probe, '');
    await rename(probe, join(folder, '.writable'));
  } catch (error) {
    throw new Error(
      `The data folder ${folder} cannot be written (${/** @type {Error} */ (error).message}): choose another with DATA_DIR.`,
      { cause: error },
    );
  }
};

/** The secrets of this instance, generated at the first call. */
export const readSecrets = async () => {
  const file = join(dataFolder(), 'secrets.json');
  const stored = await readFile(file, 'utf8').catch(() => undefined);
  if (stored) return JSON.parse(stored);
  const secrets = {
    PERSONAL_DATA_KEY: randomBytes(32).toString('base64'),
    SESSION_SECRET: randomBytes(32).toString('base64url'),
    OIDC_CLIENT_SECRET: randomBytes(24).toString('base64url'),
  };
  await writeFile(file, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  return secrets;
};

/** The command line of a process; undefined when it does not run. @param {number} pid */
const commandLine = async (pid) => {
  try {
    process.kill(pid, 0);
  } catch {
    return undefined;
  }
  return run('ps', ['-o', 'args=', '-p', String(pid)]).then(
    ({ stdout }) => stdout.trim() || undefined,
    () =>
      readFile(`/proc/${pid}/cmdline`, 'utf8').then(
        (text) => text.replaceAll('\0', ' '),
        () => undefined,
      ),
  );
};

/** Whether the process is one that an instance has started; process ids are reused. @param {number} pid */
const isOfInstance = async (pid) => (await commandLine(pid))?.includes(root) === true;

/** Throws when an instance is running in the data folder. @param {State} state */
export const refuseWhileRunning = async ({ launcher, url }) => {
  // Its command line contains a relative path, not the folder of the repository.
  const isRunning = launcher !== undefined && (await commandLine(launcher))?.includes('scripts/start.mjs');
  if (isRunning)
    throw new Error(`It is running already, at ${url ?? 'another address'} (process ${launcher}).`);
};

/** @param {number} pid @param {number} withinMs */
const hasEnded = async (pid, withinMs) => {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    if (!(await isOfInstance(pid))) return true;
    await setTimeout(50);
  }
  return false;
};

/** Ends the processes of an earlier start that still run. Returns how many there were. @param {readonly number[]} pids */
export const endLeftoverProcesses = async (pids) => {
  const running = [];
  for (const pid of pids) if (await isOfInstance(pid)) running.push(pid);
  for (const pid of running) process.kill(pid, 'SIGTERM');
  for (const pid of running) if (!(await hasEnded(pid, 11_000))) process.kill(pid, 'SIGKILL');
  return running.length;
};

/** Creates the two databases if they do not exist. @param {import('./postgres.mjs').Server} server */
const createDatabases = async (server) => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    const { rows } = await client.query('select datname from pg_database');
    const existing = new Set(rows.map(({ datname }) => datname));
    for (const name of ['tapedeck', 'catalogue'])
      if (!existing.has(name)) await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
};

/**
 * The databases of this instance: the configured ones, or those of the embedded server, which is started if necessary.
 * @param {State} state
 * @param {(line: string) => void} log
 */
export const openInstanceDatabases = async (state, log) => {
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
      stop: async () => {},
      adopted: true,
    };
  }
  const port = state.ports.postgres;
  const server = await startPostgres({
    folder: join(dataFolder(), 'postgres'),
    log,
    ...(port === undefined ? {} : { port }),
  });
  await createDatabases(server);
  state.ports.postgres = server.port;
  return {
    embedded: true,
    adopted: server.adopted,
    urls: { DATABASE_URL: server.url('tapedeck'), CATALOGUE_DATABASE_URL: server.url('catalogue') },
    stop: server.stop,
  };
};
