import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { raisedLimits } from './raised-limits.ts';

export type Product = Readonly<{
  url: string;
  dataFolder: string;
  launcher: ChildProcess;
  /** Seconds from the start to the line that names the URL. */
  seconds: number;
  output: () => string;
  /** The URL of one of its databases, for checks of the rows. */
  databaseUrl: (name: 'tapedeck' | 'catalogue') => string;
  /** Sends Ctrl-C; resolves to the exit status. */
  stop: () => Promise<number | null>;
}>;

export type ProductOptions = Readonly<{
  dataFolder: string;
  port?: number;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
}>;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/**
 * Returns a port that is free at this moment, and that the system gives to no outgoing connection before its server
 * starts.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    if (await isFree(port)) return port;
  }
};

/** Creates an empty folder that every user may enter. */
export const temporaryFolder = (): Readonly<{ path: string; remove: () => void }> => {
  const path = mkdtempSync(join(tmpdir(), 'tapedeck-product-'));
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

/** The processes whose command line or environment contains `text`, one line each. */
export const processesWith = (text: string): readonly string[] =>
  execFileSync('ps', ['axeww', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 64 * 1_024 * 1_024 })
    .split('\n')
    .filter((line) => line.includes(text));

/** The URL of a database of the product that runs in a data folder. */
export const databaseUrl = (dataFolder: string, name: 'tapedeck' | 'catalogue'): string => {
  const { ports } = JSON.parse(readFileSync(join(dataFolder, 'instance.json'), 'utf8')) as {
    ports: { postgres: number };
  };
  const password = readFileSync(join(dataFolder, 'postgres', 'password'), 'utf8').trim();
  return `postgres://tapedeck:${password}@127.0.0.1:${ports.postgres}/${name}`;
};

/** Runs `npm start` with its own data folder and port; resolves when the product is ready. */
export const startProduct = async (options: ProductOptions): Promise<Product> => {
  const startedAt = performance.now();
  const port = options.port ?? (await freePort());
  const launcher = spawn(process.execPath, ['scripts/start.mjs', ...(options.args ?? [])], {
    env: {
      ...process.env,
      ...raisedLimits,
      DEMO_ACCOUNTS: 'no',
      ...options.env,
      PORT: String(port),
      DATA_DIR: options.dataFolder,
    },
    // By the channel it notices the end of a test process that is killed.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const exited = new Promise<number | null>((resolve) => launcher.once('exit', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const ready = /Ready in [\d.]+ s: (\S+)/.exec(output);
      if (ready?.[1]) resolve(ready[1]);
    };
    // Pipes, as demanded above, which the types do not know for four of them.
    launcher.stdout?.on('data', read);
    launcher.stderr?.on('data', read);
    void exited.then((code) => reject(new Error(`npm start ended with ${code}:\n${output}`)));
  });
  return {
    url,
    launcher,
    dataFolder: options.dataFolder,
    seconds: (performance.now() - startedAt) / 1_000,
    output: () => output,
    databaseUrl: (name) => databaseUrl(options.dataFolder, name),
    stop: () => {
      launcher.kill('SIGINT');
      return exited;
    },
  };
};
