// `npm run test:services`: runs the suites that need a real server (`*.services.spec.ts`) on those started for them in a
// temporary folder. Without Go the suite on stripe-mock is left out. With `--where-possible` the others are left out where
// Java or Maven is missing.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from '../tools/prepare/src/build.mjs';
import { fail, say, seconds, step } from '../tools/prepare/src/console.mjs';
import { installAll } from '../tools/prepare/src/packages.mjs';

const startedAt = performance.now();
await step('dependencies', installAll).catch(fail);
const { countsLine, deleteCounts, runJest, saveCounts } = await import('@tapedeck/test-runner/run-jest');
const { missingPrograms, startElasticsearch, stopElasticsearch } =
  await import('@tapedeck/dev-services/elasticsearch');
const { missingGo, startStripeMock } = await import('@tapedeck/dev-services/stripe-mock');

const wherePossible = process.argv.includes('--where-possible');
const jestArgs = process.argv.slice(2).filter((arg) => arg !== '--where-possible');
await deleteCounts('jest-services');

const missingForElasticsearch = wherePossible ? await missingPrograms() : undefined;
const missingForStripeMock = await missingGo();
if (missingForElasticsearch) say(`The tests on Elasticsearch are left out: ${missingForElasticsearch}.`);
if (missingForStripeMock) say(`The tests on stripe-mock are left out: ${missingForStripeMock}.`);
if (missingForElasticsearch && missingForStripeMock) process.exit(0);

const folder = await mkdtemp(join(tmpdir(), 'tapedeck-services-'));
await chmod(folder, 0o755);
process.env.DATA_DIR = folder;

/** @type {(() => Promise<void>) | undefined} */
let stopStripeMock;

const cleanUp = async () => {
  await stopStripeMock?.();
  await stopElasticsearch();
  await rm(folder, { recursive: true, force: true });
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
}

const stripeMockUrl = async () => {
  const { url, stop } = await startStripeMock();
  stopStripeMock = stop;
  return url;
};

/** The patterns of suites without their server. */
const leftOut = () => [
  ...(missingForElasticsearch ? [String.raw`(?<!stripe-mock)\.services\.spec\.ts$`] : []),
  ...(missingForStripeMock ? [String.raw`stripe-mock\.services\.spec\.ts$`] : []),
];

const run = async () => {
  await step('build', buildAll);
  const elasticsearch = missingForElasticsearch
    ? undefined
    : await step('elasticsearch', () => startElasticsearch());
  const stripeMock = missingForStripeMock ? undefined : await step('stripe-mock', stripeMockUrl);
  // One after the other: some of them stop and restart the server.
  const args = [
    '--testMatch=**/src/**/*.services.spec.ts',
    ...['/node_modules/', ...leftOut()].map((pattern) => `--testPathIgnorePatterns=${pattern}`),
    '--runInBand',
    '--testTimeout=900000',
  ];
  return runJest({
    name: 'jest-services',
    args: [...args, ...jestArgs],
    env: {
      TEST_SERVICES_DATA_DIR: folder,
      ...(elasticsearch ? { TEST_ELASTICSEARCH_URL: elasticsearch } : {}),
      ...(stripeMock ? { TEST_STRIPE_MOCK_URL: stripeMock } : {}),
    },
  });
};

const runAndCleanUp = async () => {
  try {
    return await run();
  } finally {
    await cleanUp();
  }
};
const counts = await runAndCleanUp().catch(fail);
await saveCounts('jest-services', counts);
say(`\nIn ${seconds(performance.now() - startedAt)}.`);
say(countsLine(counts));
process.exit(counts.failed === 0 ? 0 : 1);
