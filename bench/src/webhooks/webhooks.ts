import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';
import { freshDatabase, runCheckpoint, steadyPool } from '../databases.ts';
import { count, ms, say, table, type Claim } from '../print.ts';
import { median, percentile } from '../statistics.ts';
import { startCommands } from './commands.ts';
import { untilAtEnd, untilHandledBy, untilMade } from './effects.ts';
import { environmentOf, programs, startProgram, webhookPath, webhookSecret } from './processes.ts';
import { buyAll, startReceiver } from './purchases.ts';
import { sendWebhooks, type Sent } from './send-webhooks.ts';

const aims = { acceptedPerSecond: 1_000, acceptedMs: 100, effectsPerSecond: 1_000, commandMs: 100 };
const connections = 32;

type Sizes = Readonly<{ customers: number; rounds: number; peaceMs: number }>;
const fullSizes: Sizes = { customers: 1_500, rounds: 5, peaceMs: 5_000 };
const quickSizes: Sizes = { customers: 24, rounds: 2, peaceMs: 500 };

/** The same webhooks, in turn to the product and to the peer. */
type Round = Readonly<{ ours: Sent; theirs: Sent }>;

type Target = Readonly<{ ours: string; theirs: string; file: string }>;

const perSecond = ({ latenciesMs, elapsedMs }: Sent): number => (latenciesMs.length * 1_000) / elapsedMs;

const sendTo = (url: string, file: string, from: number, to: number): Promise<Sent> =>
  sendWebhooks({ url: `${url}${webhookPath}`, file, from, to, connections, secret: webhookSecret });

/** The first round only warms both up. */
const acceptInRounds = async (
  { ours, theirs, file }: Target,
  events: number,
  rounds: number,
): Promise<readonly Round[]> => {
  const measured: Round[] = [];
  const size = Math.floor(events / (rounds + 1));
  for (let round = 0; round <= rounds; round++) {
    const part = [round * size, round === rounds ? events : (round + 1) * size] as const;
    await runCheckpoint();
    // Each begins in every second round.
    const first = round % 2 === 0 ? await sendTo(ours, file, ...part) : undefined;
    const other = await sendTo(theirs, file, ...part);
    const own = first ?? (await sendTo(ours, file, ...part));
    if (round > 0) measured.push({ ours: own, theirs: other });
  }
  return measured;
};

/** Throws unless the tape has each acknowledged event once, and nothing else of its type. */
const assertOnTape = async (pool: Pool, bodies: readonly string[]): Promise<void> => {
  const { rows } = await pool.query<{ id: string }>(
    `select split_part(stream, '-', 2) as id from tape_events where type = 'StripeEventReceived'`,
  );
  const wanted = new Set(bodies.map((body) => (JSON.parse(body) as { id: string }).id));
  const stored = new Set(rows.map(({ id }) => id));
  if (rows.length === wanted.size && [...wanted].every((id) => stored.has(id))) return;
  throw new Error(
    `${wanted.size} events were acknowledged, ${rows.length} are on the tape: the results are invalid.`,
  );
};

/** Throws unless every purchase is known to the read models. */
const assertPurchases = async (pool: Pool, customers: number): Promise<void> => {
  for (const sql of [
    `select count(*) from checkouts where status = 'paid'`,
    `select count(*) from subscription_customers where stripe_status = 'active'`,
    'select count(*) from unclaimed_purchases',
  ]) {
    const { rows } = await pool.query<{ count: string }>(sql);
    if (Number(rows[0]?.count) === customers) continue;
    throw new Error(
      `${customers} customers have bought, and "${sql}" returns ${rows[0]?.count}: the results are invalid.`,
    );
  }
};

type Measured = Readonly<{
  events: number;
  rounds: readonly Round[];
  /** Sent while the projector works off all events. */
  meanwhile: Sent;
  effectsMs: number;
  commandsInPeace: readonly number[];
  commandsMeanwhile: readonly number[];
}>;

type Env = Readonly<Record<string, string>>;

/** Makes the read models, which the API reads. */
const makeReadModels = async (env: Env, pool: Pool): Promise<void> => {
  const projector = await startProgram(programs.projector, env);
  try {
    await untilMade(pool, ['checkouts', 'subscription_customers', 'unclaimed_purchases']);
    await untilAtEnd(pool);
  } finally {
    await projector.stop();
  }
};

const workOff = async (
  { ours, file }: Target,
  { env, pool, sent, bodies }: Readonly<{ env: Env; pool: Pool; sent: number; bodies: readonly string[] }>,
): Promise<Pick<Measured, 'meanwhile' | 'effectsMs' | 'commandsMeanwhile'>> => {
  const projector = await startProgram(programs.projector, env);
  try {
    const startedAt = performance.now();
    const stopCommands = startCommands(ours, 'meanwhile');
    const meanwhile = await sendTo(ours, file, sent, bodies.length);
    await assertOnTape(pool, bodies);
    await untilHandledBy(pool, 'stripe-events');
    const commandsMeanwhile = await stopCommands();
    await untilAtEnd(pool);
    return { meanwhile, effectsMs: performance.now() - startedAt, commandsMeanwhile };
  } finally {
    await projector.stop();
  }
};

