// Programs that Go builds from their published source at the first start.
import { execFile, spawn } from 'node:child_process';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { root, runProgram } from '@tapedeck/prepare';

const run = promisify(execFile);

/** @typedef {{ url: string, stop: () => Promise<void> }} Service */

const startTimeoutMs = 60_000;

/** The reason why none can run on this machine; undefined when Go is installed. */
export const missingGo = async () => {
  const output = await run('go', ['version']).catch(() => undefined);
  return output ? undefined : 'go is not installed';
};

/**
 * Downloads and builds a program at the first call. Returns its path.
 * @param {string} package_ such as `github.com/stripe/stripe-mock` @param {string} version
 */
export const buildGoProgram = async (package_, version) => {
  const name = basename(package_);
  const folder = join(root, '.cache', 'services', `${name}-${version}`);
  const program = join(folder, name);
  if (await stat(program).catch(() => undefined)) return program;
  const building = `${folder}.${process.pid}`;
  await mkdir(dirname(building), { recursive: true });
  await runProgram('go', ['install', `${package_}@v${version}`], { env: { GOBIN: building } });
  await rename(building, folder).catch(async (error) => {
    // Another process was faster.
    if (!(await stat(program).catch(() => undefined))) throw error;
  });
  await rm(building, { recursive: true, force: true });
  return program;
};

/**
 * Runs a program and waits until it answers. It ends with `stop`.
 * @param {{ program: string, args: readonly string[], url: string, answers: () => Promise<boolean> }} options
 * @returns {Promise<Service>}
 */
export const startService = async ({ program, args, url, answers }) => {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes));
  const ended = new Promise((resolve) => child.once('close', resolve));
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  for (const deadline = performance.now() + startTimeoutMs; !(await answers());) {
    if (hasEnded || performance.now() > deadline) {
      await stop();
      throw new Error(`${basename(program)} did not start: ${output.trim()}`);
    }
    await setTimeout(100);
  }
  return { url, stop };
};
