import { setTimeout } from 'node:timers/promises';
import { Exploration, explorerRoutes } from '@tapedeck/explorer/contract';
import { sortFields, facets } from '@tapedeck/search-engine/contract';
import { count, ms, say, table, type Claim } from '../print.ts';
import { startProduct, type Product } from '../product.ts';
import { randomOf, type Random } from '../random.ts';
import { percentile } from '../statistics.ts';
import type { LoadResult } from './load.ts';
import { arrivalTimes, type Duration } from './arrivals.ts';
import { measureOverload, type OverloadAims } from './overload.ts';
import { sendRequests } from './send-requests.ts';
import { signIn } from './sign-in.ts';

/** The product with one of its search engines. `requestsPerSecond` is fixed: what the engine bears on two cores. */
type Subject = Readonly<{
  engine: string;
  requestsPerSecond: number;
  /** Whether the usual rate has an aim. */
  hasAim: boolean;
  /** Much more than the engine bears. */
  overload: Readonly<{ requestsPerSecond: number; aimsMs: OverloadAims }>;
  env: Readonly<Record<string, string>>;
}>;

const columnar: Subject = {
  engine: 'columnar engine',
  requestsPerSecond: 500,
  hasAim: true,
  overload: { requestsPerSecond: 2_000, aimsMs: { answered: 500, refused: 100 } },
  env: {},
};
const elasticsearch = (url: string): Subject => ({
  engine: 'Elasticsearch',
  requestsPerSecond: 20,
  hasAim: false,
  overload: { requestsPerSecond: 200, aimsMs: { answered: 1_000, refused: 50 } },
  env: { ELASTICSEARCH_URL: url, ELASTICSEARCH_INDEX: `tapedeck-bench-http-${process.pid}` },
});

const accounts = 16;
const differentRequests = 5_000;
const aimsMs = { p50: 3, p99: 20 };
const samplesPerRun = 40;
const fullDuration: Duration = { warmUpSeconds: 15, seconds: 30 };
const quickDuration: Duration = { warmUpSeconds: 1, seconds: 3 };

/** The time between two requests, as a multiple of its mean. */
const schedules: Readonly<Record<string, (random: Random) => number>> = {
  'at equal intervals': () => 1,
  'at random (Poisson)': (random) => -Math.log(1 - random.uniform()),
};

const words = ['macd', 'rsi', 'supertrend', 'ema', 'breakout', 'scalp', 'btc'];
const rowsPerPage = 12;

const pick = <T>(random: Random, all: readonly T[]): T | undefined => all[random.below(all.length)];

/** The path of a random request as the page sends it: some ranges between bin edges, sometimes a word, any order and page. */
const randomRequest = (random: Random, { histograms }: Exploration): string => {
  const query = new URLSearchParams({ limit: String(rowsPerPage) });
  for (const { field, edges } of histograms) {
    if (random.uniform() < 0.4) continue;
    const from = random.below(Math.ceil(edges.length / 4));
    const to = edges.length - 1 - random.below(Math.ceil(edges.length / 4));
    query.set(`min_${facets[field].parameter}`, String(edges[from]));
    if (to > from) query.set(`max_${facets[field].parameter}`, String(edges[to]));
  }
  if (random.uniform() < 0.2) query.set('search', pick(random, words) ?? 'macd');
  query.set('sort_by', pick(random, sortFields) ?? 'total_pandl');
  query.set('page', String(1 + random.below(3)));
  return `${explorerRoutes.explore}?${query.toString()}`;
};

const explore = async (origin: string, path: string, cookie: string): Promise<string> => {
  const response = await fetch(new URL(path, origin), { headers: { cookie } });
  if (response.status !== 200) throw new Error(`${path} returned status ${response.status}.`);
  return response.text();
};

const settledMs = 3_000;
const pollIntervalMs = 250;
const maxSettlingMs = 120_000;

/**
 * Waits until the answer to the same request has stayed the same for some seconds: an engine in another server gets the
 * demo catalogue, and the bin edges for it, after the product is ready.
 */
const waitForCatalogue = async (origin: string, cookie: string): Promise<Exploration> => {
  let last = '';
  let since = performance.now();
  for (const deadline = since + maxSettlingMs; performance.now() - since < settledMs;) {
    const body = await explore(origin, explorerRoutes.explore, cookie).catch(() => '');
    if (body !== last || body === '') since = performance.now();
    last = body;
    if (performance.now() > deadline) throw new Error('The catalogue does not settle.');
    await setTimeout(pollIntervalMs);
  }
  return Exploration.parse(JSON.parse(last));
};

/** Throws when a response under load differs from the response to the same request afterwards. */
const checkSamples = async (
  origin: string,
  cookies: readonly string[],
  result: LoadResult,
): Promise<void> => {
  for (const { path, account, body } of result.samples) {
    if ((await explore(origin, path, cookies[account] ?? '')) === body) continue;
    throw new Error(`${path} returns another response under load: the results are invalid.`);
  }
};

