import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { freePort, processesWith, startProduct, type Product } from '@tapedeck/platform/testing';
import { Pool } from 'pg';
import { until } from './until.ts';
import { readModelProblems, waitForProjections } from './verify-read-models.ts';
import { verifyStreams } from './verify-tape.ts';
import { signIn, storeAt } from './work.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** In the demo catalogue of an instance. */
const strategies = 200;
const env = { DEMO_CATALOGUE: String(strategies), ELASTICSEARCH_URL: '' };
const endWithinMs = 20_000;

export const secretsFile = (folder: string): string => join(folder, 'secrets.json');

/** Runs `npm start` to its end or to the line that says that it is ready. @throws Error with all that it said. */
export const startInstance = async (dataFolder: string): Promise<Product> =>
  startProduct({ dataFolder, port: await freePort(), env });

/** Stops an instance. Returns what is wrong afterwards. */
export const stopInstance = async (product: Product): Promise<readonly string[]> => {
  const code = await product.stop();
  const left = processesWith(product.dataFolder);
  return [
    ...(code === 0 ? [] : [`npm start ended with status ${code} at its stop`]),
    ...left.map((line) => `left behind: ${line.slice(0, 120)}`),
  ];
};

/** Begins `npm start` and kills the launcher after a while, whatever it does then. Returns what it had said. */
export const killStart = async (dataFolder: string, afterMs: number): Promise<string> => {
  const launcher = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env: { ...process.env, ...env, PORT: String(await freePort()), DATA_DIR: dataFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [launcher.stdout, launcher.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const ended = new Promise((resolve) => launcher.once('exit', resolve));
  await Promise.race([setTimeout(afterMs), ended]);
  launcher.kill('SIGKILL');
  await ended;
  return output;
};

/** Ends what an instance that could not be started has left, the database first of all. */
export const endLeftovers = async (folder: string): Promise<void> => {
  const pids = (): readonly number[] => processesWith(folder).map((line) => Number.parseInt(line, 10));
  for (const pid of pids()) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
  await until('the processes of the instance have ended', () => pids().length === 0, endWithinMs);
};

export const personalDataKeyIn = (folder: string): string => {
  const secrets = JSON.parse(readFileSync(secretsFile(folder), 'utf8')) as Readonly<Record<string, string>>;
  return secrets['PERSONAL_DATA_KEY'] ?? '';
};

/** What is wrong with a running instance: its catalogue, the streams on its tape, its read models, or a sign-in. */
export const instanceProblems = async (product: Product): Promise<readonly string[]> => {
  const key = Buffer.from(personalDataKeyIn(product.dataFolder), 'base64');
  await signIn([product.url], 'pro@tapedeck.example');
  const { store, pool } = storeAt(product.databaseUrl('tapedeck'), key);
  const catalogue = new Pool({ connectionString: product.databaseUrl('catalogue'), max: 4 });
  const data = { store, databases: { tapedeck: pool, catalogue } };
  try {
    await waitForProjections(data);
    const tape = await verifyStreams(product.databaseUrl('tapedeck'));
    const complete =
      tape.strategies === strategies ? [] : [`the tape has ${tape.strategies} strategies, not ${strategies}`];
    return [...complete, ...tape.problems, ...(await readModelProblems(data))];
  } finally {
    await store.close();
    await pool.end();
    await catalogue.end();
  }
};
