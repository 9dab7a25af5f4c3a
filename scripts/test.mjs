// `npm test`: install, check, build, every test that needs no outside server; one closing line of counts.
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findChromium } from './chromium.mjs';
import { runChecks } from './check.mjs';
import { fail, say, seconds, step } from './console.mjs';
import { build, installDependencies, root } from './prepare.mjs';

const begun = performance.now();
const report = join(root, '.cache', 'jest.json');

/** @param {NodeJS.ProcessEnv} env @returns {Promise<number>} */
const runJest = (env) =>
  new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [
        '--experimental-vm-modules',
        '--disable-warning=ExperimentalWarning',
        join('node_modules', 'jest', 'bin', 'jest.js'),
        '--json',
        `--outputFile=${report}`,
      ],
      { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });

await step('dependencies', installDependencies).catch(fail);
const failedChecks = await runChecks();
await step('build', build).catch(fail);
const chromium = await step('chromium', findChromium).catch(fail);
await mkdir(join(root, '.cache'), { recursive: true });
await rm(report, { force: true });
const code = await runJest({ CHROMIUM: chromium });
const result = JSON.parse(await readFile(report, 'utf8').catch(() => '{}'));
// A file that does not even load fails as a suite, without one test of it having run.
const broken = (result.numFailedTests ?? 0) === 0 ? (result.numFailedTestSuites ?? 0) : 0;
const failed = (result.numFailedTests ?? 0) + broken + failedChecks.length;
say(`\nIn ${seconds(performance.now() - begun)}.`);
if (failedChecks.length > 0) say(`Failed checks: ${failedChecks.join(', ')}`);
say(
  `${result.numPassedTests ?? 0} passed, ${failed} failed, ${(result.numPendingTests ?? 0) + (result.numTodoTests ?? 0)} skipped`,
);
process.exit(failed === 0 && code === 0 && (result.numPassedTests ?? 0) > 0 ? 0 : 1);
