import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Product = Readonly<{ url: string; launcherId: number; stop: () => Promise<void> }>;

const root = fileURLToPath(new URL('../..', import.meta.url));

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });

/** Under which no benchmark meets a limit of one client. */
export const raisedLimits = {
  RATE_LIMIT_READS: '1000000/s',
  RATE_LIMIT_WRITES: '1000000/s',
  RATE_LIMIT_SIGN_IN: '1000000/s',
  RATE_LIMIT_CALLBACK: '1000000/s',
  RATE_LIMIT_EXPLORER: '1000000/s',
  RATE_LIMIT_BRUSH: '1000000/s',
  RATE_LIMIT_HEALTH: '1000000/s',
  RATE_LIMIT_CHECKOUT: '1000000/s',
  RATE_LIMIT_CHECKOUT_EMAIL: '1000000/s',
  RATE_LIMIT_CAPTURE: '1000000/s',
  RATE_LIMIT_PICTURES: '1000000/s',
} as const;

/** For a benchmark of the limits themselves: those of the product as it is delivered. */
export const usualLimits: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(raisedLimits).map((name) => [name, '']),
);

/**
 * Runs `npm start` with the demo catalogue, on a free port and in a temporary folder that `stop` removes. Only with an
 * Elasticsearch server in `env` it searches there.
 */
export const startProduct = async (env: Readonly<Record<string, string>> = {}): Promise<Product> => {
  const folder = await mkdtemp(join(tmpdir(), 'tapedeck-bench-'));
  // The database may run as another user and must be able to enter the folder.
  await chmod(folder, 0o755);
  const launcher = spawn(process.execPath, [join(root, 'scripts/start.mjs')], {
    cwd: root,
    env: {
      ...process.env,
      ...raisedLimits,
      ELASTICSEARCH_URL: undefined,
      ...env,
      PORT: String(await freePort()),
      DATA_DIR: folder,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => launcher.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    launcher.kill('SIGINT');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  // Ends with this process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  }
  process.once('exit', () => launcher.kill('SIGINT'));
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const ready = /Ready in [\d.]+ s: (\S+)/.exec(output);
      if (ready?.[1]) resolve(ready[1]);
    };
    launcher.stdout.on('data', read);
    launcher.stderr.on('data', read);
    void ended.then(() => reject(new Error(`The product did not start:\n${output}`)));
  }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { url, launcherId: launcher.pid ?? 0, stop };
};
