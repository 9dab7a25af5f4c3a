// Ctrl-C ends the program that is running for us, and we wait for both to clean up.
import { spawn } from 'node:child_process';

/** @type {import('node:child_process').ChildProcess | undefined} */
let child;
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    interrupted = true;
    child?.kill('SIGTERM');
  });
}

/**
 * Runs a Node program with our own words as its words.
 * @param {string} file
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} its exit status
 */
export const runToEnd = (file, env) =>
  new Promise((resolve, reject) => {
    if (interrupted) return resolve(1);
    child = spawn(process.execPath, [file, ...process.argv.slice(2)], {
      stdio: 'inherit',
      env: { ...process.env, ...env },
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