const measure = async (sizes: Sizes, folder: string, cleanUps: (() => unknown)[]): Promise<Measured> => {
  const databases = {
    tapedeck: await freshDatabase('bench_webhooks'),
    catalogue: await freshDatabase('bench_webhooks_catalogue'),
  };
  const pool = steadyPool(databases.tapedeck, 2);
  cleanUps.push(() => pool.end());
  const start = async (program: string, env: Env): ReturnType<typeof startProgram> => {
    const running = await startProgram(program, env);
    cleanUps.push(running.stop);
    return running;
  };
  const receiver = await startReceiver();
  cleanUps.push(receiver.close);
  const { url, env } = await environmentOf(databases, folder, receiver.url);
  await start(programs.sandbox, env);
  await makeReadModels(env, pool);
  await start(programs.api, env);
  const peer = await start(programs.peer, { DATABASE_URL: await freshDatabase('bench_webhooks_peer') });

  await buyAll(url, env['STRIPE_API_URL'] ?? '', sizes.customers);
  const bodies = receiver.bodies();
  const file = join(folder, 'webhooks');
  await writeFile(file, bodies.map((body) => JSON.stringify(body)).join('\n'));
  const target: Target = { ours: url, theirs: `http://127.0.0.1:${peer.port}`, file };
  const stopCommands = startCommands(url, 'peace');
  await setTimeout(sizes.peaceMs);
  const commandsInPeace = await stopCommands();
  const half = Math.floor(bodies.length / 2);
  const rounds = await acceptInRounds(target, half, sizes.rounds);
  const worked = await workOff(target, { env, pool, sent: half, bodies });
  await assertPurchases(pool, sizes.customers);
  return { events: bodies.length, rounds, commandsInPeace, ...worked };
};

const measureAndCleanUp = async (sizes: Sizes): Promise<Measured> => {
  const folder = await mkdtemp(join(tmpdir(), 'tapedeck-bench-'));
  await chmod(folder, 0o755);
  const cleanUps: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    return await measure(sizes, folder, cleanUps);
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
};

const latencies = (values: readonly number[]): readonly string[] =>
  [0.5, 0.99, 1].map((p) => ms(percentile(values, p)));

const printResults = ({ rounds, meanwhile, commandsInPeace, commandsMeanwhile }: Measured): void => {
  const rowOf = (name: string, sent: readonly Sent[]): readonly string[] => [
    name,
    count(sent.reduce((sum, each) => sum + each.latenciesMs.length, 0)),
    count(median(sent.map(perSecond))),
    ...latencies(sent.flatMap((each) => each.latenciesMs)),
  ];
  const rowOfCommands = (name: string, values: readonly number[]): readonly string[] => [
    name,
    count(values.length),
    '',
    ...latencies(values),
  ];
  table(
    ['requests', 'answered', 'per s', 'p50 ms', 'p99 ms', 'max ms'],
    [
      rowOf(
        'webhooks, ours',
        rounds.map(({ ours }) => ours),
      ),
      rowOf(
        '… signature and one insert',
        rounds.map(({ theirs }) => theirs),
      ),
      rowOf('… ours, while all of them are worked off', [meanwhile]),
      rowOfCommands('checkouts begun, in peace', commandsInPeace),
      rowOfCommands('… while webhooks are worked off', commandsMeanwhile),
    ],
  );
};

const atMost = (claim: string, values: readonly number[], aimMs: number): Claim => {
  const p99 = percentile(values, 0.99);
  return { claim, aim: `< ${aimMs} ms`, measured: `${ms(p99)} ms`, reached: p99 < aimMs };
};

const claimsOf = ({ events, rounds, effectsMs, commandsMeanwhile }: Measured): readonly Claim[] => {
  const accepted = median(rounds.map(({ ours }) => perSecond(ours)));
  const ratio = median(rounds.map(({ ours, theirs }) => perSecond(ours) / perSecond(theirs)));
  const effects = (events * 1_000) / effectsMs;
  return [
    {
      claim: 'webhooks accepted/s',
      aim: `≥ ${count(aims.acceptedPerSecond)}`,
      measured: `${count(accepted)}, ${ratio.toFixed(2)}× of one insert each`,
      reached: accepted >= aims.acceptedPerSecond,
    },
    atMost(
      '… p99',
      rounds.flatMap(({ ours }) => ours.latenciesMs),
      aims.acceptedMs,
    ),
    {
      claim: '… with all their effects, per s',
      aim: `≥ ${count(aims.effectsPerSecond)}`,
      measured: count(effects),
      reached: effects >= aims.effectsPerSecond,
    },
    atMost('… p99 of a checkout meanwhile', commandsMeanwhile, aims.commandMs),
  ];
};

export const benchWebhooks = async (quick: boolean): Promise<readonly Claim[]> => {
  const sizes = quick ? quickSizes : fullSizes;
  const measured = await measureAndCleanUp(sizes);
  say(
    `Webhooks: ${count(measured.events)} different events of ${count(sizes.customers)} purchases, over ${connections} open connections.`,
  );
  say(
    `All acknowledged events are on the tape; all effects and read models are at its end after ${ms(measured.effectsMs)} ms, none parked.`,
  );
  say();
  printResults(measured);
  return claimsOf(measured);
};
