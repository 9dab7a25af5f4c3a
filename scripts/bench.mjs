// `npm run bench`: compares Tapedeck with other products, on servers that are started for it and removed afterwards.
// `npm run bench:ui`: counts frames and requests while a slider is dragged in a real browser, and measures how pages load.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from '../tools/prepare/src/build.mjs';
import { fail, say, step } from '../tools/prepare/src/console.mjs';
import { installAll, missingPackages } from '../tools/prepare/src/packages.mjs';
import { root, runProgram } from '../tools/prepare/src/run-program.mjs';

await step('dependencies', installAll).catch(fail);
const { findChromium } = await import('@tapedeck/test-runner/chromium');
const { missingPrograms, startElasticsearch, stopElasticsearch } =
  await import('@tapedeck/dev-services/elasticsearch');
const { startPostgres } = await import('@tapedeck/dev-postgres');

/** Enough for a million small documents and nine concurrent searches. */
const elasticsearchHeap = '-Xms1g -Xmx1g';

const measuresBrowser = process.argv[2] === '--ui';
const args = process.argv.slice(measuresBrowser ? 3 : 2);

/** @type {(() => Promise<unknown>)[]} */
const cleanups = [];

/** @type {import('node:child_process').ChildProcess | undefined} */
let benchmark;
let interrupted = false;
// Ctrl-C ends the benchmark; this process then cleans up and exits.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    interrupted = true;
    benchmark?.kill('SIGTERM');
  });
}

/** @param {string} program @param {NodeJS.ProcessEnv} env @returns {Promise<number>} its exit status */
const runBenchmark = (program, env) =>
  new Promise((resolve, reject) => {
    if (interrupted) return resolve(1);
    benchmark = spawn(process.execPath, [join(root, program), ...args], {
      stdio: 'inherit',
      env: { ...process.env, ...env },
    });
    benchmark.once('error', reject);
    benchmark.once('exit', (code) => resolve(code ?? 1));
  });

const temporaryFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tapedeck-bench-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

const postgresUrl = async () => {
  const settings = { fsync: 'on', synchronous_commit: 'on' };
  const folder = join(tmpdir(), `tapedeck-bench-${process.pid}`);
  const server = await startPostgres({ folder, settings });
  cleanups.push(() => rm(server.folder, { recursive: true, force: true }), server.stop);
  return server.url('postgres');
};

/** The configured server, or one started here; undefined where Java or Maven is missing. */
const elasticsearchUrl = async () => {
  const configured = process.env.ELASTICSEARCH_URL;
  if (configured) return configured;
  if (await missingPrograms()) return undefined;
  process.env.DATA_DIR = await temporaryFolder();
  process.env.ES_JAVA_OPTS ||= elasticsearchHeap;
  cleanups.push(stopElasticsearch);
  return startElasticsearch();
};

const compareWithOthers = async () => {
  const parts = args.filter((arg) => !arg.startsWith('--'));
  const needsElasticsearch = parts.length === 0 || parts.includes('explorer') || parts.includes('http');
  try {
    const database = await step('database', postgresUrl);
    const url = needsElasticsearch
      ? await step('elasticsearch', elasticsearchUrl).catch((error) => {
          say(`  · no Elasticsearch: ${error.message}`);
          return undefined;
        })
      : undefined;
    return await runBenchmark('bench/dist/main.js', {
      BENCH_POSTGRES_URL: database,
      ...(url ? { ELASTICSEARCH_URL: url } : {}),
    });
  } finally {
    for (const cleanUp of cleanups.reverse()) await cleanUp();
  }
};

/** Packages that only this benchmark needs, with a lockfile of their own. */
const installLighthouse = async () => {
  const cwd = join(root, 'bench/lighthouse');
  if ((await missingPackages(cwd)).length === 0) return;
  await runProgram('npm', ['ci', '--ignore-scripts', '--loglevel=error'], { cwd });
};

const measureBrowser = async () => {
  await step('lighthouse', installLighthouse);
  return runBenchmark('bench/dist/ui/main.js', { CHROMIUM: await step('chromium', findChromium) });
};

const main = async () => {
  await step('build', buildAll);
  return measuresBrowser ? measureBrowser() : compareWithOthers();
};

process.exit(await main().catch(fail));
