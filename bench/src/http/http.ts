import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Exploration, explorerRoutes } from '@tapedeck/explorer/contract';
import { count, ms, say, table, type Claim } from '../print.ts';
import { startProduct } from '../product.ts';
import { randomOf, type Random } from '../random.ts';
import { percentile } from '../statistics.ts';
import type { Load, LoadResult } from './load.ts';
import { drawQuestion } from './questions.ts';
import { signIn } from './sign-in.ts';

const perSecond = 500;
const accounts = 16;
const differentQuestions = 5_000;
const aims = { p50: 3, p99: 20 };
const kept = 40;
/** How far up the slope of its warming up the first request stands. */
const coldMillis = 500;

type Span = Readonly<{ warmSeconds: number; seconds: number }>;
const fullSpan: Span = { warmSeconds: 15, seconds: 30 };
const quickSpan: Span = { warmSeconds: 3, seconds: 5 };

const schedules: Readonly<Record<string, (random: Random) => number>> = {
  'at equal distances': () => 1_000 / perSecond,
  'at random (Poisson)': (random) => (-Math.log(1 - random.uniform()) * 1_000) / perSecond,
};

const arrivalsOf = (gap: () => number, { warmSeconds, seconds }: Span): readonly number[] => {
  const arrivals: number[] = [];
  for (let at = 0; at < (warmSeconds + seconds) * 1_000;) {
    arrivals.push(at);
    // A cold server is led up to the full rate: a queue from its first seconds would be measured for long after.
    at += gap() / Math.min(1, (at + coldMillis) / (warmSeconds * 1_000));
  }
  return arrivals;
};

/** The requests are made in a process of their own, so that they do not wait for what this one does. */
const makeRequests = (load: Load): Promise<LoadResult> =>
  new Promise((resolve, reject) => {
    const generator = fork(fileURLToPath(new URL('./generator.js', import.meta.url)), { execArgv: [] });
    let result: LoadResult | undefined;
    generator.once('message', (message) => {
      result = message as LoadResult;
    });
    generator.once('exit', (code) => {
      if (result) resolve(result);
      else reject(new Error(`The process that makes the requests ended with ${code}.`));
    });
    generator.send(load);
  });

const explore = async (origin: string, path: string, cookie: string): Promise<string> => {
  const response = await fetch(new URL(path, origin), { headers: { cookie } });
  if (response.status !== 200) throw new Error(`${path} is answered by ${response.status}.`);
  return response.text();
};

/** What was answered in the crowd must be what is answered in peace. */
const checkKept = async (origin: string, cookies: readonly string[], result: LoadResult): Promise<void> => {
  for (const { path, account, body } of result.kept) {
    if ((await explore(origin, path, cookies[account] ?? '')) === body) continue;
    throw new Error(`${path} is answered differently under load: its figures would be worth nothing.`);
  }
};

const showResults = (results: ReadonlyMap<string, LoadResult>): void => {
  table(
    ['requests arrive', 'answered', 'errors', 'p50 ms', 'p95 ms', 'p99 ms', 'max ms', 'sent late p50', 'p99'],
    [...results].map(([name, { latencies, lateness, errors }]) => [
      name,
      count(latencies.length),
      count(Object.values(errors).reduce((sum, times) => sum + times, 0)),
      ...[0.5, 0.95, 0.99, 1].map((p) => ms(percentile(latencies, p))),
      ...[0.5, 0.99].map((p) => ms(percentile(lateness, p))),
    ]),
  );
};

const claimsOf = ({ latencies, errors }: LoadResult): readonly Claim[] => {
  const claim = `explore at ${perSecond} requests/s over HTTP`;
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  const reasons = Object.entries(errors).map(([reason, times]) => `${times} × ${reason}`);
  return [
    { claim: `${claim}, p50`, aim: `≤ ${aims.p50} ms`, measured: `${ms(p50)} ms`, reached: p50 <= aims.p50 },
    { claim: '… p99', aim: `≤ ${aims.p99} ms`, measured: `${ms(p99)} ms`, reached: p99 <= aims.p99 },
    {
      claim: '… errors',
      aim: 'none',
      measured: reasons.join(', ') || 'none',
      reached: reasons.length === 0,
    },
  ];
};

const measure = async (origin: string, span: Span): Promise<readonly Claim[]> => {
  const emails = Array.from({ length: accounts }, (_, index) => `bench-${index}@tapedeck.example`);
  const cookies: string[] = [];
  for (const email of emails) cookies.push(await signIn(origin, email));
  const random = randomOf(500);
  const open = Exploration.parse(JSON.parse(await explore(origin, explorerRoutes.explore, cookies[0] ?? '')));
  const paths = Array.from({ length: differentQuestions }, () => drawQuestion(random, open));

  const results = new Map<string, LoadResult>();
  for (const [name, gap] of Object.entries(schedules)) {
    const arrivals = arrivalsOf(() => gap(random), span);
    const keepEvery = Math.max(1, Math.floor((span.seconds * perSecond) / kept));
    const warmUntil = span.warmSeconds * 1_000;
    const result = await makeRequests({ origin, cookies, paths, arrivals, warmUntil, keepEvery });
    await checkKept(origin, cookies, result);
    results.set(name, result);
  }
  const [even] = results.values();
  if (!even) throw new Error('Nothing was measured.');
  say(
    `${count(open.total)} strategies, ${accounts} accounts, ${perSecond} requests a second for ${span.seconds} s ` +
      `after ${span.warmSeconds} s of warming up; ${count(even.bytes / even.latencies.length / 1_024)} KB an answer;`,
  );
  say(`${even.kept.length} answers of each run equal those to the same question afterwards.`);
  say(`Rate limits: ${even.limits.join(', ') || 'no answer speaks of any'}.`);
  say();
  showResults(results);
  return claimsOf(even);
};

export const benchHttp = async (quick: boolean): Promise<readonly Claim[]> => {
  say('HTTP: GET /api/strategies/explore of the built product, with sessions, on a PostgreSQL of its own.');
  say('Latency counts from the moment at which a request was to begin, which is fixed in advance.');
  say();
  const product = await startProduct();
  try {
    return await measure(product.url, quick ? quickSpan : fullSpan);
  } finally {
    await product.stop();
  }
};
