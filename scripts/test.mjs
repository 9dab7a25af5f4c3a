// `npm test`: installs, checks, builds, runs every test that needs no outside server; prints one closing line of counts.
// `npm run check`, with --only-checks: runs no test.
import { buildAll } from '../tools/prepare/src/build.mjs';
import { fail, say, seconds, step } from '../tools/prepare/src/console.mjs';
import { installAll } from '../tools/prepare/src/packages.mjs';

const startedAt = performance.now();
await step('dependencies', installAll).catch(fail);
// These use packages, which exist only now in a fresh clone.
const { countsLine, deleteCounts, runJest, saveCounts } = await import('@tapedeck/test-runner/run-jest');
const { findChromium } = await import('@tapedeck/test-runner/chromium');
const { runChecks } = await import('@tapedeck/checks/run-checks');
const onlyChecks = process.argv.includes('--only-checks');
if (!onlyChecks) await deleteCounts('jest');
const failedChecks = await runChecks();
if (onlyChecks) {
  if (failedChecks.length > 0) fail(new Error(`Failed checks: ${failedChecks.join(', ')}`));
  process.exit(0);
}
await step('build', buildAll).catch(fail);
const chromium = await step('chromium', findChromium).catch(fail);
const tests = await runJest({ name: 'jest', env: { CHROMIUM: chromium } });
const counts = { ...tests, failed: tests.failed + failedChecks.length };
await saveCounts('jest', counts);
say(`\nIn ${seconds(performance.now() - startedAt)}.`);
if (failedChecks.length > 0) say(`Failed checks: ${failedChecks.join(', ')}`);
say(countsLine(counts));
process.exit(counts.failed === 0 ? 0 : 1);
