import { daysAfter } from '@tapedeck/kernel';
import { describe, expect, it } from '@jest/globals';
import { checkProperty } from '@tapedeck/eventing/testing';
import type { PaidTier } from '@tapedeck/plans/contract';
import type { SubscriptionSnapshot } from '@tapedeck/payments/testing';
import fc from 'fast-check';
import { accessAt } from './domain/access.ts';
import { graceDays, grantAccess, revokeAccess } from './testing/entitlements.ts';
import {
  member,
  membershipOf,
  newMember,
  receive,
  send,
  sendDue,
  type SimulatedMember,
} from './testing/simulated-member.ts';
import {
  advance,
  bought,
  downgrade,
  end,
  failRefunds,
  payOpen,
  snapshotOf,
  refund,
  upgrade,
  type SimulatedStripe,
} from './testing/simulated-stripe.ts';

type History = Readonly<{
  stripe: SimulatedStripe;
  member: SimulatedMember;
  /** The newest snapshot that has arrived. */
  received: SubscriptionSnapshot | null;
  grants: readonly Readonly<{ id: string; tier: PaidTier; until: string | null }>[];
  made: number;
}>;
type Step = (history: History) => History;

const iso = (time: number): string => new Date(time).toISOString();
const atStripe =
  (change: (stripe: SimulatedStripe) => SimulatedStripe): Step =>
  (history) => {
    // Two snapshots never begin in the same millisecond.
    const stripe = change(advance(history.stripe, history.stripe.now + 1_000));
    return { ...history, stripe, member: sendDue(history.member, stripe.now) };
  };

const receiveSnapshot: Step = (history) => {
  const received = snapshotOf(history.stripe);
  return { ...history, received, member: receive(history.member, received) };
};
const receiveTwice: Step = (history) => {
  const once = receiveSnapshot(history);
  expect(receiveSnapshot(once).member).toEqual(once.member);
  return once;
};
const wait =
  (hours: number): Step =>
  (history) => {
    const stripe = advance(history.stripe, history.stripe.now + hours * 3_600_000);
    return { ...history, stripe, member: sendDue(history.member, stripe.now) };
  };
const grant =
  (tier: PaidTier, days: number | null): Step =>
  (history) => {
    const now = iso(history.stripe.now);
    const until = days === null ? null : daysAfter(now, days);
    const id = `grant ${history.made}`;
    const command = grantAccess({ accountId: member, grantId: id, tier, until, now });
    return {
      ...history,
      made: history.made + 1,
      grants: [...history.grants, { id, tier, until }],
      member: send(history.member, command),
    };
  };
const revoke: Step = (history) => {
  const [first, ...grants] = history.grants;
  if (!first) return history;
  const command = revokeAccess({ accountId: member, grantId: first.id });
  return {
    ...history,
    grants,
    member: send(history.member, command),
  };
};

const steps = {
  receive: receiveSnapshot,
  receiveTwice,
  waitADay: wait(25),
  waitFourDays: wait(24 * 4),
  waitAFortnight: wait(24 * 15),
  waitAMonth: wait(24 * 31),
  changeCard: atStripe((stripe) => ({ ...stripe, cardWorks: !stripe.cardWorks })),
  pay: atStripe(payOpen),
  cancelOrResume: atStripe((stripe) => ({ ...stripe, cancels: !stripe.cancels })),
  upgrade: atStripe(upgrade),
  downgrade: atStripe(downgrade),
  refundAll: atStripe((stripe) => refund(stripe, 'all')),
  refundPart: atStripe((stripe) => refund(stripe, 'part')),
  failRefunds: atStripe(failRefunds),
  end: atStripe(end),
  dispute: atStripe((stripe) => (stripe.dispute === 'none' ? { ...stripe, dispute: 'open' } : stripe)),
  winDispute: atStripe((stripe) => (stripe.dispute === 'open' ? { ...stripe, dispute: 'won' } : stripe)),
  loseDispute: atStripe((stripe) => (stripe.dispute === 'open' ? { ...stripe, dispute: 'lost' } : stripe)),
  grantPro: grant('Pro', 10),
  grantElite: grant('Elite', null),
  revoke,
} as const satisfies Record<string, Step>;

type StepName = keyof typeof steps;

/** What happens often occurs more than once. */
const often: readonly StepName[] = ['receive', 'receive', 'receive', 'receive', 'receiveTwice', 'changeCard'];
const waits: readonly StepName[] = ['waitADay', 'waitFourDays', 'waitAFortnight', 'waitAMonth'];
const names = [...(Object.keys(steps) as StepName[]), ...often, ...waits, ...waits];

