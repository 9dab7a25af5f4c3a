// Runs the product in watch mode. A changed module is compiled, the processes that contain it restart,
// and Vite serves the web client with hot reloading.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import {
  captureEnvironment,
  catalogueOfSandbox,
  sandboxEnvironment,
  sandboxPorts,
} from './sandbox-environment.mjs';
import { fail, say, step } from '@tapedeck/prepare/console';
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
import { releaseLock } from './instance-lock.mjs';
import { roleEnvironments, runMigrations } from './instance-roles.mjs';
import { freePort } from '@tapedeck/dev-postgres';
import { root } from '@tapedeck/prepare';
import { buildAll } from '@tapedeck/prepare/build';
import { environmentOf, programOf } from './programs.mjs';
import { createProcessFolder } from './process-folder.mjs';

const webPort = Number(process.env.PORT || 4000);
/** @type {import('node:child_process').ChildProcess[]} */
const children = [];

/** @param {string} name @param {readonly string[]} args @param {NodeJS.ProcessEnv} env */
const watch = (name, args, env) => {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) =>
      process.stdout.write(String(text).replaceAll(/^(?=.)/gm, `${name.padEnd(9)} │ `)),
    );
  }
  children.push(child);
};

/** @param {import('./programs.mjs').ProgramName} name @param {NodeJS.ProcessEnv} known all that it may be given */
const watchProgram = async (name, known) =>
  watch(
    name,
    ['--watch', '--enable-source-maps', programOf(name).compiledFile],
    await environmentOf(name, { ...process.env, ...known }),
  );

const main = async () => {
  await createDataFolder();
  await step('build', buildAll);
  await claimInstance();
  const state = await readState();
  await endLeftoverProcesses(state.processes);
  const databases = await step('database', () =>
    openInstanceDatabases({ dataFolder: dataFolder(), log: say, preferredPort: state.ports.postgres }),
  );
  const ports = { ...state.ports, ...(databases.port === undefined ? {} : { postgres: databases.port }) };
  await writeState({ ...state, ports, processes: [] });
  const apiPort = await freePort(undefined);
  const origin = `http://localhost:${webPort}`;
  const secrets = await readSecrets(databases.hasMasterKey);
  // All stand-ins run, whatever is configured.
  const sandbox = await sandboxPorts({}, state.ports);
  if (!sandbox) throw new Error('The sandbox has no ports.');
  const env = {
    ...secrets,
    PORT: String(apiPort),
    PUBLIC_ORIGIN: origin,
    PICTURE_FOLDER: await createProcessFolder(dataFolder(), 'pictures', {}),
    ...captureEnvironment(secrets, await freePort(state.ports.capture)),
    ...(await sandboxEnvironment({
      configured: {},
      secrets,
      ports: sandbox,
      apiPort,
      host: '127.0.0.1',
      origins: [origin, `http://127.0.0.1:${webPort}`],
    })),
  };
  const roles = await roleEnvironments(databases, dataFolder());
  const { api, projector } = roles;
  await step('migrations', () => runMigrations(roles.migration));
  const tsc = join('node_modules', '@typescript', 'native', 'bin', 'tsc');
  const sandboxFolder = await createProcessFolder(dataFolder(), 'sandbox', {});
  watch('types', [tsc, '-b', '--watch', '--preserveWatchOutput'], process.env);
  await watchProgram('sandbox', {
    ...env,
    SANDBOX_CATALOGUE_URL: catalogueOfSandbox(roles),
    DATA_DIR: sandboxFolder,
  });
  await watchProgram('capture', env);
  await watchProgram('projector', { ...env, ...projector });
  await watchProgram('api', { ...env, ...api });
  watch(
    'web',
    [join('node_modules', 'vite', 'bin', 'vite.js'), 'apps/web', '--port', String(webPort), '--strictPort'],
    { ...process.env, API_ORIGIN: `http://127.0.0.1:${apiPort}` },
  );
  const stop = async () => {
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(
      children.map(
        (child) =>
          new Promise((resolve) =>
            child.exitCode === null ? child.once('exit', resolve) : resolve(undefined),
          ),
      ),
    );
    await databases.close();
    await releaseLock(lockFile());
    process.exit(0);
  };
  process.once('SIGINT', () => void stop());
  process.once('SIGTERM', () => void stop());
  say(`\n${origin} (the API: http://127.0.0.1:${apiPort})`);
};

main().catch(fail);
