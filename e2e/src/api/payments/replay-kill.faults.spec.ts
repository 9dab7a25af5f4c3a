import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditRoutes, FoundMembers } from '@tapedeck/audit/contract';
import { pendingEvents } from '@tapedeck/eventing/reactions';
import { eventually, type DeathPoint } from '@tapedeck/eventing/testing';
import { runRoleCommand } from '@tapedeck/identity/roles';
import { ReplayDetails, ReplayPlan, replayRoutes } from '@tapedeck/replay/contract';
import { buyAs, memberAt, outsideOf, tierOf, type Answer, type Person } from './buyers.ts';
import { assertSettled } from './payments-product.ts';
import { startRealProcesses, type RealProcesses } from './real-processes.ts';

let product: RealProcesses;
let support: Person;
const staff = 'support@example.com';

const query = async <Row extends object>(
  sql: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> => (await product.product.databases.tapedeck.query<Row>(sql, [...values])).rows;

beforeAll(async () => {
  product = await startRealProcesses();
  await memberAt(product, staff);
  const { product: opened, clock } = product;
  const output = { write: () => undefined };
  const options = { store: opened.store, pool: opened.databases.tapedeck, clock, output, errors: output };
  await runRoleCommand({ ...options, args: ['grant', 'support', staff] });
  support = await memberAt(product, staff);
}, 120_000);
afterAll(() => product.close());

const moveClock = (seconds: number): Promise<unknown> => product.control('/clock', { seconds });

/** The job that brings lost webhooks has nothing to do in the next minutes. */
const rest = async (): Promise<void> => {
  await moveClock(400);
  await eventually(async () => {
    const due = await query<{ due_at: Date }>(
      `select due_at from scheduled_jobs where name = 'stripe-undelivered-events'`,
    );
    expect(due[0]?.due_at.getTime()).toBeGreaterThan(product.clock.now() + 240_000);
  }, 20_000);
};

type Counts = Readonly<Record<string, number>>;

const countEvents = async (after: string): Promise<Counts> => {
  const rows = await query<{ type: string; count: number }>(
    'select type, count(*)::int as count from tape_events where position > $1 group by 1 order by 1',
    [after],
  );
  return Object.fromEntries(rows.map(({ type, count }) => [type, count]));
};

const head = async (): Promise<string> => String(await product.product.store.head());

type LostPurchase = Readonly<{ member: Person; plan: ReplayPlan; position: string }>;

/** All webhooks of a purchase are lost, and support has made a dry run of bringing them. */
const losePurchase = async (email: string): Promise<LostPurchase> => {
  const member = await memberAt(product, email);
  await rest();
  await product.control('/deliveries/rules', { action: 'drop' });
  await buyAs(member);
  await product.control('/deliveries/rules/clear');
  let accountId = '';
  await eventually(async () => {
    const { body } = await support.get(`${auditRoutes.find}?q=${encodeURIComponent(email)}`);
    accountId = FoundMembers.parse(body).members[0]?.accountId ?? '';
    expect(accountId).not.toBe('');
  });
  const position = await head();
  const target = { kind: 'member', accountId };
  const answer = await support.send('POST', replayRoutes.replays, { mode: 'refetch', target });
  expect(answer).toMatchObject({ status: 201 });
  return { member, plan: ReplayPlan.parse(answer.body), position };
};

const apply = ({ replayId, fingerprint }: ReplayPlan): Promise<Answer> =>
  support.send('POST', replayRoutes.apply(replayId), { fingerprint, reason: 'The webhooks were lost.' });

const statusOf = async ({ replayId }: ReplayPlan): Promise<string> =>
  ReplayDetails.parse((await support.get(replayRoutes.one(replayId))).body).replay.status;

/** When everything has followed from the replay, effects that waited for its end included. */
const outcomeOf = async ({ member, plan, position }: LostPurchase): Promise<unknown> => {
  await eventually(async () => expect(await statusOf(plan)).toBe('applied'), 30_000);
  await eventually(() => assertSettled(product.product), 30_000);
  await eventually(
    async () => expect(await pendingEvents(product.product.databases.tapedeck)).toEqual([]),
    20_000,
  );
  await eventually(async () => expect(await tierOf(member)).toBe('Pro active'));
  return { events: await countEvents(position), steps: plan.events.map(({ type }) => type) };
};

type Kill = Readonly<{ name: string; at: DeathPoint; status: 'tried' | 'applying' | 'applied' }>;

const append = (when: 'before' | 'after', type: string): DeathPoint => ({
  when,
  contains: ['tape_append', type],
});

const kills: readonly Kill[] = [
  { name: 'before it is confirmed', at: append('before', 'ReplayApplied'), status: 'tried' },
  { name: 'after it is confirmed', at: append('after', 'ReplayApplied'), status: 'applying' },
  { name: 'after the first event', at: append('after', 'StripeEventReceived'), status: 'applying' },
  { name: 'before the reading of Stripe', at: append('before', 'SubscriptionObserved'), status: 'applying' },
  // The membership follows in whichever process is first.
  { name: 'after the reading of Stripe', at: append('after', 'SubscriptionObserved'), status: 'applying' },
  { name: 'before it is complete', at: append('before', 'ReplayCompleted'), status: 'applying' },
  { name: 'before its answer', at: append('after', 'ReplayCompleted'), status: 'applied' },
];

describe('a process that is killed while it applies a replay', () => {
  let undisturbed: unknown;
  beforeAll(async () => {
    const lost = await losePurchase('undisturbed@example.com');
    expect(await apply(lost.plan)).toMatchObject({ status: 200, body: { outcome: 'applied' } });
    undisturbed = await outcomeOf(lost);
  }, 120_000);

  it.each(kills)(
    '$name leads to the same outcome, and asks nobody to remember it',
    async ({ name, at, status }) => {
      const lost = await losePurchase(`${name.replaceAll(' ', '-')}@example.com`);
      const before = await outsideOf(product);
      const { died } = await product.dieAt('api', at);
      const answered = ({ status: code, body }: Answer): never => {
        throw new Error(`It was answered with ${code} and did not die: ${JSON.stringify(body)}`);
      };
      await Promise.all([apply(lost.plan).then(answered, () => undefined), died]);
      await product.start('api');
      expect(await statusOf(lost.plan)).toBe(status);
      if (status === 'tried') expect(await apply(lost.plan)).toMatchObject({ status: 200 });
      else await moveClock(120);
      expect(await outcomeOf(lost)).toEqual(undisturbed);
      expect(await outsideOf(product)).toEqual(before);
    },
  );
});
