// `npm run test:services`: runs the suites that need a real server (`*.services.spec.ts`) on those started for them in a
// temporary folder. Without Go the suites on stripe-mock and on S3 are left out. With `--where-possible` the others are left out where
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
const { missingGo } = await import('@tapedeck/dev-services/go-program');
const { s3Keys, startS3Server } = await import('@tapedeck/dev-services/s3-server');
const { startStripeMock } = await import('@tapedeck/dev-services/stripe-mock');

const wherePossible = process.argv.includes('--where-possible');
const jestArgs = process.argv.slice(2).filter((arg) => arg !== '--where-possible');
await deleteCounts('jest-services');

const missingForElasticsearch = wherePossible ? await missingPrograms() : undefined;
const missingForGo = await missingGo();
if (missingForElasticsearch) say(`The tests on Elasticsearch are left out: ${missingForElasticsearch}.`);
if (missingForGo) say(`The tests on stripe-mock and on S3 are left out: ${missingForGo}.`);
if (missingForElasticsearch && missingForGo) process.exit(0);

const folder = await mkdtemp(join(tmpdir(), 'tapedeck-services-'));
await chmod(folder, 0o755);
process.env.DATA_DIR = folder;

/** @type {(() => Promise<void>)[]} */
const stops = [];

const cleanUp = async () => {
  await Promise.all(stops.map((stop) => stop()));
  await stopElasticsearch();
  await rm(folder, { recursive: true, force: true });
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
}

/** @param {() => Promise<{ url: string, stop: () => Promise<void> }>} start */
const urlOf = async (start) => {
  const { url, stop } = await start();
  stops.push(stop);
  return url;
};

/** The patterns of suites without their server. */
const leftOut = () => [
  ...(missingForElasticsearch ? [String.raw`(?<!stripe-mock|s3-store)\.services\.spec\.ts$`] : []),
  ...(missingForGo ? [String.raw`(?:stripe-mock|s3-store)\.services\.spec\.ts$`] : []),
];

const run = async () => {
  await step('build', buildAll);
  const elasticsearch = missingForElasticsearch
    ? undefined
    : await step('elasticsearch', () => startElasticsearch());
  const stripeMock = missingForGo ? undefined : await step('stripe-mock', () => urlOf(startStripeMock));
  const s3 = missingForGo ? undefined : await step('s3', () => urlOf(startS3Server));
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
      ...(s3
        ? {
            TEST_S3_URL: s3,
            TEST_S3_ACCESS_KEY_ID: s3Keys.accessKeyId,
            TEST_S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
          }
        : {}),
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
