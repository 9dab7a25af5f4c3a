// Runs stripe-mock, Stripe's own check of requests against its API description, built by Go at the first start.
import { execFile, spawn } from 'node:child_process';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '@tapedeck/dev-postgres';
import { root, runProgram } from '@tapedeck/prepare';

const run = promisify(execFile);

const version = '0.203.0';
const startTimeoutMs = 60_000;
const programFolder = () => join(root, '.cache', 'services', `stripe-mock-${version}`);

/** The reason why it cannot run on this machine; undefined when Go is installed. */
export const missingGo = async () => {
  const output = await run('go', ['version']).catch(() => undefined);
  return output ? undefined : 'go is not installed';
};

/** Downloads and builds the program at the first call. Returns its path. */
const buildProgram = async () => {
  const program = join(programFolder(), 'stripe-mock');
  if (await stat(program).catch(() => undefined)) return program;
  const building = `${programFolder()}.${process.pid}`;
  await mkdir(dirname(building), { recursive: true });
  await runProgram('go', ['install', `github.com/stripe/stripe-mock@v${version}`], {
    env: { GOBIN: building },
  });
  await rename(building, programFolder()).catch(async (error) => {
    // Another process was faster.
    if (!(await stat(program).catch(() => undefined))) throw error;
  });
  await rm(building, { recursive: true, force: true });
  return program;
};

const answers = (/** @type {string} */ url) =>
  fetch(`${url}/v1/balance`, { headers: { authorization: 'Bearer sk_test_x' } }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Starts it and waits until it answers. It ends with `stop`. */
export const startStripeMock = async () => {
  const program = await buildProgram();
  const port = await freePort(undefined);
  let securePort = await freePort(undefined);
  while (securePort === port) securePort = await freePort(undefined);
  // Without an address for both it opens the other one on all interfaces.
  const addresses = ['-http-addr', `127.0.0.1:${port}`, '-https-addr', `127.0.0.1:${securePort}`];
  const child = spawn(program, addresses, { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (bytes) => (output += bytes));
  const ended = new Promise((resolve) => child.once('close', resolve));
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  const url = `http://127.0.0.1:${port}`;
  for (const deadline = performance.now() + startTimeoutMs; !(await answers(url));) {
    if (hasEnded || performance.now() > deadline) {
      await stop();
      throw new Error(`stripe-mock did not start: ${output.trim()}`);
    }
    await setTimeout(100);
  }
  return { url, stop };
};
