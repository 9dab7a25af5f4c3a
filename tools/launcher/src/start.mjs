// Builds and runs the product. Ctrl-C stops all its processes.
import { readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSupervisor } from './children.mjs';
import { fail, say, seconds, step } from '@tapedeck/prepare/console';
import { makeDemoAccounts } from './demo-accounts.mjs';
import {
  claimInstance,
  createDataFolder,
  dataFolder,
  endLeftoverProcesses,
  lockFile,
  readSecrets,
  readState,
  writeState,
} from './instance.mjs';
import { openInstanceDatabases } from './instance-database.mjs';
import { holdsLock, releaseLock } from './instance-lock.mjs';
import { roleEnvironments, withoutAdministrator } from './instance-roles.mjs';
import { deletePostgres, freePort } from '@tapedeck/dev-postgres';
import { root } from '@tapedeck/prepare';
import { buildProduct } from '@tapedeck/prepare/build';
import { assertPortIsAllowed, environmentOf, processUsers, programOf } from './programs.mjs';
import { createProcessFolder, deleteProcessFolders } from './process-folder.mjs';
import {
  captureEnvironment,
  catalogueOfSandbox,
  hasDemoAccounts,
  sandboxEnvironment,
  sandboxPorts,
} from './sandbox-environment.mjs';

const { values: options } = parseArgs({
  options: { fresh: { type: 'boolean' }, 'no-demo': { type: 'boolean' } },
});
const port = Number(process.env.PORT || 4000);
const host = process.env.HOST || '127.0.0.1';
if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  fail(`PORT is "${process.env.PORT}": choose a number from 1 to 65535.`);
}

let stopping = false;
/** @type {import('./instance.mjs').State | undefined} undefined until this process is the launcher of the data folder */
let state;
/** @type {import('./instance-database.mjs').InstanceDatabases | undefined} */
let databases;
/** @type {import('./programs.mjs').Users | undefined} */
let users;
/** @type {Promise<unknown>} */
let opening = Promise.resolve();

const supervisor = createSupervisor({
  logFolder: join(dataFolder(), 'logs'),
  say,
  onFailure: (reason) => void stop(1, reason),
  onProcesses: (processes) => void storeState({ processes }),
});

/** One write after the other, each with all that is known. */
let storing = Promise.resolve();
/** @param {Partial<import('./instance.mjs').State>} changes */
const storeState = (changes) => {
  if (!state) return storing;
  state = { ...state, ...changes };
  storing = storing
    .then(() => (state ? writeState(state) : undefined))
    .catch((error) => say(`  · the state of the instance could not be written: ${error.message}`));
  return storing;
};

const stopAll = async () => {
  await supervisor.stop();
  await opening.catch(() => {});
  const isLast = await databases?.close();
  if (isLast === false) say('  · another program still uses the database: it stops with that one');
  await storeState({ processes: [] });
  await releaseLock(lockFile());
};

/** @param {number} code @param {string} [reason] */
const stop = async (code, reason) => {
  if (stopping) return;
  stopping = true;
  if (reason) process.stderr.write(`\n✗ ${reason}\n`);
  else say('\nStopping …');
  await stopAll().catch((error) => process.stderr.write(`${error.message}\n`));
  process.exit(code);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(0));
// The program that has started it with a channel has ended.
process.once('disconnect', () => void stop(0));
// It runs on, and stops in order, when nobody reads its output any more.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

/** The environment variables that have a value. */
const configured = withoutAdministrator(
  Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== '')),
);

/** Threads of V8's garbage collector: on two cores its usual four would take time from the main threads. */
const gcThreads = Math.min(4, Math.max(1, availableParallelism() - 1));
// Responses live briefly: in a larger young generation fewer of them survive until a long collection.
const nodeOptions = ['--enable-source-maps', '--max-semi-space-size=64', `--v8-pool-size=${gcThreads}`];

/**
 * Starts one process of the product and waits until it reports that it is ready.
 * @param {import('./programs.mjs').ProgramName} name
 * @param {NodeJS.ProcessEnv} known all that it may be given
 * @param {Partial<import('./children.mjs').Program>} [options]
 */
const startChild = async (name, known, options) => {
  const { file, role } = programOf(name);
  const owner = users?.[role] ?? {};
  const env = await environmentOf(name, known, owner);
  return supervisor.start({ name, file: join(root, file), env, owner, nodeOptions, ...options });
};

