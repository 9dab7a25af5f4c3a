// `npm run test:faults`: kills and stops processes, loses databases, fills disks and restores backups (`*.faults.spec.ts`),
// tests each screen in all its states (`*.screens.spec.ts`), and checks every property with all its runs and new random
// values.
import { buildAll } from '../tools/prepare/src/build.mjs';
import { fail, say, seconds, step } from '../tools/prepare/src/console.mjs';
import { installAll } from '../tools/prepare/src/packages.mjs';

const startedAt = performance.now();
await step('dependencies', installAll).catch(fail);
// These use packages, which exist only now in a fresh clone.
const { countsLine, deleteCounts, runJest, saveCounts } = await import('@tapedeck/test-runner/run-jest');
const { propertySpecs } = await import('@tapedeck/test-runner/property-specs');
const { findChromium } = await import('@tapedeck/test-runner/chromium');
await deleteCounts('jest-faults');
await step('build', buildAll).catch(fail);
const chromium = await step('chromium', findChromium).catch(fail);
const args = [
  // First, because the options below would take paths that follow them.
  ...process.argv.slice(2),
  '--testMatch=**/src/**/*.faults.spec.ts',
  '--testMatch=**/src/**/*.screens.spec.ts',
  ...(await propertySpecs()).map((path) => `--testMatch=**/${path}`),
  '--testPathIgnorePatterns=/node_modules/',
  // These tests start whole products, and wait for them with time limits.
  '--maxWorkers=2',
];
const env = {
  CHROMIUM: chromium,
  TEST_SEED: process.env.TEST_SEED ?? String(Date.now() % 1_000_000_000),
  PROPERTY_RUNS: process.env.PROPERTY_RUNS ?? '1',
};
const counts = await runJest({ name: 'jest-faults', args, env });
await saveCounts('jest-faults', counts);
say(`\nIn ${seconds(performance.now() - startedAt)}.`);
say(countsLine(counts));
process.exit(counts.failed === 0 ? 0 : 1);
