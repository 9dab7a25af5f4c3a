// `npm run bench`: Tapedeck beside others, on a PostgreSQL of its own that is gone afterwards.
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, step } from './console.mjs';
import { startPostgres } from './postgres.mjs';
import { build, installDependencies, root } from './prepare.mjs';

/** @type {import('node:child_process').ChildProcess | undefined} */
let child;
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    interrupted = true;
    child?.kill('SIGTERM');
  });
}

/** @param {import('./postgres.mjs').Server} server @returns {Promise<number>} */
const runBenchmark = (server) =>
  new Promise((resolve, reject) => {
    if (interrupted) return resolve(1);
    child = spawn(process.execPath, [join(root, 'bench/dist/main.js'), ...process.argv.slice(2)], {
      stdio: 'inherit',
      env: { ...process.env, BENCH_POSTGRES_URL: server.url('postgres') },
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });

const main = async () => {
  await step('dependencies', installDependencies);
  await step('build', build);
  const folder = join(tmpdir(), `tapedeck-bench-${process.pid}`);
  const settings = { fsync: 'on', synchronous_commit: 'on' };
  const server = await step('database', () => startPostgres({ folder, settings }));
  try {
    return await runBenchmark(server);
  } finally {
    await server.stop();
    await rm(server.folder, { recursive: true, force: true });
  }
};

process.exit(await main().catch(fail));
