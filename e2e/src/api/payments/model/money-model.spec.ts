import { describe, expect, it } from '@jest/globals';
import { dispatch, stateAfter, typedEvents, type RecordedEvent } from '@tapedeck/eventing';
import { checkAsyncProperty } from '@tapedeck/eventing/testing';
import { accountId, derivedId, type AccountId } from '@tapedeck/kernel';
import { membershipEvents, membershipStream } from '@tapedeck/membership/events';
import { accessAt, membershipDecider } from '@tapedeck/membership/testing';
import {
  checkoutStream,
  subscriptionEvents,
  subscriptionStream,
  type SubscriptionEvent,
} from '@tapedeck/payments/events';
import { paidPlans, type PaidTier, type Plan } from '@tapedeck/plans/contract';
import { checkouts, startCheckoutOf, subscriptions } from '@tapedeck/payments/testing';
import { openStripeInProcess, type StripeInProcess } from '@tapedeck/sandbox/testing';
import { stripeEventStream } from '@tapedeck/stripe/events';
import type { StripePort } from '@tapedeck/stripe/port';
import { stripeReads, stripeRequests } from '@tapedeck/stripe/testing';
import fc from 'fast-check';
import { graceDays, productInMemory, type ProductInMemory } from './product-in-memory.ts';

const people = [accountId(derivedId('ann')), accountId(derivedId('bob'))] as const;
const prices = paidPlans.map((plan) => ({
  ...plan,
  priceId: `price_${plan.tier.toLowerCase()}_${plan.period}`,
}));
const dayMs = 86_400_000;

type Bought = Readonly<{ id: string; customer: string }>;
type Model = {
  readonly stripe: StripeInProcess;
  readonly port: StripePort;
  readonly product: ProductInMemory;
  bought: readonly Bought[];
  sent: number;
  made: number;
};

const open = (startMs: number): Model => {
  const stripe = openStripeInProcess(startMs);
  let last = 0;
  // Two snapshots never begin in the same millisecond.
  const clock = { now: () => (last = Math.max(last + 1, stripe.now())) };
  const options = { stripe: stripe.stripe, prices };
  const port = {
    ...stripeReads({ ...options, clock }),
    ...stripeRequests({ ...options, introCoupon: 'pro_intro' }),
  };
  return { stripe, port, product: productInMemory(port, clock), bought: [], sent: 0, made: 0 };
};

const received = async (
  { product }: Model,
  eventId: string,
  given: Readonly<Record<string, string | null>>,
): Promise<void> => {
  const none = { subscriptionId: null, invoiceId: null, chargeId: null, checkoutSessionId: null };
  const ids = { ...none, customerId: null, objectId: null, ...given };
  await product.append(stripeEventStream(eventId), 'StripeEventReceived', { eventId, ...ids });
};

/** What a webhook brings: everything about the subscription is read again. */
const tell = async (model: Model, { id }: Bought, type: string): Promise<void> => {
  model.sent += 1;
  await received(model, `evt_${model.sent}`, { type, subscriptionId: id });
};

const buy = async (model: Model, plan: Plan, account: AccountId): Promise<void> => {
  const { stripe, port, product } = model;
  const current = model.bought.at(-1);
  // A member with a subscription does not buy another one.
  if (current && stripe.tables.get('subscription', current.id)?.status !== 'canceled') return;
  model.made += 1;
  const intentId = `intent-${model.made}`;
  const start = startCheckoutOf(account, intentId, 'x@example.com');
  const command = { ...start, checkout: { ...start.checkout, ...plan } };
  await product.send(dispatch(checkouts, checkoutStream(intentId), command));
  const { sessionId } = await port.createSession({
    key: intentId,
    intentId,
    plan,
    email: 'x@example.com',
    customerId: null,
    intro: model.made === 1 && plan.tier === 'Pro' && plan.period === 'monthly',
    successUrl: 'http://127.0.0.1/',
    cancelUrl: 'http://127.0.0.1/',
  });
  stripe.pay(sessionId);
  const session = stripe.tables.get('session', sessionId);
  model.bought = [
    ...model.bought,
    { id: String(session?.subscription), customer: String(session?.customer) },
  ];
  model.sent += 1;
  const event = { type: 'checkout.session.completed', checkoutSessionId: sessionId };
  await received(model, `evt_${model.sent}`, event);
};

const recorded = ({ product }: Model, { id }: Bought): readonly RecordedEvent<SubscriptionEvent>[] =>
  typedEvents(product.streams.get(subscriptionStream(id)) ?? [], subscriptionEvents);

