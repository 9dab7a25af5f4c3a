// One run of Jest; what it has counted is kept until the next, for whoever adds several runs up.
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

const cache = join(root, '.cache');
const countsFile = (/** @type {string} */ name) => join(cache, `${name}.counts.json`);

/** @param {Counts} counts */
export const countsLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

/** What the last run under this name has counted; null when there was none. @param {string} name @returns {Promise<Counts | null>} */
export const lastCounts = async (name) =>
  JSON.parse(await readFile(countsFile(name), 'utf8').catch(() => 'null'));

/** @param {string} name @param {Counts} counts */
export const keepCounts = async (name, counts) => {
  await mkdir(cache, { recursive: true });
  await writeFile(countsFile(name), JSON.stringify(counts));
};

/** @param {string} name */
export const forgetCounts = (name) => rm(countsFile(name), { force: true });

/** @param {readonly string[]} words @param {NodeJS.ProcessEnv} env @returns {Promise<number>} */
const spawnJest = (words, env) =>
  new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [
        '--experimental-vm-modules',
        '--disable-warning=ExperimentalWarning',
        join('node_modules', 'jest', 'bin', 'jest.js'),
        ...words,
      ],
      { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });

/**
 * Runs Jest and counts; a run without a single test that passes counts as a failure.
 * @param {{ name: string, words?: readonly string[], env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<Counts>}
 */
export const runJest = async ({ name, words = [], env = {} }) => {
  const report = join(cache, `${name}.json`);
  await mkdir(cache, { recursive: true });
  await rm(report, { force: true });
  const code = await spawnJest([...words, '--json', `--outputFile=${report}`], env);
  const result = JSON.parse(await readFile(report, 'utf8').catch(() => '{}'));
  const passed = result.numPassedTests ?? 0;
  const failed = result.numFailedTests ?? 0;
  // A file that does not even load fails as a suite, without one test of it having run.
  const broken = failed === 0 ? (result.numFailedTestSuites ?? 0) : 0;
  const unexplained = failed + broken === 0 && (code !== 0 || passed === 0) ? 1 : 0;
  return {
    passed,
    failed: failed + broken + unexplained,
    skipped: (result.numPendingTests ?? 0) + (result.numTodoTests ?? 0),
  };
};
