import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { explorerRoutes } from '@tapedeck/explorer/contract';
import { arrivalTimes, type Duration } from '../http/arrivals.ts';
import type { LoadResult } from '../http/load.ts';
import { sendRequests } from '../http/send-requests.ts';
import { signIn } from '../http/sign-in.ts';
import { count, ms, say, table, times, type Claim } from '../print.ts';
import { startProduct, usualLimits, type Product } from '../product.ts';
import { percentile } from '../statistics.ts';
import { hammerWays, type HammerCounts, type HammerOrder } from './hammer-ways.ts';

const others = 16;
const requestsPerSecond = 100;
const aimMs = 50;
const fullDuration: Duration = { warmUpSeconds: 3, seconds: 15 };
const quickDuration: Duration = { warmUpSeconds: 1, seconds: 2 };
/** Those who may export. */
const exporters: Readonly<Record<string, string>> = {
  exports: 'pro@tapedeck.example',
  'everything at once': 'elite@tapedeck.example',
};
const differentRequests = 400;

const paths = Array.from(
  { length: differentRequests },
  (_, at) =>
    `${explorerRoutes.explore}?limit=12&min_likes=${at % 40}&max_max_drawdown_percent=${50 + (at % 50)}`,
);

type Hammer = Readonly<{ stop: () => Promise<HammerCounts> }>;

const startHammer = (order: HammerOrder): Hammer => {
  const child: ChildProcess = fork(fileURLToPath(new URL('./hammer.js', import.meta.url)), { execArgv: [] });
  let counts: HammerCounts = {};
  child.once('message', (message) => {
    counts = message as HammerCounts;
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.send(order);
  return {
    stop: async () => {
      child.send('stop');
      await ended;
      return counts;
    },
  };
};

const strategiesOf = async (origin: string, cookie: string): Promise<readonly string[]> => {
  const answer = await fetch(`${origin}${explorerRoutes.explore}?limit=100`, { headers: { cookie } });
  const { strategies } = (await answer.json()) as { strategies: readonly { url_id: string }[] };
  return strategies.map(({ url_id }) => url_id);
};

type Measured = Readonly<{ others: LoadResult; hammer: HammerCounts }>;

const measure = async (
  { url: origin }: Product,
  duration: Duration,
): Promise<ReadonlyMap<string, Measured>> => {
  const cookies: string[] = [];
  for (let at = 0; at < others; at++) cookies.push(await signIn(origin, `other-${at}@tapedeck.example`));
  const urlIds = await strategiesOf(origin, cookies[0] ?? '');
  const load = {
    origin,
    cookies,
    paths,
    arrivalsMs: arrivalTimes(() => 1_000 / requestsPerSecond, duration),
    warmUpMs: duration.warmUpSeconds * 1_000,
    sampleEvery: Number.MAX_SAFE_INTEGER,
  };
  const measured = new Map<string, Measured>([['nobody', { others: await sendRequests(load), hammer: {} }]]);
  for (const way of hammerWays) {
    // Each way by another member, whose limits are not used up.
    const cookie = await signIn(origin, exporters[way] ?? `${way.replaceAll(' ', '-')}@tapedeck.example`);
    const hammer = startHammer({ way, origin, cookie, urlIds });
    const result = await sendRequests(load);
    measured.set(way, { others: result, hammer: await hammer.stop() });
  }
  return measured;
};

const measureProduct = async (duration: Duration): Promise<ReadonlyMap<string, Measured>> => {
  const product = await startProduct(usualLimits);
  try {
    return await measure(product, duration);
  } finally {
    await product.stop();
  }
};

const failuresOf = ({ errors, refusalsMs }: LoadResult): number =>
  refusalsMs.length + Object.values(errors).reduce((sum, one) => sum + one, 0);

const countsText = (counts: HammerCounts): string =>
  Object.entries(counts)
    .map(([status, number]) => `${count(number)} × ${status}`)
    .join(', ');

const p99Of = ({ latenciesMs }: LoadResult): number => percentile(latenciesMs, 0.99);

export const benchFairness = async (quick: boolean): Promise<readonly Claim[]> => {
  say(
    `Fairness: ${others} members explore, ${requestsPerSecond} requests per second, while one member sends as much as possible.`,
  );
  say();
  const measured = await measureProduct(quick ? quickDuration : fullDuration);
  table(
    ['one member sends', 'others p50 ms', 'p99 ms', 'max ms', 'failed', 'answers to that member'],
    [...measured].map(([way, { others: result, hammer }]) => [
      way,
      ...[0.5, 0.99, 1].map((p) => ms(percentile(result.latenciesMs, p))),
      count(failuresOf(result)),
      countsText(hammer),
    ]),
  );
  const inPeace = measured.get('nobody');
  const usualMs = inPeace ? p99Of(inPeace.others) : NaN;
  return [...measured]
    .filter(([way]) => way !== 'nobody')
    .map(([way, { others: result }]) => ({
      claim: `others’ p99 while one member sends ${way}`,
      aim: `≤ ${aimMs} ms, 0 failed`,
      measured: `${ms(p99Of(result))} ms, ${times(p99Of(result) / usualMs)} the usual, ${failuresOf(result)} failed`,
      reached: p99Of(result) <= aimMs && failuresOf(result) === 0,
    }));
};