const ownerOf = (model: Model, bought: Bought): AccountId | undefined =>
  recorded(model, bought).reduce<AccountId | undefined>((owner, { type, data }) => {
    if (type === 'PaymentClaimed') return data.accountId;
    return type === 'PaymentTransferred' ? data.toAccountId : owner;
  }, undefined);

type Request = Extract<SubscriptionEvent, { type: 'StripeWriteRequested' }>['data']['write'];

const ask = async (model: Model, bought: Bought, request: Request): Promise<void> => {
  model.made += 1;
  const by = ownerOf(model, bought) ?? null;
  const command = {
    type: 'RequestStripeChange',
    requestId: `request-${model.made}`,
    request,
    comment: null,
    by,
  } as const;
  await model.product.send(dispatch(subscriptions, subscriptionStream(bought.id), command));
};

const transfer = async (model: Model, bought: Bought): Promise<void> => {
  const from = ownerOf(model, bought);
  const toAccountId = people.find((person) => person !== from) ?? people[0];
  const now = new Date(model.stripe.now()).toISOString();
  const proof = { proof: 'mailbox', fromEmailHash: 'hash', hasOtherSubscription: false, now } as const;
  const command = { type: 'TransferPurchase', intentId: 'intent', toAccountId, ...proof } as const;
  await model.product.send(dispatch(subscriptions, subscriptionStream(bought.id), command));
};

const chargeOf = ({ stripe }: Model, { customer }: Bought): string | undefined =>
  stripe.tables
    .all('charge')
    .filter((charge) => charge.customer === customer && charge.status === 'succeeded')
    .at(-1)?.id;

type Step = (model: Model, bought: Bought) => void | Promise<void>;
const onCharge =
  (work: (stripe: StripeInProcess, charge: string) => void): Step =>
  (model, bought) => {
    const charge = chargeOf(model, bought);
    if (charge !== undefined) work(model.stripe, charge);
  };
const wait =
  (days: number): Step =>
  ({ stripe }) =>
    stripe.advance(stripe.now() + days * dayMs);
const closing =
  (outcome: 'won' | 'lost'): Step =>
  ({ stripe }) => {
    const dispute = stripe.tables.all('dispute').at(-1);
    if (dispute) stripe.closeDispute(dispute.id, outcome);
  };
const prorationDate = ({ stripe }: Model): string => new Date(stripe.now()).toISOString();

const steps: Readonly<Record<string, Step>> = {
  tell: (model, bought) => tell(model, bought, 'customer.subscription.updated'),
  tellOfMoney: (model, bought) => tell(model, bought, 'charge.refunded'),
  buyPro: (model) => buy(model, { tier: 'Pro', period: 'monthly' }, people[0]),
  buyElite: (model) => buy(model, { tier: 'Elite', period: 'annual' }, people[1]),
  decline: ({ stripe }, { customer }) => stripe.useCard(customer, 'declined'),
  repair: ({ stripe }, { customer }) => stripe.useCard(customer, 'ok'),
  waitADay: wait(1.1),
  waitFiveDays: wait(5),
  waitAFortnight: wait(15),
  waitAMonth: wait(31),
  upgrade: (model, bought) => {
    const plan = { tier: 'Elite', period: 'monthly' } as const;
    const write = { kind: 'upgrade', plan, prorationDate: prorationDate(model), expectedAmount: 0 } as const;
    return ask(model, bought, write);
  },
  downgrade: (model, bought) =>
    ask(model, bought, { kind: 'downgrade', plan: { tier: 'Pro', period: 'monthly' } }),
  keepPlan: (model, bought) => ask(model, bought, { kind: 'keep-plan' }),
  cancel: (model, bought) => ask(model, bought, { kind: 'cancel', reason: null }),
  resume: (model, bought) => ask(model, bought, { kind: 'resume' }),
  refundAll: onCharge((stripe, charge) => stripe.refund(charge)),
  refundPart: onCharge((stripe, charge) => stripe.refund(charge, 100)),
  failRefund: ({ stripe }) => {
    const refund = stripe.tables.all('refund').at(-1);
    if (refund) stripe.failRefund(refund.id);
  },
  dispute: onCharge((stripe, charge) => stripe.dispute(charge)),
  winDispute: closing('won'),
  loseDispute: closing('lost'),
  transfer,
};

type Paid = Readonly<{ amount: number; refunded: number; until: string }>;