/** Somebody else may have ended it before the refund was known. */
const wasEndedForRefund = ({ payments }: SimulatedMember): boolean =>
  payments.some(
    ({ type, data }) =>
      type === 'StripeWriteRequested' && data.write.kind === 'end-now' && data.write.cause === 'refund',
  );

/** The tier that the newest snapshot gives at this time. */
const paidTier = (
  { subscription, payments, refunds, closedDisputes }: SubscriptionSnapshot,
  now: string,
  isEndedForRefund: boolean,
) => {
  const { status, plan, cancelAtPeriodEnd, periodEnd, endedAt } = subscription;
  const isBack = ({ invoiceId, amountPaid }: (typeof payments)[number]): boolean =>
    refunds.some(
      (one) => one.invoiceId === invoiceId && one.status === 'succeeded' && one.amount >= amountPaid,
    );
  const paid = payments.filter((payment) => !isBack(payment));
  const until =
    paid
      .map((payment) => payment.periodEnd)
      .sort()
      .at(-1) ?? '';
  const newest =
    payments
      .map((payment) => payment.periodEnd)
      .sort()
      .at(-1) ?? '';
  const isInVain = isEndedForRefund && refunds.some((one) => one.status === 'failed');
  if (until < newest || closedDisputes.some(({ outcome }) => outcome === 'lost')) return null;
  if (status === 'canceled') return isInVain && until > (endedAt ?? '') && now < until ? plan : null;
  const graceUntil = daysAfter(until, graceDays);
  const last = cancelAtPeriodEnd && periodEnd < graceUntil ? periodEnd : graceUntil;
  if (now >= last) return null;
  const ofPlan = payments.filter(
    (payment) => payment.plan?.tier === plan?.tier && payment.plan?.period === plan?.period,
  );
  return ofPlan.length > 0 && ofPlan.every(isBack) ? (paid.at(-1)?.plan ?? null) : plan;
};

const expectedTier = ({ received, grants, stripe, member: known }: History): string => {
  const now = iso(stripe.now);
  const granted = grants.filter(({ until }) => until === null || now < until).map(({ tier }) => tier);
  const paid = received && paidTier(received, now, wasEndedForRefund(known));
  const all = [...granted, ...(paid ? [paid.tier] : [])];
  if (all.includes('Elite')) return 'Elite';
  return all[0] ?? 'Free';
};

/** Charged minus given back, as recorded and as received. */
const expectMoney = ({ member: { payments }, received }: History): void => {
  const states = new Map<string, number>();
  let charged = 0;
  for (const { type, data } of payments) {
    if (type === 'PaymentRecorded') charged += data.amountPaid;
    if (type === 'RefundRecorded') states.set(data.refundId, data.status === 'succeeded' ? data.amount : 0);
  }
  const refunded = [...states.values()].reduce((sum, amount) => sum + amount, 0);
  const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
  const succeeded = received?.refunds.filter(({ status }) => status === 'succeeded') ?? [];
  expect(charged - refunded).toBe(
    sumOf(received?.payments.map(({ amountPaid }) => amountPaid) ?? []) -
      sumOf(succeeded.map(({ amount }) => amount)),
  );
};

const expectAll = (history: History): void => {
  const now = iso(history.stripe.now);
  const { tier, hasAccess } = accessAt(membershipOf(history.member), now);
  expect([tier, hasAccess]).toEqual([expectedTier(history), expectedTier(history) !== 'Free']);
  const activated = history.member.memberships.filter(({ type }) => type === 'MembershipActivated');
  expect(activated.length).toBe(history.received === null ? 0 : 1);
  expectMoney(history);
};

/** Month ends, a leap day, and the nights in which clocks change. */
const starts = [
  '2026-01-31T23:30:00Z',
  '2028-01-29T12:00:00Z',
  '2026-03-29T00:59:59Z',
  '2026-10-24T22:00:00Z',
];
const plans = [
  { tier: 'Pro', period: 'monthly' },
  { tier: 'Pro', period: 'annual' },
  { tier: 'Elite', period: 'monthly' },
] as const;

describe('the life of a membership', () => {
  it('is as a simple model says after every step, in any history', () => {
    checkProperty(
      fc.property(
        fc.constantFrom(...starts),
        fc.constantFrom(...plans),
        fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 30 }),
        (start, plan, history) => {
          const first: History = {
            stripe: bought(Date.parse(start), plan),
            member: newMember,
            received: null,
            grants: [],
            made: 0,
          };
          ['receive' as const, ...history].reduce((before, name) => {
            const after = steps[name](before);
            expectAll(after);
            return after;
          }, first);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
