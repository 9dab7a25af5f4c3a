// The processes that a launcher runs: it writes their logs and starts those again that end by themselves.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { openLogFile } from './log-file.mjs';
import { root } from '@tapedeck/prepare';
import { identityOf } from '@tapedeck/dev-postgres/process-identity';

/** @typedef {import('@tapedeck/dev-postgres/process-identity').ProcessIdentity} ProcessIdentity */

/**
 * @typedef {{
 *   name: string,
 *   file: string,
 *   env: NodeJS.ProcessEnv,
 *   owner?: import('@tapedeck/dev-postgres/system-user').Owner,
 *   nodeOptions: readonly string[],
 *   isTask?: boolean,
 *   onMessage?: (message: any) => void,
 * }} Program `isTask`: it ends by itself, with status 0. `owner`: the user that it runs as, if it is another one
 */

/**
 * @typedef {{
 *   logFolder: string,
 *   say: (line: string) => void,
 *   onFailure: (reason: string) => void,
 *   onProcesses: (processes: readonly ProcessIdentity[]) => void,
 *   delays?: { firstMs: number, maxMs: number, stableMs: number },
 *   maxFailures?: number,
 * }} SupervisorOptions
 */

const defaultDelays = { firstMs: 500, maxMs: 15_000, stableMs: 60_000 };
/** In a row: one that then ran for longer than `stableMs` does not count. */
const defaultMaxFailures = 5;
const stopWithinMs = 10_500;
const maxErrorLength = 2_000;

/** The last line that says something; of an error with a stack, its message. @param {string} errors */
const lastErrorsIn = (errors) => {
  const lines = errors.split('\n').filter((line) => line.trim() !== '' && !/^\s+at |^Node\.js v/.test(line));
  return (lines.findLast((line) => /^\S*Error\b/.test(line)) ?? lines.at(-1) ?? '').trim().slice(0, 500);
};

/** @param {number | null} code @param {NodeJS.Signals | null} signal */
const howItEnded = (code, signal) => (signal ? `by ${signal}` : `with status ${code}`);

/** @param {SupervisorOptions} options */
export const createSupervisor = (options) => {
  const {
    logFolder,
    say,
    onFailure,
    onProcesses,
    delays = defaultDelays,
    maxFailures = defaultMaxFailures,
  } = options;
  /** @type {Map<import('node:child_process').ChildProcess, ProcessIdentity>} */
  const running = new Map();
  /** @type {Set<NodeJS.Timeout>} */
  const restarts = new Set();
  let stopping = false;

  /** @param {import('node:child_process').ChildProcess} child @param {number} pid */
  const noteIdentity = async (child, pid) => {
    const identity = await identityOf(pid);
    if (identity && running.has(child)) running.set(child, identity);
    onProcesses([...running.values()]);
  };

  /**
   * Runs the program once. It has its own process group, so that on Ctrl-C the launcher decides the order in which the
   * processes stop.
   * @param {Program} program
   * @param {(message: any) => void} onReady
   * @param {(reason: string, code: number | null) => void} onExit
   */
  const runOnce = ({ name, file, env, owner, nodeOptions, onMessage }, onReady, onExit) => {
    const log = openLogFile(join(logFolder, `${name}.log`));
    const child = spawn(process.execPath, [...nodeOptions, file], {
      ...owner,
      cwd: root,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let errors = '';
    let failure = '';
    child.stdout?.on('data', log.write);
    child.stderr?.on('data', (/** @type {Buffer} */ bytes) => {
      log.write(bytes);
      errors = (errors + bytes.toString()).slice(-maxErrorLength);
    });
    child.on('message', (/** @type {any} */ message) => {
      if (message.type === 'ready') onReady(message);
      else if (message.type === 'failed') failure = message.message;
      else onMessage?.(message);
    });
    child.once('close', (code, signal) => {
      log.close();
      running.delete(child);
      onProcesses([...running.values()]);
      const words = failure || lastErrorsIn(errors);
      onExit(words || `it ended ${howItEnded(code, signal)} and said nothing`, code);
    });
    if (child.pid === undefined) return;
    running.set(child, { pid: child.pid, started: '' });
    void noteIdentity(child, child.pid);
  };

  /**
   * Starts a program and waits until it reports that it is ready. When it ends afterwards, it is started again, later
   * and later; after several failures in a row it is not started any more.
   * @param {Program} program
   * @returns {Promise<any>} what it reported
   */
  const start = (program) =>
    new Promise((resolve, reject) => {
      let failures = 0;
      let wasReady = false;
      const runAgain = () => {
        let readyAt = Infinity;
        const onReady = (/** @type {any} */ message) => {
          if (wasReady) say(`  · ${program.name} runs again`);
          wasReady = true;
          readyAt = performance.now();
          resolve(message);
        };
        /** @type {(reason: string, code: number | null) => void} */
        const onExit = (reason, code) => {
          if (stopping) return reject(new Error(`The ${program.name} was stopped.`));
          if (program.isTask && code === 0) return resolve(undefined);
          if (!wasReady) return reject(new Error(reason));
          failures = performance.now() - readyAt > delays.stableMs ? 1 : failures + 1;
          if (failures >= maxFailures)
            return onFailure(
              `The ${program.name} ended ${failures} times in a row. The last time: ${reason}`,
            );
          const delayMs = Math.min(delays.firstMs * 2 ** (failures - 1), delays.maxMs);
          say(`  · ${program.name} ended (${reason}): starting it again in ${delayMs / 1_000} s`);
          const timer = setTimeout(() => {
            restarts.delete(timer);
            runAgain();
          }, delayMs);
          restarts.add(timer);
        };
        runOnce(program, onReady, onExit);
      };
      runAgain();
    });

  /** Ends all of them: gracefully, after 10.5 seconds by force. */
  const stop = async () => {
    stopping = true;
    for (const timer of restarts) clearTimeout(timer);
    const children = [...running.keys()];
    for (const child of children) child.kill('SIGTERM');
    const kill = setTimeout(() => children.forEach((child) => child.kill('SIGKILL')), stopWithinMs);
    await Promise.all(
      children.map(
        (child) =>
          new Promise((resolve) => {
            if (child.exitCode !== null || child.signalCode !== null) resolve(undefined);
            else child.once('exit', resolve);
          }),
      ),
    );
    clearTimeout(kill);
  };

  return { start, stop };
};