/** Throws when another program listens on the port. @param {number} wantedPort */
const assertPortIsFree = (wantedPort) =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (/** @type {NodeJS.ErrnoException} */ { code, message }) =>
      reject(
        new Error(
          code === 'EADDRINUSE'
            ? `Port ${wantedPort} is taken by another program: choose another with PORT=${wantedPort + 1} npm start.`
            : code === 'EACCES'
              ? `Port ${wantedPort} may only be used by an administrator: choose one above 1023 with PORT.`
              : code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
                ? `HOST is "${host}", which is not an address of this machine: choose another, or leave it out.`
                : `The address ${host}:${wantedPort} cannot be used: ${message}.`,
        ),
      ),
    );
    probe.listen(wantedPort, host, () => probe.close(() => resolve(undefined)));
  });

/** Throws when it is not the origin of a web site. @param {string} origin */
const assertOrigin = (origin) => {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.origin === origin.replace(/\/+$/, '')) return;
  throw new Error(
    `PUBLIC_ORIGIN is "${origin}": it must be an address such as https://tapedeck.example, without a path.`,
  );
};

const claimDataFolder = async () => {
  await claimInstance();
  state = await readState();
  const left = await endLeftoverProcesses(state.processes);
  if (left > 0) say(`  · ended ${left} processes of an earlier start`);
};

/** The number of demo strategies for an empty tape (docs/product-decisions.md#demo-catalogue). @param {boolean} embedded */
const demoCount = (embedded) =>
  options['no-demo'] ? 0 : Number(configured.DEMO_CATALOGUE ?? (embedded ? 4_500 : 0));

/**
 * The environment of every process, without databases: configured variables override what an instance sets itself.
 * @param {string} origin
 * @param {import('./sandbox-environment.mjs').SandboxPorts | undefined} ports
 * @param {() => Promise<boolean>} hasMasterKey
 */
const environment = async (origin, ports, hasMasterKey) => {
  const origins = [...new Set([origin, `http://localhost:${port}`, `http://127.0.0.1:${port}`])];
  const secrets = await readSecrets(hasMasterKey);
  return {
    ...secrets,
    ...(ports ? await sandboxEnvironment({ configured, secrets, ports, apiPort: port, host, origins }) : {}),
    PORT: String(port),
    HOST: host,
    PUBLIC_ORIGIN: origin,
    PICTURE_FOLDER: await createProcessFolder(dataFolder(), 'pictures', users?.api ?? {}),
    ...configured,
    DATA_DIR: dataFolder(),
  };
};

/** Deletes everything in the data folder but the lock of this process. */
const deleteData = async () => {
  await deletePostgres(join(dataFolder(), 'postgres'));
  await deleteProcessFolders(dataFolder());
  for (const name of await readdir(dataFolder())) {
    const path = join(dataFolder(), name);
    if (path !== lockFile()) await rm(path, { recursive: true, force: true });
  }
  await createDataFolder();
  state = await readState();
};

/** @param {NodeJS.ProcessEnv} env @param {import('./instance-roles.mjs').RoleEnvironments} roles */
const startSandbox = async (env, roles) =>
  startChild('sandbox', {
    ...env,
    SANDBOX_CATALOGUE_URL: catalogueOfSandbox(roles),
    DATA_DIR: await createProcessFolder(dataFolder(), 'sandbox', users?.sandbox ?? {}),
  });

/**
 * How the API finds the capture process of this instance; undefined where another one is configured, and without a charting
 * site.
 * @param {NodeJS.ProcessEnv} env
 */
const captureOf = async (env) => {
  if (!env.CHART_ORIGIN || configured.CAPTURE_URL !== undefined) return undefined;
  const capturePort = await freePort(state?.ports.capture);
  await storeState({ ports: { ...state?.ports, capture: capturePort } });
  return captureEnvironment(env, capturePort);
};

/**
 * Starts the projector and the API; the API after the demo catalogue, if that has to be filled.
 * @param {NodeJS.ProcessEnv} env
 * @param {import('./instance-roles.mjs').RoleEnvironments} roles
 * @param {number} demo the number of strategies
 */
const startProcesses = async (env, roles, demo) => {
  const startApi = () => step('api', () => startChild('api', { ...env, ...roles.api }));
  const forProjector = { ...env, ...roles.projector };
  await Promise.all([
    // The API may have a configured metrics port; the projector takes a free one.
    step('projector', () => startChild('projector', { ...forProjector, METRICS_PORT: '0' })),
    demo === 0 && startApi(),
  ]);
  if (demo === 0) return;
  const forDemo = { ...forProjector, DEMO_CATALOGUE: String(demo) };
  await step('demo catalogue', (progress) =>
    startChild('demo', forDemo, {
      isTask: true,
      onMessage: ({ done, total }) => progress(done, total),
    }),
  );
  await startApi();
};

