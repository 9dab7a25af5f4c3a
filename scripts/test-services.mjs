// `npm run test:services`: runs the suites that need a real server (`*.services.spec.ts`) on one started for them in a
// temporary folder. With `--where-possible` it succeeds without running them where Java or Maven is missing.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, say, seconds, step } from './console.mjs';
import { missingPrograms, startElasticsearch, stopElasticsearch } from './elasticsearch.mjs';
import { build, installDependencies } from './prepare.mjs';
import { countsLine, deleteCounts, saveCounts, runJest } from './run-jest.mjs';

const startedAt = performance.now();
const wherePossible = process.argv.includes('--where-possible');
const jestArgs = process.argv.slice(2).filter((arg) => arg !== '--where-possible');
await deleteCounts('jest-services');

const missing = await missingPrograms();
if (missing && wherePossible) {
  say(`The tests on real servers are left out: ${missing}.`);
  process.exit(0);
}

const folder = await mkdtemp(join(tmpdir(), 'tapedeck-services-'));
await chmod(folder, 0o755);
process.env.DATA_DIR = folder;

const cleanUp = async () => {
  await stopElasticsearch();
  await rm(folder, { recursive: true, force: true });
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
}

const run = async () => {
  await step('dependencies', installDependencies);
  await step('build', build);
  const url = await step('elasticsearch', () => startElasticsearch());
  // One after the other: some of them stop and restart the server.
  const args = [
    '--testMatch=**/src/**/*.services.spec.ts',
    '--testPathIgnorePatterns=/node_modules/',
    '--runInBand',
    '--testTimeout=900000',
  ];
  return runJest({
    name: 'jest-services',
    args: [...args, ...jestArgs],
    env: { TEST_ELASTICSEARCH_URL: url, TEST_SERVICES_DATA_DIR: folder },
  });
};

const counts = await run().finally(cleanUp).catch(fail);
await saveCounts('jest-services', counts);
say(`\nIn ${seconds(performance.now() - startedAt)}.`);
say(countsLine(counts));
process.exit(counts.failed === 0 ? 0 : 1);
