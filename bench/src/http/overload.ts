import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { count, ms, say, table, times, type Claim } from '../print.ts';
import { percentile } from '../statistics.ts';
import { arrivalTimes, type Duration } from './arrivals.ts';
import type { LoadResult } from './load.ts';
import { sendRequests } from './send-requests.ts';

export type Overload = Readonly<{
  origin: string;
  /** The first account sends one request a second, the others send the load. */
  cookies: readonly string[];
  paths: readonly string[];
  requestsPerSecond: number;
}> &
  Duration;

/** Node.js accepts one new connection per iteration of its event loop: a client must not need one per request. */
const maxConnections = 256;
/** After the end of the load. */
const maxRecoveryMs = 1_000;
const healthIntervalMs = 100;
/** Of the API's memory, from the middle of the load to its end. */
const maxGrowthMb = 32;

const send = (load: Overload, origin: string): Promise<LoadResult> =>
  sendRequests({
    origin,
    cookies: load.cookies.slice(1),
    paths: load.paths,
    arrivalsMs: arrivalTimes(() => 1_000 / load.requestsPerSecond, load),
    warmUpMs: load.warmUpSeconds * 1_000,
    maxConnections,
    sampleEvery: Number.MAX_SAFE_INTEGER,
  });

/** The peer: a server of Node.js alone, in this process, that refuses every request. */
const refuseEverything = async (load: Overload): Promise<LoadResult> => {
  const server = createServer((_request, response) => {
    response.writeHead(503, { 'content-type': 'application/problem+json' }).end('{"code":"SEARCH_BUSY"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    return await send(load, `http://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

type Repeated = Readonly<{ latenciesMs: readonly number[]; failures: readonly string[] }>;

/** Sends the request at intervals until `isOver`. */
const repeat = async (
  url: string,
  cookie: string,
  intervalMs: number,
  isOver: () => boolean,
): Promise<Repeated> => {
  const latenciesMs: number[] = [];
  const failures: string[] = [];
  while (!isOver()) {
    const sentAt = performance.now();
    const answer = await fetch(url, { headers: { cookie } });
    const body = await answer.text();
    if (answer.status === 200) latenciesMs.push(performance.now() - sentAt);
    else failures.push(/"code":"(\w+)"/.exec(body)?.[1] ?? String(answer.status));
    await setTimeout(Math.max(0, sentAt + intervalMs - performance.now()));
  }
  return { latenciesMs, failures };
};

/** Of the process that answers. */
type ApiUsage = Readonly<{ residentMb: number; cpuMs: number }>;

/** The API is the child process of the launcher that has this program in its command line. */
export const processOfApi = (launcherId: number): ApiUsage => {
  const columns = ['-o', 'rss=,cputimes=,args=', '--ppid', String(launcherId)];
  const processes = execFileSync('ps', columns, { encoding: 'utf8' }).split('\n');
  const [rss, cpuSeconds] = (processes.find((line) => line.includes('apps/api/')) ?? '').trim().split(/\s+/);
  return { residentMb: Number(rss) / 1_024, cpuMs: Number(cpuSeconds) * 1_000 };
};

const recoveryPollMs = 20;

/** Milliseconds until the request is answered again. */
const timeToAnswer = async (url: string, cookie: string): Promise<number> => {
  const startedAt = performance.now();
  for (let isAnswered = false; !isAnswered;) {
    const answer = await fetch(url, { headers: { cookie } });
    await answer.arrayBuffer();
    isAnswered = answer.status === 200;
    if (!isAnswered) await setTimeout(recoveryPollMs);
  }
  return performance.now() - startedAt;
};

const report = (rows: readonly (readonly [string, readonly number[]])[]): void =>
  table(
    ['under overload', 'number', 'p50 ms', 'p95 ms', 'p99 ms', 'max ms'],
    rows.map(([name, values]) => [
      name,
      count(values.length),
      ...[0.5, 0.95, 0.99, 1].map((p) => ms(percentile(values, p))),
    ]),
  );

/** Limits of the 99th percentiles. */
export type OverloadAims = Readonly<{ answered: number; refused: number }>;

export type OverloadOptions = Readonly<{
  engine: string;
  aimsMs: OverloadAims;
  /** Latencies of the same requests at the usual rate, in the same run. */
  usualMs: readonly number[];
  launcherId: number;
}>;

/** Sends much more than the product bears, and meanwhile one request a second of another account. */
export const measureOverload = async (
  load: Overload,
  { engine, aimsMs, usualMs, launcherId }: OverloadOptions,
): Promise<readonly Claim[]> => {
  const peer = await refuseEverything(load);
  let isOver = false;
  const durationMs = (load.warmUpSeconds + load.seconds) * 1_000;
  const [path = '/', cookie = ''] = [load.paths[0], load.cookies[0]];
  const halfway = setTimeout(durationMs / 2).then(() => processOfApi(launcherId));
  const other = repeat(`${load.origin}${path}`, cookie, 1_000, () => isOver);
  const live = repeat(`${load.origin}/health/live`, '', healthIntervalMs, () => isOver);
  const result = await send(load, load.origin);
  const recoveryMs = await timeToAnswer(`${load.origin}${path}`, cookie);
  isOver = true;
  const used = processOfApi(launcherId);
  const growthMb = used.residentMb - (await halfway).residentMb;
  const [polite, health] = [await other, await live];
  const p99 = (values: readonly number[]): number => percentile(values, 0.99);

  say(
    `${count(load.requestsPerSecond)} requests per second for ${load.seconds} s; memory ${ms(growthMb)} MB more;`,
  );
  say(`errors: ${JSON.stringify(result.errors)}.`);
  say();
  report([
    ['answered', result.latenciesMs],
    ['refused', result.refusalsMs],
    ['one request a second of another account', polite.latenciesMs],
    ['/health/live', health.latenciesMs],
    ['a server that refuses everything', peer.refusalsMs],
  ]);
  const claim = `explore at ${load.requestsPerSecond} requests/s, ${engine}`;
  return [
    {
      claim: `${claim}, p99 of the answered ones`,
      aim: `≤ ${aimsMs.answered} ms`,
      measured: `${ms(p99(result.latenciesMs))} ms, ${times(p99(result.latenciesMs) / p99(usualMs))} the usual`,
      reached: p99(result.latenciesMs) <= aimsMs.answered,
    },
    {
      claim: '… of the refused ones',
      aim: `≤ ${aimsMs.refused} ms`,
      measured: `${ms(p99(result.refusalsMs))} ms, ${times(p99(result.refusalsMs) / p99(peer.refusalsMs))} a bare server's`,
      reached: p99(result.refusalsMs) <= aimsMs.refused,
    },
    {
      claim: '… failures of another account and of /health/live',
      aim: 'none',
      measured: [...new Set([...polite.failures, ...health.failures])].join(', ') || 'none',
      reached: polite.failures.length + health.failures.length === 0,
    },
    {
      claim: '… growth of memory',
      aim: `≤ ${maxGrowthMb} MB`,
      measured: `${ms(growthMb)} MB`,
      reached: growthMb <= maxGrowthMb,
    },
    {
      claim: '… time to the next answer after it',
      aim: `≤ ${maxRecoveryMs} ms`,
      measured: `${ms(recoveryMs)} ms`,
      reached: recoveryMs <= maxRecoveryMs,
    },
  ];
};
