// One instance of the product lives in one data folder: its secrets, its ports, the processes it has started.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
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

export const makeDataFolder = async () => {
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

/** Secrets of this instance, made once. */
export const readSecrets = async () => {
  const file = join(dataFolder(), 'secrets.json');
  const known = await readFile(file, 'utf8').catch(() => undefined);
  if (known) return JSON.parse(known);
  const secrets = {
    PERSONAL_DATA_KEY: randomBytes(32).toString('base64'),
    SESSION_SECRET: randomBytes(32).toString('base64url'),
    OIDC_CLIENT_SECRET: randomBytes(24).toString('base64url'),
  };
  await writeFile(file, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  return secrets;
};

/** The command line of a process, undefined when there is none. @param {number} pid */
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

/** Whether the process is still one that we have started: numbers are used again. @param {number} pid */
const isOurs = async (pid) => (await commandLine(pid))?.includes(root) === true;

/** One instance per data folder. @param {State} state */
export const refuseWhileRunning = async ({ launcher, url }) => {
  // It was started from its own folder, so its command line does not name that.
  const running = launcher !== undefined && (await commandLine(launcher))?.includes('scripts/start.mjs');
  if (running)
    throw new Error(`It is running already, at ${url ?? 'another address'} (process ${launcher}).`);
};

/** @param {number} pid @param {number} withinMs */
const gone = async (pid, withinMs) => {
  const until = performance.now() + withinMs;
  while (performance.now() < until) {
    if (!(await isOurs(pid))) return true;
    await new Promise((done) => setTimeout(done, 50));
  }
  return false;
};

/** Ends processes that an earlier start has left behind. @param {readonly number[]} pids */
export const endLeftovers = async (pids) => {
  const ours = [];
  for (const pid of pids) if (await isOurs(pid)) ours.push(pid);
  for (const pid of ours) process.kill(pid, 'SIGTERM');
  for (const pid of ours) if (!(await gone(pid, 11_000))) process.kill(pid, 'SIGKILL');
  return ours.length;
};

/** Makes the two databases when they are not there. @param {import('./postgres.mjs').Server} server */
const makeDatabases = async (server) => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    const { rows } = await client.query('select datname from pg_database');
    const there = new Set(rows.map(({ datname }) => datname));
    for (const name of ['tapedeck', 'catalogue'])
      if (!there.has(name)) await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
};

/**
 * The databases of this instance: the given ones, or the embedded server, started or adopted.
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
  await makeDatabases(server);
  state.ports.postgres = server.port;
  return {
    embedded: true,
    adopted: server.adopted,
    urls: { DATABASE_URL: server.url('tapedeck'), CATALOGUE_DATABASE_URL: server.url('catalogue') },
    stop: server.stop,
  };
};
