// `npm run test:faults`: kills and stops processes, loses databases, fills disks and restores backups (`*.faults.spec.ts`).
import { buildAll } from '../tools/prepare/src/build.mjs';
import { fail, say, seconds, step } from '../tools/prepare/src/console.mjs';
import { installAll } from '../tools/prepare/src/packages.mjs';

const startedAt = performance.now();
await step('dependencies', installAll).catch(fail);
// These use packages, which exist only now in a fresh clone.
const { countsLine, deleteCounts, runJest, saveCounts } = await import('@tapedeck/test-runner/run-jest');
const { findChromium } = await import('@tapedeck/test-runner/chromium');
await deleteCounts('jest-faults');
await step('build', buildAll).catch(fail);
const chromium = await step('chromium', findChromium).catch(fail);
const args = [
  '--testMatch=**/src/**/*.faults.spec.ts',
  '--testPathIgnorePatterns=/node_modules/',
  ...process.argv.slice(2),
];
const counts = await runJest({ name: 'jest-faults', args, env: { CHROMIUM: chromium } });
await saveCounts('jest-faults', counts);
say(`\nIn ${seconds(performance.now() - startedAt)}.`);
say(countsLine(counts));
process.exit(counts.failed === 0 ? 0 : 1);
