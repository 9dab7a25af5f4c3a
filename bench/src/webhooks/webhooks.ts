import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';
import { freshDatabase, runCheckpoint, steadyPool } from '../databases.ts';
import { count, ms, say, type Claim } from '../print.ts';
import { inTemporaryFolder, type CleanUps } from '../temporary-folder.ts';
import { startCommands } from './commands.ts';
import { withCpuTimes } from './cpu-time.ts';
import { untilAtEnd, untilHandledBy, untilMade } from './effects.ts';
import { environmentOf, programs, startProgram, webhookPath, webhookSecret } from './processes.ts';
import { buyAll, startReceiver } from './purchases.ts';
import { claimsOf, printResults, type Measured, type Round } from './results.ts';
import { sendWebhooks } from './send-webhooks.ts';

const connections = 32;

type Sizes = Readonly<{ customers: number; rounds: number; peaceMs: number }>;
const fullSizes: Sizes = { customers: 1_500, rounds: 5, peaceMs: 5_000 };
const quickSizes: Sizes = { customers: 24, rounds: 2, peaceMs: 500 };

type ProcessIds = Readonly<Record<string, number>>;
type Target = Readonly<{
  ours: string;
  theirs: string;
  file: string;
  pool: Pool;
  processIds: Readonly<{ ours: ProcessIds; theirs: ProcessIds }>;
}>;

const sendTo = async (
  { file, pool, ...target }: Target,
  whom: 'ours' | 'theirs',
  from: number,
  to: number,
): Promise<Round['ours']> => {
  const webhooks = {
    url: `${target[whom]}${webhookPath}`,
    file,
    from,
    to,
    connections,
    secret: webhookSecret,
  };
  const sending = await withCpuTimes(target.processIds[whom], pool, () => sendWebhooks(webhooks));
  return { ...sending.result, cpu: { ...sending.cpu, generator: sending.result.cpuMs } };
};

/** The first round only warms both up. */
const acceptInRounds = async (target: Target, events: number, rounds: number): Promise<readonly Round[]> => {
  const measured: Round[] = [];
  const size = Math.floor(events / (rounds + 1));
  for (let round = 0; round <= rounds; round++) {
    const part = [round * size, round === rounds ? events : (round + 1) * size] as const;
    await runCheckpoint();
    // Each begins in every second round.
    const first = round % 2 === 0 ? await sendTo(target, 'ours', ...part) : undefined;
    const other = await sendTo(target, 'theirs', ...part);
    const own = first ?? (await sendTo(target, 'ours', ...part));
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
  target: Target,
  { env, sent, bodies }: Readonly<{ env: Env; sent: number; bodies: readonly string[] }>,
): Promise<Pick<Measured, 'meanwhile' | 'effectsMs' | 'commandsMeanwhile' | 'workedOffCpu'>> => {
  const { pool } = target;
  const projector = await startProgram(programs.projector, env);
  try {
    const processIds = { ...target.processIds.ours, projector: projector.processId };
    const startedAt = performance.now();
    const { result, cpu } = await withCpuTimes(processIds, pool, async () => {
      const stopCommands = startCommands(target.ours, 'meanwhile');
      const meanwhile = await sendTo(target, 'ours', sent, bodies.length);
      await assertOnTape(pool, bodies);
      await untilHandledBy(pool, 'stripe-events');
      const commandsMeanwhile = await stopCommands();
      await untilAtEnd(pool);
      return { meanwhile, effectsMs: performance.now() - startedAt, commandsMeanwhile };
    });
    return { ...result, workedOffCpu: { ...cpu, generator: result.meanwhile.cpuMs } };
  } finally {
    await projector.stop();
  }
};

const measure = async (sizes: Sizes, folder: string, cleanUps: CleanUps): Promise<Measured> => {
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
  const sandbox = await start(programs.sandbox, env);
  await makeReadModels(env, pool);
  const api = await start(programs.api, env);
  const peer = await start(programs.peer, { DATABASE_URL: await freshDatabase('bench_webhooks_peer') });

  await buyAll(url, env['STRIPE_API_URL'] ?? '', sizes.customers);
  const bodies = receiver.bodies();
  const file = join(folder, 'webhooks');
  await writeFile(file, bodies.map((body) => JSON.stringify(body)).join('\n'));
  const processIds = {
    ours: { server: api.processId, 'stand-in': sandbox.processId },
    theirs: { server: peer.processId },
  };
  const target: Target = { ours: url, theirs: `http://127.0.0.1:${peer.port}`, file, pool, processIds };
  const stopCommands = startCommands(url, 'peace');
  await setTimeout(sizes.peaceMs);
  const commandsInPeace = await stopCommands();
  const half = Math.floor(bodies.length / 2);
  const rounds = await acceptInRounds(target, half, sizes.rounds);
  const worked = await workOff(target, { env, sent: half, bodies });
  await assertPurchases(pool, sizes.customers);
  return { events: bodies.length, rounds, commandsInPeace, ...worked };
};

export const benchWebhooks = async (quick: boolean): Promise<readonly Claim[]> => {
  const sizes = quick ? quickSizes : fullSizes;
  const measured = await inTemporaryFolder((folder, cleanUps) => measure(sizes, folder, cleanUps));
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
