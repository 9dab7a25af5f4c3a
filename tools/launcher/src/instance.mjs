// An instance of the product has one data folder, with its secrets, its ports and the processes it has started.
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, readdir, rename, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { takeLock } from './instance-lock.mjs';
import { root } from '@tapedeck/prepare';
import { isRunning } from '@tapedeck/dev-postgres/process-identity';
import { asRoot } from '@tapedeck/dev-postgres/system-user';

/**
 * @typedef {import('@tapedeck/dev-postgres/process-identity').ProcessIdentity} ProcessIdentity
 * @typedef {{ postgres?: number, sandbox?: number, mail?: number, capture?: number }} Ports
 * @typedef {{ processes: readonly ProcessIdentity[], ports: Ports, url?: string, demo?: boolean, accounts?: boolean }} State
 */

export const dataFolder = () => resolve(root, process.env.DATA_DIR || '.data');

const stateFile = () => join(dataFolder(), 'instance.json');
export const lockFile = () => join(dataFolder(), 'launcher.lock');
export const secretsFile = () => join(dataFolder(), 'secrets.json');

/**
 * The file has its former content or all of the new one, whatever happens meanwhile.
 * @param {string} file @param {string} content @param {number} mode
 */
const writeWhole = async (file, content, mode) => {
  const next = `${file}.${process.pid}`;
  const handle = await open(next, 'w', mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(next, file);
};

const isPort = (/** @type {unknown} */ value) =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) < 65_536;
const isIdentity = (/** @type {any} */ value) =>
  Number.isInteger(value?.pid) && typeof value.started === 'string';

/**
 * What is known of the instance; nothing when the file is missing or was cut off, since all of it can be found out again.
 * @returns {Promise<State>}
 */
export const readState = async () => {
  const text = await readFile(stateFile(), 'utf8').catch(() => '{}');
  /** @type {any} */
  let stored;
  try {
    stored = JSON.parse(text) ?? {};
  } catch {
    stored = {};
  }
  /** @type {Ports} */
  const ports = {};
  if (isPort(stored.ports?.postgres)) ports.postgres = stored.ports.postgres;
  if (isPort(stored.ports?.sandbox)) ports.sandbox = stored.ports.sandbox;
  if (isPort(stored.ports?.capture)) ports.capture = stored.ports.capture;
  if (isPort(stored.ports?.mail)) ports.mail = stored.ports.mail;
  const processes = Array.isArray(stored.processes) ? stored.processes.filter(isIdentity) : [];
  return {
    processes,
    ports,
    demo: stored.demo === true,
    accounts: stored.accounts === true,
    ...(typeof stored.url === 'string' ? { url: stored.url } : {}),
  };
};

/** @param {State} state */
export const writeState = (state) => writeWhole(stateFile(), JSON.stringify(state, null, 2), 0o600);

/** The system users of processes pass through the folder of root to their own, but cannot list it. */
const folderMode = asRoot ? 0o711 : 0o700;

/** Takes from others what they may do with a file or folder. @param {string} path @param {number} mode */
const tighten = async (path, mode) => {
  const info = await stat(path).catch(() => undefined);
  if (info && (info.mode & 0o777 & ~mode) !== 0) await chmod(path, info.mode & mode);
};

/** Not every folder that DATA_DIR names may be changed: it may contain other things. @param {string} folder */
const isOfInstance = async (folder) => {
  const names = await readdir(folder);
  return names.length === 0 || names.includes('.writable') || names.includes('instance.json');
};

const privateFiles = ['secrets.json', 'database-roles.json', 'instance.json', 'launcher.lock', '.writable'];

export const createDataFolder = async () => {
  const folder = dataFolder();
  try {
    await mkdir(folder, { recursive: true, mode: 0o755 });
    if (await isOfInstance(folder)) await tighten(folder, folderMode);
    await mkdir(join(folder, 'logs'), { recursive: true, mode: 0o700 });
    await tighten(join(folder, 'logs'), 0o700);
    for (const name of privateFiles) await tighten(join(folder, name), 0o600);
    await writeWhole(join(folder, '.writable'), '', 0o600);
  } catch (error) {
    throw new Error(
      `The data folder ${folder} cannot be written (${/** @type {Error} */ (error).message}): choose another with DATA_DIR, or make room.`,
      { cause: error },
    );
  }
};

/** @type {Readonly<Record<string, () => string>>} */
const newSecrets = {
  PERSONAL_DATA_KEY: () => randomBytes(32).toString('base64'),
  SESSION_SECRET: () => randomBytes(32).toString('base64url'),
  OIDC_CLIENT_SECRET: () => randomBytes(24).toString('base64url'),
};
/** Those that the environment does not configure. One that it does is neither made nor stored, since it would be another one. */
const ownSecretNames = () => Object.keys(newSecrets).filter((name) => !process.env[name]);

/** @returns {Promise<Record<string, string> | undefined>} undefined when there is no such file */
const storedSecrets = async () => {
  const file = secretsFile();
  const text = await readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Error(`The secrets in ${file} cannot be read: ${error.message}`);
  });
  if (text === undefined) return undefined;
  /** @type {any} */
  let secrets;
  try {
    secrets = JSON.parse(text);
  } catch {
    secrets = undefined;
  }
  const names = ownSecretNames();
  if (names.every((name) => typeof secrets?.[name] === 'string' && secrets[name] !== ''))
    return Object.fromEntries(names.map((name) => [name, secrets[name]]));
  throw new Error(
    `The secrets in ${file} are incomplete: put the file back from its backup, or delete it with all data by npm start -- --fresh.`,
  );
};

/**
 * The secrets of this instance. They are made at the first start; not beside a database that was used with others.
 * @param {() => Promise<boolean>} hasMasterKey
 */
export const readSecrets = async (hasMasterKey) => {
  const stored = await storedSecrets();
  if (stored) return stored;
  const names = ownSecretNames();
  if (names.includes('PERSONAL_DATA_KEY') && (await hasMasterKey())) {
    throw new Error(
      `The secrets of this instance are missing (${secretsFile()}), and only they can read the personal data in its database: put the file back from its backup, or delete all data by npm start -- --fresh.`,
    );
  }
  const secrets = Object.fromEntries(names.map((name) => [name, newSecrets[name]?.() ?? '']));
  await writeWhole(secretsFile(), JSON.stringify(secrets, null, 2), 0o600);
  return secrets;
};

/** Makes this process the only launcher in the data folder. @throws Error when there is another one */
export const claimInstance = async () => {
  const holder = await takeLock(lockFile());
  if (!holder) return;
  const { url } = await readState();
  throw new Error(
    `It is running already, at ${url ?? 'an address that it has not chosen yet'} (process ${holder.pid}).`,
  );
};

/** @param {ProcessIdentity} identity @param {number} withinMs */
const hasEnded = async (identity, withinMs) => {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    if (!(await isRunning(identity))) return true;
    await setTimeout(50);
  }
  return false;
};

/**
 * Ends the processes of an earlier start that still run. Returns how many there were.
 * @param {readonly ProcessIdentity[]} processes
 */
export const endLeftoverProcesses = async (processes) => {
  const running = [];
  for (const identity of processes) if (await isRunning(identity)) running.push(identity);
  for (const { pid } of running) process.kill(pid, 'SIGTERM');
  for (const identity of running)
    if (!(await hasEnded(identity, 11_000))) process.kill(identity.pid, 'SIGKILL');
  return running.length;
};
