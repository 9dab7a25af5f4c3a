// The checks of `npm run check`: two lists, each in the order in which its checks run.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root, runProgram } from '@tapedeck/prepare';
import { buildAll } from '@tapedeck/prepare/build';
import { step } from '@tapedeck/prepare/console';
import { boundaryProblems } from './boundaries.mjs';
import { findDuplicates } from './duplicates.mjs';
import { checkKernel } from './kernel.mjs';
import { layerProblems } from './layers.mjs';
import { lockfileProblems } from './lockfile.mjs';
import { patternProblems } from './patterns.mjs';
import { refusedWordProblems } from './words.mjs';

const run = promisify(execFile);
/** @param {string} file @param {...string} args */
const node = (file, ...args) => runProgram(process.execPath, [join('node_modules', file), ...args]);

const lintedFolders = ['apps', 'libs', 'bench', 'torture', 'e2e', 'tools', 'scripts'];

/** Every test of the fixtures causes console output or an unhandled rejection, so all must fail. */
const consoleOutputFailsTests = async () => {
  const { stdout } = await run(
    process.execPath,
    [
      join('node_modules', 'jest', 'bin', 'jest.js'),
      '--config=tools/checks/fixtures/console-output/jest.config.js',
      '--json',
    ],
    { cwd: root },
  ).catch((error) => error);
  const { numFailedTests: failed, numTotalTests: all } = JSON.parse(stdout);
  if (all === 0 || failed !== all)
    throw new Error(`Only ${failed} of ${all} tests with console output failed.`);
};

/** @param {string} title @param {Promise<readonly string[]>} finding */
const noProblems = async (title, finding) => {
  const problems = await finding;
  if (problems.length > 0) throw new Error(`${title}:\n${problems.join('\n')}`);
};

/** @typedef {readonly [name: string, work: () => Promise<unknown>]} Check */

/** @type {readonly Check[]} */
const ofSources = [
  ['lockfile', () => noProblems('package-lock.json is incomplete', lockfileProblems())],
  ['format', () => node('oxfmt/bin/oxfmt', '--check')],
  ['boundaries', () => noProblems('Imports cross a boundary', boundaryProblems())],
  ['layers', () => noProblems('Files and folders do not form layers', layerProblems())],
  ['words', () => noProblems('Words with a standard replacement', refusedWordProblems())],
  ['patterns', () => noProblems('Regular expressions that are not linear', patternProblems())],
  ['console output fails a test', consoleOutputFailsTests],
  ['duplicates', () => noProblems('The same lines stand in two places', findDuplicates())],
  ['kernel', checkKernel],
  ['docker-compose.yml', () => node('dclint/bin/dclint.cjs', 'docker-compose.yml', '--max-warnings', '0')],
];

/** What needs the types or the build. @type {readonly Check[]} */
const ofBuild = [
  ['types and build', buildAll],
  ['lint', () => node('oxlint/bin/oxlint', '--type-aware', '--deny-warnings', ...lintedFolders)],
  ['types of the scripts', () => node('@typescript/native/bin/tsc', '-p', 'scripts')],
  ['openapi.json', () => runProgram(process.execPath, ['tools/checks/src/openapi.mjs', '--check'])],
  ['configuration.md', () => runProgram(process.execPath, ['tools/checks/src/configuration.mjs', '--check'])],
  ['dead exports', () => node('knip/bin/knip.js', '--no-progress')],
];

/** Runs one after the other, also after one has failed. @param {readonly Check[]} checks */
const runAll = async (checks) => {
  const failed = [];
  for (const [name, work] of checks) {
    await step(name, work).catch((error) => {
      failed.push(name);
      process.stdout.write(`\n  ✗ ${name}\n${error.message}\n\n`);
    });
  }
  return failed;
};

/** Runs every check, those of the build beside those of the sources. Returns the names of those that failed. */
export const runChecks = async () => (await Promise.all([runAll(ofSources), runAll(ofBuild)])).flat();