/** What is recorded of a subscription's payments, in a few lines that know no entitlements. */
const paidOf = (events: readonly RecordedEvent<SubscriptionEvent>[]): readonly Paid[] => {
  const refunds = new Map(
    events.flatMap(({ type, data }) => (type === 'RefundRecorded' ? [[data.refundId, data] as const] : [])),
  );
  return events.flatMap(({ type, data }) => {
    if (type !== 'PaymentRecorded') return [];
    const own = [...refunds.values()].filter(({ invoiceId }) => invoiceId === data.invoiceId);
    const counted = own.filter(({ status }) => status === 'succeeded');
    const refunded = counted.reduce((sum, { amount }) => sum + amount, 0);
    return [{ amount: data.amountPaid, refunded, until: data.periodEnd }];
  });
};

const accessOf = ({ product, stripe }: Model, account: AccountId): ReturnType<typeof accessAt> => {
  const events = typedEvents(product.streams.get(membershipStream(account)) ?? [], membershipEvents);
  const state = stateAfter(membershipDecider, events);
  return accessAt(state, new Date(stripe.now()).toISOString());
};

const isPaidFor = (model: Model, account: AccountId): boolean =>
  model.bought
    .filter((bought) => ownerOf(model, bought) === account)
    .flatMap((bought) => paidOf(recorded(model, bought)))
    .filter(({ amount, refunded }) => amount === 0 || refunded < amount)
    .some(({ until }) => model.stripe.now() < Date.parse(until) + graceDays * dayMs);

const expectAccessIsPaid = (model: Model): void => {
  for (const account of people)
    if (accessOf(model, account).hasAccess && !isPaidFor(model, account))
      throw new Error(`${account} has access that nobody has paid for.`);
};

const tiers: readonly (PaidTier | 'Free' | 'Basic')[] = ['Free', 'Basic', 'Pro', 'Elite'];

/** A member whom Stripe regards as a subscriber, with nothing refunded or disputed, has at least that tier. */
const expectPaidIsAccess = (model: Model): void => {
  const { tables, now } = model.stripe;
  if (tables.all('refund').length + tables.all('dispute').length > 0) return;
  for (const bought of model.bought) {
    const subscription = tables.get('subscription', bought.id);
    const [item] = subscription?.items.data ?? [];
    const owner = ownerOf(model, bought);
    if (!item || !owner || subscription?.status !== 'active') continue;
    if (item.current_period_end * 1_000 <= now()) continue;
    const tier = item.price.id.includes('elite') ? 'Elite' : 'Pro';
    if (tiers.indexOf(accessOf(model, owner).tier) < tiers.indexOf(tier))
      throw new Error(`${owner} has paid for ${tier} and has not got it.`);
  }
};

const expectBooksAgree = (model: Model): void => {
  const paid = model.bought.flatMap((bought) => paidOf(recorded(model, bought)));
  const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
  expect({
    charged: sumOf(paid.map(({ amount }) => amount)),
    refunded: sumOf(paid.map(({ refunded }) => refunded)),
  }).toEqual(model.stripe.books());
};

const run = async (startMs: number, plan: Plan, names: readonly string[]): Promise<void> => {
  const model = open(startMs);
  await buy(model, plan, people[0]);
  for (const name of names) {
    const bought = model.bought.at(-1);
    model.stripe.advance(model.stripe.now() + 1_000);
    if (bought) await steps[name]?.(model, bought);
    await model.product.sendDue();
    expectAccessIsPaid(model);
  }
  // As the nightly sweep does.
  for (const bought of model.bought) await tell(model, bought, 'charge.refunded');
  await model.product.sendDue();
  expectAccessIsPaid(model);
  expectPaidIsAccess(model);
  expectBooksAgree(model);
};

/** Month ends, a leap day, and the nights in which clocks change. */
const starts = [
  '2026-01-31T23:30:00Z',
  '2028-01-29T12:00:00Z',
  '2026-03-29T00:59:59Z',
  '2026-10-24T22:00:00Z',
].map(Date.parse);
const plans: readonly Plan[] = [
  { tier: 'Pro', period: 'monthly' },
  { tier: 'Pro', period: 'annual' },
  { tier: 'Elite', period: 'monthly' },
];
const often: readonly string[] =
  'tell tell tell tellOfMoney decline repair buyPro buyPro upgrade waitAFortnight waitAMonth waitAMonth waitAMonth'.split(
    ' ',
  );

describe('money and access in any history', () => {
  it('agree with the books of Stripe, and nobody has access without a payment behind it', async () => {
    const names = fc.array(fc.constantFrom(...Object.keys(steps), ...often), { minLength: 4, maxLength: 16 });
    await checkAsyncProperty(
      fc.asyncProperty(fc.constantFrom(...starts), fc.constantFrom(...plans), names, run),
      { numRuns: 1_000 },
    );
  }, 120_000);
});
