// Runs Jest and stores how many tests passed, so that several runs can be added up.
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '@tapedeck/prepare';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

const cache = join(root, '.cache');
const countsFile = (/** @type {string} */ name) => join(cache, `${name}.counts.json`);

/** @param {Counts} counts */
export const countsLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

/** The counts of the last run of this name; null when there was none. @param {string} name @returns {Promise<Counts | null>} */
export const readCounts = async (name) =>
  JSON.parse(await readFile(countsFile(name), 'utf8').catch(() => 'null'));

/** @param {string} name @param {Counts} counts */
export const saveCounts = async (name, counts) => {
  await mkdir(cache, { recursive: true });
  await writeFile(countsFile(name), JSON.stringify(counts));
};

/** @param {string} name */
export const deleteCounts = (name) => rm(countsFile(name), { force: true });

/** @param {readonly string[]} args @param {NodeJS.ProcessEnv} env @returns {Promise<number>} */
const spawnJest = (args, env) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join('node_modules', 'jest', 'bin', 'jest.js'), ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const stop = () => child.kill('SIGTERM');
    process.once('SIGTERM', stop);
    child.once('error', reject);
    child.once('exit', (code) => {
      process.off('SIGTERM', stop);
      resolve(code ?? 1);
    });
  });

/**
 * Runs Jest and counts its tests. A run in which no test passes counts as one failure.
 * @param {{ name: string, args?: readonly string[], env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<Counts>}
 */
export const runJest = async ({ name, args = [], env = {} }) => {
  const report = join(cache, `${name}.json`);
  await mkdir(cache, { recursive: true });
  await rm(report, { force: true });
  const code = await spawnJest([...args, '--json', `--outputFile=${report}`], env);
  const result = JSON.parse(await readFile(report, 'utf8').catch(() => '{}'));
  const passed = result.numPassedTests ?? 0;
  const failed = result.numFailedTests ?? 0;
  // A file that cannot be loaded is a failed suite without a failed test.
  const broken = failed === 0 ? (result.numFailedTestSuites ?? 0) : 0;
  const unexplained = failed + broken === 0 && (code !== 0 || passed === 0) ? 1 : 0;
  return {
    passed,
    failed: failed + broken + unexplained,
    skipped: (result.numPendingTests ?? 0) + (result.numTodoTests ?? 0),
  };
};
