import { expect } from '@jest/globals';
import { auditRoutes, FoundMembers } from '@tapedeck/audit/contract';
import { eventually } from '@tapedeck/eventing/testing';
import { ReplayDetails, ReplayPlan, replayRoutes } from '@tapedeck/replay/contract';
import { buyAs, memberAt, outsideOf, tierOf, type Answer, type Person } from '../api/payments/buyers.ts';
import {
  eventsAfter,
  headOf,
  newEmail,
  rowsOf,
  staffAt,
  untilIdle,
  type KillProduct,
} from './kill-product.ts';
import { append, killDuring, withoutAnswer, type Kill, type Run, type Scenario } from './scenario.ts';

const confirmed = { ReplayApplied: true, ReplayCompleted: false };

const kills: readonly Kill[] = [
  {
    name: 'before it is confirmed',
    process: 'api',
    at: append('before', 'ReplayApplied'),
    left: { ReplayApplied: false },
  },
  { name: 'after it is confirmed', process: 'api', at: append('after', 'ReplayApplied'), left: confirmed },
  {
    name: 'after the first event',
    process: 'api',
    at: append('after', 'StripeEventReceived'),
    left: { ...confirmed, StripeEventReceived: true },
  },
  {
    name: 'before the snapshot of Stripe is recorded',
    process: 'api',
    at: append('before', 'SubscriptionObserved'),
    left: confirmed,
  },
  {
    // The membership follows in that process which is first.
    name: 'after the snapshot of Stripe is recorded',
    process: 'api',
    at: append('after', 'SubscriptionObserved'),
    left: { ...confirmed, SubscriptionObserved: true },
  },
  {
    name: 'before it is complete',
    process: 'api',
    at: append('before', 'ReplayCompleted'),
    left: confirmed,
  },
  {
    name: 'before its answer',
    process: 'api',
    at: append('after', 'ReplayCompleted'),
    left: { ReplayApplied: true, ReplayCompleted: true },
  },
];

/** The job that brings lost webhooks has nothing to do in the next minutes. */
const rest = async (product: KillProduct): Promise<void> => {
  await product.control('/clock', { seconds: 400 });
  await eventually(async () => {
    const due = await rowsOf<{ due_at: Date }>(
      product,
      `select due_at from scheduled_jobs where name = 'stripe-undelivered-events'`,
    );
    expect(due[0]?.due_at.getTime()).toBeGreaterThan(product.clock.now() + 240_000);
  }, 20_000);
};

type LostPurchase = Readonly<{ member: Person; plan: ReplayPlan; position: string }>;

/** All webhooks of a purchase are lost, and support has made a dry run of bringing them. */
const losePurchase = async (product: KillProduct, support: Person, email: string): Promise<LostPurchase> => {
  const member = await memberAt(product, email);
  await rest(product);
  await product.control('/deliveries/rules', { action: 'drop' });
  await buyAs(member);
  await product.control('/deliveries/rules/clear');
  let accountId = '';
  await eventually(async () => {
    const { body } = await support.get(`${auditRoutes.find}?q=${encodeURIComponent(email)}`);
    accountId = FoundMembers.parse(body).members[0]?.accountId ?? '';
    expect(accountId).not.toBe('');
  });
  const position = await headOf(product);
  const target = { kind: 'member', accountId };
  const answer = await support.send('POST', replayRoutes.replays, { mode: 'refetch', target });
  expect(answer).toMatchObject({ status: 201 });
  return { member, plan: ReplayPlan.parse(answer.body), position };
};

const open = async (product: KillProduct): Promise<Run> => {
  const support = await staffAt(product, 'support', 'support@example.com');
  const apply = ({ replayId, fingerprint }: ReplayPlan): Promise<Answer> =>
    support.send('POST', replayRoutes.apply(replayId), { fingerprint, reason: 'The webhooks were lost.' });
  const statusOf = async ({ replayId }: ReplayPlan): Promise<string> =>
    ReplayDetails.parse((await support.get(replayRoutes.one(replayId))).body).replay.status;

  return async (kill) => {
    const { member, plan, position } = await losePurchase(product, support, newEmail());
    const before = await outsideOf(product);
    if (kill) {
      await killDuring(product, kill, () => withoutAnswer(apply(plan)));
      // Confirmed, it is continued by a job.
      if ((await statusOf(plan)) !== 'tried') await product.control('/clock', { seconds: 120 });
    }
    if (!kill || (await statusOf(plan)) === 'tried') expect(await apply(plan)).toMatchObject({ status: 200 });
    await eventually(async () => expect(await statusOf(plan)).toBe('applied'), 30_000);
    // Effects wait for its end.
    await untilIdle(product);
    await eventually(async () => expect(await tierOf(member)).toBe('Pro active'));
    expect(await outsideOf(product)).toEqual(before);
    return {
      events: await eventsAfter(product, position),
      steps: plan.events.map(({ type }) => type),
    };
  };
};

export const replay: Scenario = {
  title: 'the application of a replay',
  kills,
  outcome: { events: { ReplayApplied: 1, ReplayCompleted: 1, MembershipActivated: 1 } },
  open,
};
