// `npm test`: installs, checks, builds, runs every test that needs no outside server; prints one closing line of counts.
import { findChromium } from './chromium.mjs';
import { fail, say, seconds, step } from './console.mjs';
import { build, installDependencies } from './prepare.mjs';
import { countsLine, deleteCounts, saveCounts, runJest } from './run-jest.mjs';

const startedAt = performance.now();
await deleteCounts('jest');
await step('dependencies', installDependencies).catch(fail);
// The checks use packages, which exist only now in a fresh clone.
const { runChecks } = await import('./checks/run-checks.mjs');
const failedChecks = await runChecks();
await step('build', build).catch(fail);
const chromium = await step('chromium', findChromium).catch(fail);
const tests = await runJest({ name: 'jest', env: { CHROMIUM: chromium } });
const counts = { ...tests, failed: tests.failed + failedChecks.length };
await saveCounts('jest', counts);
say(`\nIn ${seconds(performance.now() - startedAt)}.`);
if (failedChecks.length > 0) say(`Failed checks: ${failedChecks.join(', ')}`);
say(countsLine(counts));
process.exit(counts.failed === 0 ? 0 : 1);
