// The roles of the embedded databases: the launcher's programs migrate as administrator, and every process of the product
// gets the address of its own role.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '@tapedeck/prepare';

/** @typedef {{ DATABASE_URL: string, CATALOGUE_DATABASE_URL: string }} Urls */
/** @typedef {{ API_DATABASE_PASSWORD: string, PROJECTOR_DATABASE_PASSWORD: string, CONSOLE_DATABASE_PASSWORD: string }} Passwords */
/** @typedef {{ CONSOLE_READ_DATABASE_URL?: string, CONSOLE_WRITE_DATABASE_URL?: string }} ConsoleUrls */
/** @typedef {{ api: Urls & ConsoleUrls, projector: Urls, migration?: Record<string, string> }} RoleEnvironments */

const migrateProgram = 'apps/projector/dist/migrate.js';

const passwordNames = /** @type {const} */ ([
  'API_DATABASE_PASSWORD',
  'PROJECTOR_DATABASE_PASSWORD',
  'CONSOLE_DATABASE_PASSWORD',
]);

/** @param {string} file @returns {Promise<Passwords | undefined>} undefined unless the file is whole */
const storedPasswords = async (file) => {
  try {
    const stored = JSON.parse(await readFile(file, 'utf8'));
    const passwords = Object.fromEntries(passwordNames.map((name) => [name, stored[name]]));
    const areWhole = passwordNames.every((name) => /^[\w-]{32}$/.test(stored[name]));
    return areWhole ? /** @type {Passwords} */ (passwords) : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Made at the first start, and again when the file is lost: the administrator can set them at any time.
 * @param {string} dataFolder
 * @returns {Promise<Passwords>}
 */
const readPasswords = async (dataFolder) => {
  const file = join(dataFolder, 'database-roles.json');
  const stored = await storedPasswords(file);
  if (stored) return stored;
  const newPassword = () => randomBytes(24).toString('base64url');
  const passwords = /** @type {Passwords} */ (
    Object.fromEntries(passwordNames.map((name) => [name, newPassword()]))
  );
  const next = `${file}.${process.pid}`;
  await rm(next, { force: true });
  const handle = await open(next, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(passwords, null, 2));
    await handle.sync();
  } finally {
    await handle.close();
  }
  // Another program may have been quicker; a file that was cut off is replaced.
  const isFirst = await link(next, file).then(
    () => true,
    () => false,
  );
  if (isFirst) await rm(next, { force: true });
  else {
    const other = await storedPasswords(file);
    if (other) {
      await rm(next, { force: true });
      return other;
    }
    await rename(next, file);
  }
  return passwords;
};

/** @param {string} url @param {string} user @param {string} password */
const withUser = (url, user, password) => {
  const changed = new URL(url);
  changed.username = user;
  changed.password = password;
  return changed.href;
};

/**
 * What each process gets to know of the databases. Configured ones have one role for all.
 * @param {{ embedded: boolean, urls: Urls }} databases
 * @param {string} dataFolder
 * @returns {Promise<RoleEnvironments>}
 */
export const roleEnvironments = async ({ embedded, urls }, dataFolder) => {
  if (!embedded) return { api: urls, projector: urls };
  const passwords = await readPasswords(dataFolder);
  const as = (/** @type {string} */ user, /** @type {string} */ password) => ({
    DATABASE_URL: withUser(urls.DATABASE_URL, user, password),
    CATALOGUE_DATABASE_URL: withUser(urls.CATALOGUE_DATABASE_URL, user, password),
  });
  const ofConsole = (/** @type {string} */ user) =>
    withUser(urls.CATALOGUE_DATABASE_URL, user, passwords.CONSOLE_DATABASE_PASSWORD);
  return {
    api: {
      ...as('tapedeck_api', passwords.API_DATABASE_PASSWORD),
      CONSOLE_READ_DATABASE_URL: ofConsole('tapedeck_console_ro'),
      CONSOLE_WRITE_DATABASE_URL: ofConsole('tapedeck_console_rw'),
    },
    projector: as('tapedeck_projector', passwords.PROJECTOR_DATABASE_PASSWORD),
    migration: {
      ...passwords,
      MIGRATION_DATABASE_URL: urls.DATABASE_URL,
      MIGRATION_CATALOGUE_DATABASE_URL: urls.CATALOGUE_DATABASE_URL,
      DATABASE_ROLE_PREFIX: 'tapedeck',
      MIGRATION_OWNS_SERVER: 'yes',
    },
  };
};

const administrative = [
  'MIGRATION_DATABASE_URL',
  'MIGRATION_CATALOGUE_DATABASE_URL',
  'API_DATABASE_PASSWORD',
  'PROJECTOR_DATABASE_PASSWORD',
  'CONSOLE_DATABASE_PASSWORD',
];

/** What a process of the product may know. @param {NodeJS.ProcessEnv} env */
export const withoutAdministrator = (env) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !administrative.includes(name)));

/**
 * Runs the migrations outside a launcher. Throws its sentence when they fail.
 * @param {Record<string, string> | undefined} migration
 */
export const runMigrations = async (migration) => {
  if (!migration) return;
  const child = spawn(process.execPath, ['--enable-source-maps', join(root, migrateProgram)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...migration },
  });
  let errors = '';
  child.stderr.on('data', (bytes) => (errors += bytes));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`The databases could not be migrated: ${errors.trim()}`);
};
