// The programs of the product that a launcher runs: what each may know, and as whom it runs.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '@tapedeck/prepare';
import { bundleOf, compiledPrograms } from '@tapedeck/prepare/programs';
import { asRoot, systemUser } from '@tapedeck/dev-postgres/system-user';

/** @typedef {import('@tapedeck/dev-postgres/system-user').Owner} Owner */
/** @typedef {'api' | 'projector' | 'sandbox' | 'migrate' | 'capture'} Role */
/** @typedef {Readonly<Record<Role, Owner>>} Users */

/** @typedef {import('@tapedeck/prepare/programs').ProgramName} ProgramName */

/** @type {Readonly<Record<ProgramName, { role: Role, variables?: readonly string[] }>>} */
const programs = {
  api: { role: 'api' },
  projector: { role: 'projector' },
  demo: { role: 'projector', variables: ['DEMO_CATALOGUE'] },
  role: { role: 'projector' },
  migrate: { role: 'migrate' },
  sandbox: { role: 'sandbox' },
  capture: { role: 'capture' },
};

/** @param {ProgramName} name @returns the role in which it runs, its bundle, and its main file as it was compiled */
export const programOf = (name) => ({
  ...programs[name],
  file: bundleOf(name),
  compiledFile: compiledPrograms[name],
});

// Of the system. DATA_DIR shows which instance a process belongs to.
const systemVariables = [
  'PATH HOME TZ LANG LC_ALL LC_CTYPE TMPDIR DATA_DIR',
  'NODE_ENV NODE_OPTIONS UV_THREADPOOL_SIZE',
  'SYSTEMROOT WINDIR TEMP TMP',
].flatMap((names) => names.split(' '));
/** For servers elsewhere: databases, the OpenID provider, Elasticsearch. */
const networkVariables = [
  'NODE_EXTRA_CA_CERTS SSL_CERT_DIR SSL_CERT_FILE',
  'NODE_USE_ENV_PROXY HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY',
  'PGPASSFILE PGPASSWORD PGSSLCERT PGSSLKEY PGSSLMODE PGSSLROOTCERT',
].flatMap((names) => names.split(' '));

/** The names that the schemas of configuration contain, of the build. @param {Role} role @returns {Promise<readonly string[]>} */
const configuredVariables = async (role) => {
  if (role === 'sandbox') {
    const file = new URL('../../../apps/sandbox/dist/environment.js', import.meta.url);
    return (await import(file.href)).sandboxVariables;
  }
  const file = new URL('../../../libs/composition/dist/config.js', import.meta.url);
  return (await import(file.href)).variablesOf[role];
};

/**
 * What a program needs of the environment, and nothing else.
 * @param {ProgramName} name @param {NodeJS.ProcessEnv} env @param {Owner} [owner]
 */
export const environmentOf = async (name, env, owner = {}) => {
  const { role, variables = [] } = programOf(name);
  const network = role === 'sandbox' || role === 'capture' ? [] : networkVariables;
  const needed = new Set([
    ...systemVariables,
    ...network,
    ...variables,
    ...(await configuredVariables(role)),
  ]);
  const known = Object.entries(env).filter(([variable]) => needed.has(variable.toUpperCase()));
  return { ...Object.fromEntries(known), ...(owner.uid === undefined ? {} : { HOME: '/nonexistent' }) };
};

const codeFiles = [
  'package.json',
  'node_modules',
  'scripts',
  'scripts/start.mjs',
  'apps/web/dist/site/index.html',
];

/** Ends with 3 when a file cannot be read, with 4 when one can be written. */
const probe = `const { accessSync, constants } = require('node:fs');
const can = (file, mode) => { try { accessSync(file, mode); return true; } catch { return false; } };
const files = process.argv.slice(1);
process.exitCode = !files.every((file) => can(file, constants.R_OK)) ? 3 : files.some((file) => can(file, constants.W_OK)) ? 4 : 0;`;

/** @param {Owner} owner @param {readonly string[]} files @returns {Promise<number | null>} */
const probeAs = (owner, files) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['-e', probe, ...files], {
      ...owner,
      cwd: '/',
      env: {},
      stdio: 'ignore',
    });
    child.once('error', () => resolve(null));
    child.once('exit', resolve);
  });

/**
 * The users of the processes: of the launcher's own unless that is root. Then each has a system user of its own, so that
 * none can read what another was given.
 * @param {(line: string) => void} log
 * @param {string} [folder] of the code
 * @returns {Promise<Users>}
 */
export const processUsers = async (log, folder = root) => {
  const own = { api: {}, projector: {}, sandbox: {}, migrate: {}, capture: {} };
  if (!asRoot) return own;
  /** @type {Users} */
  let users;
  try {
    // One after the other: each changes the same file of the system.
    users = {
      api: await systemUser('tapedeck-api'),
      projector: await systemUser('tapedeck-projector'),
      sandbox: await systemUser('tapedeck-sandbox'),
      migrate: await systemUser('tapedeck-migrate'),
      capture: await systemUser('tapedeck-capture'),
    };
  } catch {
    log('The processes run as root: this system has no user for them.');
    return own;
  }
  if (users.api.uid === users.projector.uid)
    log(
      'The processes share one user, and can read what another was given: create tapedeck-api and the others.',
    );
  const files = [
    ...codeFiles,
    ...Object.keys(compiledPrograms).map((name) => bundleOf(/** @type {ProgramName} */ (name))),
  ];
  const status = await probeAs(users.api, [folder, ...files.map((file) => join(folder, file))]);
  if (status === 4) log(`Every user can change the code that root runs: chmod -R o-w ${folder}.`);
  if (status === 0 || status === 4) return users;
  log(
    `The processes run as root: an ordinary user cannot read the code in ${folder}, or not run ${process.execPath}.`,
  );
  return own;
};

/** The ports below it are for root only. */
const firstPort = async () =>
  Number(await readFile('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8').catch(() => '1024'));

/**
 * Throws when the API may not listen on the port, although root may.
 * @param {number} port @param {Pick<Users, 'api'>} users @param {number} [first] port that everybody may use
 */
export const assertPortIsAllowed = async (port, { api }, first) => {
  if (api.uid === undefined || port >= (first ?? (await firstPort()))) return;
  throw new Error(
    `Port ${port} may only be used by root, as which the API does not run: choose one above 1023 with PORT, behind a proxy.`,
  );
};
