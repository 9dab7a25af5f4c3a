// The process that makes the requests; they begin when they are due, whether earlier ones are answered or not.
import { Agent, request, type IncomingMessage } from 'node:http';
import { Worker } from 'node:worker_threads';
import { now } from './clock.ts';
import type { Load, LoadResult } from './load.ts';

/** Time for the thread to begin its work, in milliseconds. */
const headStart = 500;
const longestAnswer = 30_000;

type Answer = Readonly<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>;

const ask = (url: URL, cookie: string, agent: Agent): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = { cookie, accept: 'application/json' };
    const asked = request(url, { agent, headers, timeout: longestAnswer }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
    });
    asked.once('timeout', () => asked.destroy(new Error('no answer')));
    asked.once('error', reject);
    asked.end();
  });

const run = async (load: Load): Promise<LoadResult> => {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity, scheduling: 'lifo' });
  const begin = now() + headStart;
  const latencies: number[] = [];
  const lateness: number[] = [];
  const errors: Record<string, number> = {};
  const kept: { path: string; account: number; body: string }[] = [];
  const limits = new Set<string>();
  let bytes = 0;

  const send = async (index: number): Promise<void> => {
    const due = begin + (load.arrivals[index] ?? 0);
    const counts = (load.arrivals[index] ?? 0) >= load.warmUntil;
    const path = load.paths[index % load.paths.length] ?? '/';
    const account = index % load.cookies.length;
    if (counts) lateness.push(now() - due);
    const answer = await ask(new URL(path, load.origin), load.cookies[account] ?? '', agent);
    if (!counts) return;
    // A refusal is quick: it would flatter the figures.
    if (answer.status !== 200) throw new Error(String(answer.status));
    latencies.push(now() - due);
    bytes += answer.body.length;
    for (const name of Object.keys(answer.headers)) {
      if (name.includes('ratelimit')) limits.add(`${name}: ${String(answer.headers[name])}`);
    }
    if (index % load.keepEvery === 0) kept.push({ path, account, body: answer.body.toString() });
  };

  const pending: Promise<void>[] = [];
  const noteError = (error: unknown): void => {
    const reason = error instanceof Error ? error.message : String(error);
    errors[reason] = (errors[reason] ?? 0) + 1;
  };
  const pacer = new Worker(new URL('./pacer.js', import.meta.url), {
    workerData: { begin, arrivals: Float64Array.from(load.arrivals) },
  });
  pacer.on('message', (index: number) => void pending.push(send(index).catch(noteError)));
  await new Promise<void>((resolve, reject) => {
    pacer.once('exit', () => resolve());
    pacer.once('error', reject);
  });
  await Promise.all(pending);
  agent.destroy();
  return { latencies, lateness, errors, kept, limits: [...limits].slice(0, 3), bytes };
};

process.once('disconnect', () => process.exit(1));
process.once('message', (load: Load) => {
  void run(load).then((result) =>
    process.send?.(result, () => {
      process.removeAllListeners('disconnect');
      process.disconnect();
    }),
  );
});
