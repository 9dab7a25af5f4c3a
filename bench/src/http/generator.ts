// The process that sends the requests. It sends each one when it is due, without waiting for earlier responses.
import { Agent, request, type IncomingMessage } from 'node:http';
import { Worker } from 'node:worker_threads';
import { monotonicMs, type Load, type LoadResult } from './load.ts';

/** Time for the pacer thread to start. */
const pacerStartMs = 500;
const requestTimeoutMs = 30_000;

type Answer = Readonly<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>;

const get = (url: URL, cookie: string, agent: Agent): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = { cookie, accept: 'application/json' };
    const outgoing = request(url, { agent, headers, timeout: requestTimeoutMs }, (response) => {
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
    outgoing.once('timeout', () => outgoing.destroy(new Error('timeout')));
    outgoing.once('error', reject);
    outgoing.end();
  });

const run = async (load: Load): Promise<LoadResult> => {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: load.maxConnections ?? Infinity,
    scheduling: 'lifo',
  });
  const startMs = monotonicMs() + pacerStartMs;
  const latenciesMs: number[] = [];
  const refusalsMs: number[] = [];
  const delaysMs: number[] = [];
  const errors: Record<string, number> = {};
  const samples: { path: string; account: number; body: string }[] = [];
  const rateLimits = new Set<string>();
  let bytes = 0;

  const send = async (index: number): Promise<void> => {
    const arrivalMs = load.arrivalsMs[index] ?? 0;
    const dueMs = startMs + arrivalMs;
    const isMeasured = arrivalMs >= load.warmUpMs;
    const path = load.paths[index % load.paths.length] ?? '/';
    const account = index % load.cookies.length;
    if (isMeasured) delaysMs.push(monotonicMs() - dueMs);
    const answer = await get(new URL(path, load.origin), load.cookies[account] ?? '', agent);
    if (!isMeasured) return;
    if (answer.status === 503 && answer.body.includes('"SEARCH_BUSY"')) {
      refusalsMs.push(monotonicMs() - dueMs);
      return;
    }
    // An error response is fast, so its latency must not count.
    if (answer.status !== 200) throw new Error(String(answer.status));
    latenciesMs.push(monotonicMs() - dueMs);
    bytes += answer.body.length;
    for (const name of Object.keys(answer.headers)) {
      if (name === 'ratelimit-policy') rateLimits.add(`${name}: ${String(answer.headers[name])}`);
    }
    if (index % load.sampleEvery === 0) samples.push({ path, account, body: answer.body.toString() });
  };

  const pending: Promise<void>[] = [];
  const countError = (error: unknown): void => {
    const reason = error instanceof Error ? error.message : String(error);
    errors[reason] = (errors[reason] ?? 0) + 1;
  };
  const pacer = new Worker(new URL('./pacer.js', import.meta.url), {
    workerData: { startMs, arrivalsMs: Float64Array.from(load.arrivalsMs) },
  });
  pacer.on('message', (index: number) => void pending.push(send(index).catch(countError)));
  await new Promise<void>((resolve, reject) => {
    pacer.once('exit', () => resolve());
    pacer.once('error', reject);
  });
  await Promise.all(pending);
  agent.destroy();
  return {
    latenciesMs,
    refusalsMs,
    delaysMs,
    errors,
    samples,
    rateLimits: [...rateLimits].slice(0, 3),
    bytes,
  };
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
