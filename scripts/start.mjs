// `npm start`: installs, builds and runs the product. Ctrl-C stops all its processes.
import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, say, seconds, step } from './console.mjs';
import {
  dataFolder,
  endLeftoverProcesses,
  createDataFolder,
  openInstanceDatabases,
  readSecrets,
  readState,
  refuseWhileRunning,
  writeState,
} from './instance.mjs';
import { freePort, startPostgres } from './postgres.mjs';
import { build, installDependencies, root } from './prepare.mjs';

const startedAt = performance.now();
const { values: options } = parseArgs({
  options: { fresh: { type: 'boolean' }, 'no-demo': { type: 'boolean' } },
});
const port = Number(process.env.PORT || 4000);
const host = process.env.HOST || '127.0.0.1';
if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  fail(`PORT is "${process.env.PORT}": choose a number from 1 to 65535.`);
}

/** @type {import('node:child_process').ChildProcess[]} */
const children = [];
/** @type {(() => Promise<void>) | undefined} */
let stopDatabases;
let stopping = false;
/** Whether this process may write the state of the data folder: no other instance runs there. */
let ownsDataFolder = false;

/** @param {import('node:child_process').ChildProcess} child */
const exitOf = (child) =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(undefined);
    else child.once('exit', resolve);
  });

const stopAll = async () => {
  for (const child of children) child.kill('SIGTERM');
  const kill = setTimeout(() => children.forEach((child) => child.kill('SIGKILL')), 10_500);
  await Promise.all(children.map(exitOf));
  clearTimeout(kill);
  await stopDatabases?.();
  if (!ownsDataFolder) return;
  const { ports, demo } = await readState();
  await writeState({ pids: [], ports, ...(demo ? { demo } : {}) });
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

/** The environment variables that have a value. */
const configured = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));

/** Threads of V8's garbage collector: on two cores its usual four would take time from the main threads. */
const gcThreads = Math.min(4, Math.max(1, availableParallelism() - 1));
// Responses live briefly: in a larger young generation fewer of them survive until a long collection.
const nodeOptions = ['--enable-source-maps', '--max-semi-space-size=64', `--v8-pool-size=${gcThreads}`];

/**
 * Starts one process of the product and waits until it reports that it is ready.
 * It has its own process group, so that on Ctrl-C this process decides the order in which they stop.
 * @param {string} name
 * @param {string} file
 * @param {NodeJS.ProcessEnv} env
 * @param {(message: any) => void} [onMessage]
 * @returns {Promise<any>}
 */
const startChild = (name, file, env, onMessage) =>
  new Promise((resolve, reject) => {
    const logFile = join(dataFolder(), 'logs', `${name}.log`);
    const log = openSync(logFile, 'a');
    const child = spawn(process.execPath, [...nodeOptions, join(root, file)], {
      cwd: root,
      env,
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
    });
    children.push(child);
    let failure = '';
    child.on('message', (/** @type {any} */ message) => {
      if (message.type === 'ready') resolve(message);
      else if (message.type === 'failed') failure = message.message;
      else onMessage?.(message);
    });
    child.once('exit', (code) => {
      const reason =
        failure || `The ${name} ended unexpectedly (${code ?? child.signalCode}): see ${logFile}.`;
      reject(new Error(reason));
      if (code !== 0 || name !== 'demo') void stop(1, reason);
    });
  });

/** @param {import('./instance.mjs').State} state */
const storeState = async (state) => {
  state.launcher = process.pid;
  state.pids = children.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  await writeState(state);
};

/** Throws when another program listens on the port. @param {number} wantedPort */
const assertPortIsFree = (wantedPort) =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', () =>
      reject(
        new Error(
          `Port ${wantedPort} is taken by another program: choose another with PORT=${wantedPort + 1} npm start.`,
        ),
      ),
    );
    probe.listen(wantedPort, host, () => probe.close(() => resolve(undefined)));
  });

const claimDataFolder = async () => {
  const state = await readState();
  await refuseWhileRunning(state);
  const left = await endLeftoverProcesses(state.pids);
  if (left > 0) say(`  · ended ${left} processes of an earlier start`);
  state.pids = [];
  return state;
};

const deleteData = async () => {
  const server = await startPostgres({ folder: join(dataFolder(), 'postgres') }).catch(() => undefined);
  await server?.stop();
  if (server) await rm(server.folder, { recursive: true, force: true });
  await rm(dataFolder(), { recursive: true, force: true });
};

