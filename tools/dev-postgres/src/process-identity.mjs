// Tells processes apart: the system gives the id of one that has ended to another.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** @typedef {{ pid: number, started: string }} ProcessIdentity */

/** The fields of `/proc/PID/stat` after the name, which may itself contain spaces and parentheses. */
const stateField = 0;
const startField = 19;

/** @param {number} pid */
const startOnLinux = async (pid) => {
  const [text, boot] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
  ]);
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields[stateField] === 'Z' ? undefined : `${boot.trim()}/${fields[startField]}`;
};

/** @param {number} pid */
const startElsewhere = async (pid) => {
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)], { env });
  return stdout.trim() || undefined;
};

/**
 * The process that has the id now; undefined when there is none.
 * @param {number} pid
 * @returns {Promise<ProcessIdentity | undefined>}
 */
export const identityOf = async (pid) => {
  const startOf = process.platform === 'linux' ? startOnLinux : startElsewhere;
  const started = await startOf(pid).catch(() => undefined);
  return started === undefined ? undefined : { pid, started };
};

/**
 * Whether exactly this process still runs.
 * @param {ProcessIdentity | undefined} identity
 */
export const isRunning = async (identity) =>
  identity !== undefined && (await identityOf(identity.pid))?.started === identity.started;

/** The command line of a process; undefined when it does not run. @param {number} pid */
export const commandLine = async (pid) => {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  if (text !== undefined) return text.replaceAll('\0', ' ').trim() || undefined;
  return run('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).then(
    ({ stdout }) => stdout.trim() || undefined,
    () => undefined,
  );
};