const printResults = (results: ReadonlyMap<string, LoadResult>): void => {
  table(
    ['requests sent', 'answered', 'errors', 'p50 ms', 'p95 ms', 'p99 ms', 'max ms', 'sent late p50', 'p99'],
    [...results].map(([name, { latenciesMs, delaysMs, errors }]) => [
      name,
      count(latenciesMs.length),
      count(Object.values(errors).reduce((sum, times) => sum + times, 0)),
      ...[0.5, 0.95, 0.99, 1].map((p) => ms(percentile(latenciesMs, p))),
      ...[0.5, 0.99].map((p) => ms(percentile(delaysMs, p))),
    ]),
  );
};

const claimsOf = (
  requestsPerSecond: number,
  { latenciesMs, refusalsMs, errors }: LoadResult,
): readonly Claim[] => {
  const claim = `explore at ${requestsPerSecond} requests/s over HTTP`;
  const [p50, p99] = [percentile(latenciesMs, 0.5), percentile(latenciesMs, 0.99)];
  const reasons = Object.entries({ ...errors, refused: refusalsMs.length })
    .filter(([, times]) => times > 0)
    .map(([reason, times]) => `${times} × ${reason}`);
  return [
    {
      claim: `${claim}, p50`,
      aim: `≤ ${aimsMs.p50} ms`,
      measured: `${ms(p50)} ms`,
      reached: p50 <= aimsMs.p50,
    },
    { claim: '… p99', aim: `≤ ${aimsMs.p99} ms`, measured: `${ms(p99)} ms`, reached: p99 <= aimsMs.p99 },
    {
      claim: '… errors',
      aim: 'none',
      measured: reasons.join(', ') || 'none',
      reached: reasons.length === 0,
    },
  ];
};

const measure = async (
  { url: origin, launcherId }: Product,
  { engine, requestsPerSecond, hasAim, overload }: Subject,
  duration: Duration,
): Promise<readonly Claim[]> => {
  const emails = Array.from({ length: accounts }, (_, index) => `bench-${index}@tapedeck.example`);
  const cookies: string[] = [];
  for (const email of emails) cookies.push(await signIn(origin, email));
  const random = randomOf(500);
  const unfiltered = await waitForCatalogue(origin, cookies[0] ?? '');
  const paths = Array.from({ length: differentRequests }, () => randomRequest(random, unfiltered));

  const results = new Map<string, LoadResult>();
  for (const [name, interval] of Object.entries(schedules)) {
    const arrivalsMs = arrivalTimes(() => (interval(random) * 1_000) / requestsPerSecond, duration);
    const sampleEvery = Math.max(1, Math.floor((duration.seconds * requestsPerSecond) / samplesPerRun));
    const warmUpMs = duration.warmUpSeconds * 1_000;
    const result = await sendRequests({ origin, cookies, paths, arrivalsMs, warmUpMs, sampleEvery });
    await checkSamples(origin, cookies, result);
    results.set(name, result);
  }
  const [first] = results.values();
  if (!first) throw new Error('Nothing was measured.');
  say(
    `${engine}: ${count(unfiltered.total)} strategies, ${accounts} accounts, ${requestsPerSecond} requests per second for ${duration.seconds} s ` +
      `after ${duration.warmUpSeconds} s of warm-up; ${count(first.bytes / first.latenciesMs.length / 1_024)} KB per response;`,
  );
  say(`${first.samples.length} responses of each run equal those to the same request afterwards.`);
  say(`Rate limits, raised for the benchmark: ${first.rateLimits.join(', ') || 'none in any response'}.`);
  say();
  printResults(results);
  const claims = hasAim ? claimsOf(requestsPerSecond, first) : [];
  const { aimsMs: overloadAimsMs, requestsPerSecond: overloadPerSecond } = overload;
  const load = { origin, cookies, paths, requestsPerSecond: overloadPerSecond, ...duration };
  const options = { engine, aimsMs: overloadAimsMs, usualMs: first.latenciesMs, launcherId };
  return [...claims, ...(await measureOverload(load, options))];
};

const measureProduct = async (subject: Subject, duration: Duration): Promise<readonly Claim[]> => {
  const product = await startProduct(subject.env);
  try {
    return await measure(product, subject, duration);
  } finally {
    await product.stop();
  }
};

export const benchHttp = async (quick: boolean): Promise<readonly Claim[]> => {
  say('HTTP: GET /api/strategies/explore of the built product, with sessions and its own PostgreSQL.');
  say('The latency of a request counts from the time at which it was to be sent, which is fixed in advance.');
  say();
  const duration = quick ? quickDuration : fullDuration;
  const claims = await measureProduct(columnar, duration);
  const url = process.env['ELASTICSEARCH_URL'];
  if (url) return [...claims, ...(await measureProduct(elasticsearch(url), duration))];
  say('Elasticsearch is not measured: this machine has none.');
  return claims;
};
