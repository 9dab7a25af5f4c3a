// `npm test`: install, check, build, every test that needs no outside server; one closing line of counts.
import { findChromium } from './chromium.mjs';
import { runChecks } from './check.mjs';
import { fail, say, seconds, step } from './console.mjs';
import { build, installDependencies } from './prepare.mjs';
import { countsLine, forgetCounts, keepCounts, runJest } from './run-jest.mjs';

const begun = performance.now();
await forgetCounts('jest');
await step('dependencies', installDependencies).catch(fail);
const failedChecks = await runChecks();
await step('build', build).catch(fail);
const chromium = await step('chromium', findChromium).catch(fail);
const tests = await runJest({ name: 'jest', env: { CHROMIUM: chromium } });
const counts = { ...tests, failed: tests.failed + failedChecks.length };
await keepCounts('jest', counts);
say(`\nIn ${seconds(performance.now() - begun)}.`);
if (failedChecks.length > 0) say(`Failed checks: ${failedChecks.join(', ')}`);
say(countsLine(counts));
process.exit(counts.failed === 0 ? 0 : 1);