const openDatabases = async () => {
  const openingNow = openInstanceDatabases({
    dataFolder: dataFolder(),
    log: (line) => say(`  · ${line}`),
    preferredPort: state?.ports.postgres,
  });
  opening = openingNow;
  const opened = await openingNow;
  databases = opened;
  if (opened.port !== undefined) await storeState({ ports: { ...state?.ports, postgres: opened.port } });
  return opened;
};

/** @param {import('./instance-roles.mjs').RoleEnvironments} roles */
const migrateDatabases = async ({ migration }) => {
  if (!migration) return;
  const env = { ...configured, ...migration };
  await step('migrations', () => startChild('migrate', env, { isTask: true }));
};

/** With these delays it has five minutes, for example until its disk has space again. */
const maxDatabaseFailures = 20;
const maxRestartDelayMs = 15_000;
const stableMs = 60_000;

/**
 * Starts the embedded server again when it ends by itself.
 * @param {import('./instance-database.mjs').InstanceDatabases} first
 */
const keepDatabases = async (first) => {
  let failures = 0;
  const tooManyFailures = () => failures >= maxDatabaseFailures;
  let lastError = `see ${join(dataFolder(), 'postgres', 'postgres.log')}`;
  for (;;) {
    const openedAt = performance.now();
    await databases?.lost;
    failures = performance.now() - openedAt > stableMs ? 1 : failures + 1;
    if (!stopping) say('  · the connection to the database was lost: starting it again');
    for (databases = undefined; !databases && !stopping;) {
      // The first failure is often the only one.
      if (failures > 1) await setTimeout(Math.min(500 * 2 ** failures, maxRestartDelayMs));
      try {
        databases = await openDatabases();
      } catch (error) {
        lastError = /** @type {Error} */ (error).message;
        failures++;
      }
      if (!databases && tooManyFailures())
        return stop(1, `The database ended ${failures} times in a row. The last time: ${lastError}`);
    }
    if (stopping) return;
    if (databases?.port !== first.port)
      return stop(1, `Port ${first.port} of the database is taken by another program: start again.`);
    if (tooManyFailures()) return stop(1, `The database ended ${failures} times in a row: ${lastError}.`);
    say('  · the database runs again');
  }
};

const main = async () => {
  await createDataFolder();
  await claimDataFolder();
  if (options.fresh) await step('delete data', deleteData);
  const origin = configured.PUBLIC_ORIGIN ?? `http://localhost:${port}`;
  assertOrigin(origin);
  await assertPortIsFree(port);
  // Both at once: the database needs no build.
  const [opened] = await Promise.all([step('database', openDatabases), step('build', buildProduct)]);
  users = await processUsers((line) => say(`  · ${line}`));
  await assertPortIsAllowed(port, users);
  if (!(await holdsLock(lockFile()))) return stop(1, 'Another start in the same data folder was quicker.');
  void keepDatabases(opened).catch((error) => stop(1, error.message));
  const ports = await sandboxPorts(configured, state?.ports ?? {});
  if (ports) await storeState({ ports: { ...state?.ports, ...ports } });
  const known = await environment(origin, ports, opened.hasMasterKey);
  const capture = await captureOf(known);
  const env = { ...known, ...capture };
  // Each process has a role of its own, which cannot migrate.
  const roles = await roleEnvironments(opened, dataFolder());
  await Promise.all([
    migrateDatabases(roles),
    // The others take their time from its clock.
    ports && step('sandbox', () => startSandbox(env, roles)),
    capture && step('capture', () => startChild('capture', { ...env, METRICS_PORT: '0' })),
  ]);
  const demo = state?.demo ? 0 : demoCount(opened.embedded);
  await startProcesses(env, roles, demo);
  await storeState({ url: origin, demo: state?.demo === true || (demo > 0 && opened.embedded) });
  if (!state?.accounts && configured.DEMO_ACCOUNTS !== 'no' && hasDemoAccounts(configured)) {
    const owner = users?.projector ?? {};
    const program = { ...owner, env: await environmentOf('role', { ...env, ...roles.projector }, owner) };
    await step('demo accounts', () => makeDemoAccounts(`http://localhost:${port}`, program));
    await storeState({ accounts: true });
  }
  // Since this process began, with the installation of packages.
  say(`\nReady in ${seconds(performance.now())}: ${origin}`);
};

process.on(
  'unhandledRejection',
  (error) => void stop(1, error instanceof Error ? error.message : String(error)),
);
main().catch((error) => stop(1, error.message));