const personas = ['Free', 'Pro', 'Elite', 'Admin', 'Support'];
/** @param {string} persona */
const emailOf = (persona) => `${persona.toLowerCase()}@tapedeck.example`;

/** The number of demo strategies for an empty tape (D22). @param {boolean} embedded */
const demoCount = (embedded) =>
  options['no-demo'] ? 0 : Number(configured.DEMO_CATALOGUE ?? (embedded ? 4_500 : 0));

/**
 * The environment of every process: configured variables override what an instance sets itself.
 * @param {Record<string, string>} urls
 * @param {string} origin
 * @param {number | undefined} sandboxPort
 */
const environment = async (urls, origin, sandboxPort) => {
  const sandbox = `http://127.0.0.1:${sandboxPort}`;
  const origins = new Set([origin, `http://localhost:${port}`, `http://127.0.0.1:${port}`]);
  const signIn = {
    OIDC_ISSUER: sandbox,
    OIDC_ISSUER_NAME: 'sandbox',
    OIDC_CLIENT_ID: 'tapedeck',
    CHART_IMAGE_ORIGIN: `${sandbox}/charts`,
    SIGN_IN_HINTS: personas.map((name) => `${name}=${emailOf(name)}`).join(','),
    EXPORT_ACCOUNTS: ['Pro', 'Elite'].map(emailOf).join(','),
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_REDIRECT_ORIGINS: [...origins].join(','),
  };
  return {
    ...(await readSecrets()),
    ...(sandboxPort === undefined ? {} : signIn),
    PORT: String(port),
    HOST: host,
    PUBLIC_ORIGIN: origin,
    ...urls,
    ...configured,
    DATA_DIR: dataFolder(),
  };
};

/** Deletes all data of the instance. @param {import('./instance.mjs').State} state */
const resetInstance = async (state) => {
  await step('delete data', deleteData);
  await createDataFolder();
  state.ports = {};
  state.demo = false;
};

/**
 * Starts the sandbox, the projector and the API; the API after the demo catalogue, if that has to be filled.
 * @param {NodeJS.ProcessEnv} env
 * @param {{ sandbox: boolean, demo: number }} wanted
 */
const startProcesses = async (env, wanted) => {
  const startApi = () => step('api', () => startChild('api', 'apps/api/dist/main.js', env));
  await Promise.all([
    wanted.sandbox && step('sandbox', () => startChild('sandbox', 'libs/sandbox/dist/main.js', env)),
    // The API may have a configured metrics port; the projector takes a free one.
    step('projector', () =>
      startChild('projector', 'apps/projector/dist/main.js', { ...env, METRICS_PORT: '0' }),
    ),
    wanted.demo === 0 && startApi(),
  ]);
  if (wanted.demo === 0) return;
  const demo = { ...env, DEMO_CATALOGUE: String(wanted.demo) };
  await step('demo catalogue', (progress) =>
    startChild('demo', 'apps/projector/dist/fill-demo.js', demo, ({ done, total }) => progress(done, total)),
  );
  await startApi();
};

const main = async () => {
  say('Tapedeck');
  await createDataFolder();
  const state = await claimDataFolder();
  ownsDataFolder = true;
  if (options.fresh) await resetInstance(state);
  await assertPortIsFree(port);
  await step('dependencies', installDependencies);
  await step('build', build);
  const databases = await step('database', () => openInstanceDatabases(state, (line) => say(`  · ${line}`)));
  stopDatabases = databases.stop;
  const sandboxPort = configured.OIDC_ISSUER ? undefined : await freePort(state.ports.sandbox);
  if (sandboxPort !== undefined) state.ports.sandbox = sandboxPort;
  const origin = configured.PUBLIC_ORIGIN ?? `http://localhost:${port}`;
  const env = await environment(databases.urls, origin, sandboxPort);
  const demo = state.demo ? 0 : demoCount(databases.embedded);
  const started = startProcesses(env, { sandbox: sandboxPort !== undefined, demo });
  await storeState(state);
  await started;
  state.url = origin;
  state.demo ||= demo > 0 && databases.embedded;
  await storeState(state);
  say(`\nReady in ${seconds(performance.now() - startedAt)}: ${origin}`);
};

process.on(
  'unhandledRejection',
  (error) => void stop(1, error instanceof Error ? error.message : String(error)),
);
main().catch((error) => stop(1, error.message));
