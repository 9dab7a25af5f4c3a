import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { until } from './until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const restartDelayMs = 100;

/** A process of the product that is started again whenever it ends. */
export type SupervisedProcess = Readonly<{
  name: string;
  /** Ends it without a warning. */
  kill: () => void;
  /** Stops it as a suspended host does, until `resume`. */
  suspend: () => void;
  resume: () => void;
  /** Resolves when it has reported that it is ready after its last start. */
  ready: () => Promise<void>;
  /** Ends it for good. */
  stop: () => Promise<void>;
}>;

export type ProcessOptions = Readonly<{
  name: string;
  /** Relative to the repository. */
  file: string;
  env: Readonly<Record<string, string>>;
  /** Standard output and error go to `<name>.log` in it. */
  logFolder: string;
}>;

export const superviseProcess = ({ name, file, env, logFolder }: ProcessOptions): SupervisedProcess => {
  const log = openSync(join(logFolder, `${name}.log`), 'a');
  let child: ChildProcess;
  let isStopping = false;
  let isReady = false;
  let ended: Promise<void>;

  const start = (): void => {
    const started = spawn(process.execPath, ['--enable-source-maps', join(root, file)], {
      cwd: root,
      env: { ...process.env, ELASTICSEARCH_URL: undefined, ...env },
      stdio: ['ignore', log, log, 'ipc'],
    });
    child = started;
    started.on('message', (message: Readonly<{ type: string }>) => {
      isReady ||= message.type === 'ready';
    });
    ended = new Promise((resolve) => {
      started.once('exit', () => {
        isReady = false;
        resolve();
        if (!isStopping) void setTimeout(restartDelayMs).then(() => isStopping || start());
      });
    });
  };
  start();

  return {
    name,
    kill: () => void child.kill('SIGKILL'),
    suspend: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    ready: () => until(`${name} is ready`, () => isReady),
    stop: async () => {
      isStopping = true;
      child.kill('SIGCONT');
      child.kill('SIGKILL');
      await ended;
      closeSync(log);
    },
  };
};
