// `npm run test:services`: the suites that need a real server (`*.services.spec.ts`), on one started for them in a
// folder of its own. With `--where-possible` a machine without Java or Maven is told so, and that is no failure.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, say, seconds, step } from './console.mjs';
import { missingPrograms, startElasticsearch, stopElasticsearch } from './elasticsearch.mjs';
import { build, installDependencies } from './prepare.mjs';
import { countsLine, forgetCounts, keepCounts, runJest } from './run-jest.mjs';

const begun = performance.now();
const wherePossible = process.argv.includes('--where-possible');
const chosen = process.argv.slice(2).filter((word) => word !== '--where-possible');
await forgetCounts('jest-services');

const missing = await missingPrograms();
if (missing && wherePossible) {
  say(`The tests on real servers are left out: ${missing}.`);
  process.exit(0);
}

const folder = await mkdtemp(join(tmpdir(), 'tapedeck-services-'));
await chmod(folder, 0o755);
process.env.DATA_DIR = folder;

const end = async () => {
  await stopElasticsearch();
  await rm(folder, { recursive: true, force: true });
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => void end().finally(() => process.exit(1)));
}

const run = async () => {
  await step('dependencies', installDependencies);
  await step('build', build);
  const url = await step('elasticsearch', () => startElasticsearch());
  // One after the other: some of them stop the server and start it again.
  const words = [
    '--testMatch=**/src/**/*.services.spec.ts',
    '--testPathIgnorePatterns=/node_modules/',
    '--runInBand',
    '--testTimeout=900000',
  ];
  return runJest({
    name: 'jest-services',
    words: [...words, ...chosen],
    env: { TEST_ELASTICSEARCH_URL: url, TEST_SERVICES_DATA_DIR: folder },
  });
};

const counts = await run().finally(end).catch(fail);
await keepCounts('jest-services', counts);
say(`\nIn ${seconds(performance.now() - begun)}.`);
say(countsLine(counts));
process.exit(counts.failed === 0 ? 0 : 1);
