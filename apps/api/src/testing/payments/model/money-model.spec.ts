import { describe, expect, it } from '@jest/globals';
import { dispatch, stateAfter, type RecordedEvent } from '@tapedeck/eventing';
import { checkAsyncProperty } from '@tapedeck/eventing/testing';
import { accountId, derivedId, type AccountId } from '@tapedeck/kernel';
import { membershipStream, type MembershipEvent } from '@tapedeck/membership/events';
import { accessAt, membershipDecider } from '@tapedeck/membership/testing';
import {
  checkoutStream,
  stripeEventStream,
  subscriptionStream,
  type PaidTier,
  type Plan,
  type SubscriptionEvent,
} from '@tapedeck/payments/events';
import {
  checkouts,
  startCheckoutOf,
  stripeReads,
  stripeWrites,
  subscriptions,
  type StripePort,
} from '@tapedeck/payments/testing';
import { openStripeInProcess, type StripeInProcess } from '@tapedeck/sandbox/testing';
import fc from 'fast-check';
import { graceDays, productInMemory, type ProductInMemory } from './product-in-memory.ts';

const people = [accountId(derivedId('ann')), accountId(derivedId('bob'))] as const;
const prices = {
  Pro: { monthly: 'price_pro_monthly', annual: 'price_pro_annual' },
  Elite: { monthly: 'price_elite_monthly', annual: 'price_elite_annual' },
} as const;
const dayMs = 86_400_000;

type Bought = Readonly<{ id: string; customer: string }>;

type World = {
  readonly stripe: StripeInProcess;
  readonly port: StripePort;
  readonly product: ProductInMemory;
  bought: readonly Bought[];
  told: number;
  made: number;
};

const open = (startMs: number): World => {
  const stripe = openStripeInProcess(startMs);
  let last = 0;
  // Two readings never begin in the same millisecond.
  const clock = { now: () => (last = Math.max(last + 1, stripe.now())) };
  const options = { stripe: stripe.stripe, prices };
  const port = {
    ...stripeReads({ ...options, clock }),
    ...stripeWrites({ ...options, introCoupon: 'pro_intro' }),
  };
  return { stripe, port, product: productInMemory(port, clock), bought: [], told: 0, made: 0 };
};

const received = async (
  { product }: World,
  eventId: string,
  given: Readonly<Record<string, string | null>>,
): Promise<void> => {
  const none = { subscriptionId: null, invoiceId: null, chargeId: null, checkoutSessionId: null };
  const ids = { ...none, customerId: null, objectId: null, ...given };
  await product.append(stripeEventStream(eventId), 'StripeEventReceived', { eventId, ...ids });
};

/** What a webhook brings: everything about the subscription is read again. */
const tell = async (world: World, { id }: Bought, type: string): Promise<void> => {
  world.told += 1;
  await received(world, `evt_${world.told}`, { type, subscriptionId: id });
};

const buy = async (world: World, plan: Plan, account: AccountId): Promise<void> => {
  const { stripe, port, product } = world;
  const current = world.bought.at(-1);
  // Nobody buys beside a subscription.
  if (current && stripe.tables.get('subscription', current.id)?.status !== 'canceled') return;
  world.made += 1;
  const intentId = `intent-${world.made}`;
  const start = startCheckoutOf(account, intentId, 'x@example.com');
  const command = { ...start, checkout: { ...start.checkout, ...plan } };
  await product.send(dispatch(checkouts, checkoutStream(intentId), command));
  const { sessionId } = await port.createSession({
    key: intentId,
    intentId,
    plan,
    email: 'x@example.com',
    customerId: null,
    intro: world.made === 1 && plan.tier === 'Pro' && plan.period === 'monthly',
    successUrl: 'http://127.0.0.1/',
    cancelUrl: 'http://127.0.0.1/',
  });
  stripe.pay(sessionId);
  const session = stripe.tables.get('session', sessionId);
  world.bought = [
    ...world.bought,
    { id: String(session?.subscription), customer: String(session?.customer) },
  ];
  world.told += 1;
  const event = { type: 'checkout.session.completed', checkoutSessionId: sessionId };
  await received(world, `evt_${world.told}`, event);
};

const recorded = ({ product }: World, { id }: Bought): readonly RecordedEvent<SubscriptionEvent>[] =>
  (product.streams.get(subscriptionStream(id)) ??
    []) as unknown as readonly RecordedEvent<SubscriptionEvent>[];

const ownerOf = (world: World, bought: Bought): AccountId | undefined =>
  recorded(world, bought).reduce<AccountId | undefined>((owner, { type, data }) => {
    if (type === 'PaymentClaimed') return data.accountId;
    return type === 'PaymentTransferred' ? data.toAccountId : owner;
  }, undefined);

type Write = Extract<SubscriptionEvent, { type: 'StripeWriteRequested' }>['data']['write'];

const ask = async (world: World, bought: Bought, write: Write): Promise<void> => {
  world.made += 1;
  const by = ownerOf(world, bought) ?? null;
  const command = {
    type: 'RequestWrite',
    requestId: `request-${world.made}`,
    write,
    comment: null,
    by,
  } as const;
  await world.product.send(dispatch(subscriptions, subscriptionStream(bought.id), command));
};

const transfer = async (world: World, bought: Bought): Promise<void> => {
  const from = ownerOf(world, bought);
  const toAccountId = people.find((person) => person !== from) ?? people[0];
  const now = new Date(world.stripe.now()).toISOString();
  const proof = { proof: 'mailbox', fromEmailHash: 'hash', hasOtherSubscription: false, now } as const;
  const command = { type: 'TransferPurchase', intentId: 'intent', toAccountId, ...proof } as const;
  await world.product.send(dispatch(subscriptions, subscriptionStream(bought.id), command));
};

const chargeOf = ({ stripe }: World, { customer }: Bought): string | undefined =>
  stripe.tables
    .all('charge')
    .filter((charge) => charge.customer === customer && charge.status === 'succeeded')
    .at(-1)?.id;

type Step = (world: World, bought: Bought) => void | Promise<void>;
const onCharge =
  (work: (stripe: StripeInProcess, charge: string) => void): Step =>
  (world, bought) => {
    const charge = chargeOf(world, bought);
    if (charge !== undefined) work(world.stripe, charge);
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
const prorationDate = ({ stripe }: World): string => new Date(stripe.now()).toISOString();

const steps: Readonly<Record<string, Step>> = {
  tell: (world, bought) => tell(world, bought, 'customer.subscription.updated'),
  tellOfMoney: (world, bought) => tell(world, bought, 'charge.refunded'),
  buyPro: (world) => buy(world, { tier: 'Pro', period: 'monthly' }, people[0]),
  buyElite: (world) => buy(world, { tier: 'Elite', period: 'annual' }, people[1]),
  decline: ({ stripe }, { customer }) => stripe.useCard(customer, 'declined'),
  repair: ({ stripe }, { customer }) => stripe.useCard(customer, 'ok'),
  waitADay: wait(1.1),
  waitFiveDays: wait(5),
  waitAFortnight: wait(15),
  waitAMonth: wait(31),
  upgrade: (world, bought) => {
    const plan = { tier: 'Elite', period: 'monthly' } as const;
    const write = { kind: 'upgrade', plan, prorationDate: prorationDate(world), expectedAmount: 0 } as const;
    return ask(world, bought, write);
  },
  downgrade: (world, bought) =>
    ask(world, bought, { kind: 'downgrade', plan: { tier: 'Pro', period: 'monthly' } }),
  keepPlan: (world, bought) => ask(world, bought, { kind: 'keep-plan' }),
  cancel: (world, bought) => ask(world, bought, { kind: 'cancel', reason: null }),
  resume: (world, bought) => ask(world, bought, { kind: 'resume' }),
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

const accessOf = ({ product, stripe }: World, account: AccountId): ReturnType<typeof accessAt> => {
  const events = product.streams.get(membershipStream(account)) ?? [];
  const state = stateAfter(membershipDecider, events as unknown as readonly MembershipEvent[]);
  return accessAt(state, new Date(stripe.now()).toISOString());
};

const isPaidFor = (world: World, account: AccountId): boolean =>
  world.bought
    .filter((bought) => ownerOf(world, bought) === account)
    .flatMap((bought) => paidOf(recorded(world, bought)))
    .filter(({ amount, refunded }) => amount === 0 || refunded < amount)
    .some(({ until }) => world.stripe.now() < Date.parse(until) + graceDays * dayMs);

const expectAccessIsPaid = (world: World): void => {
  for (const account of people)
    if (accessOf(world, account).hasAccess && !isPaidFor(world, account))
      throw new Error(`${account} has access that nobody has paid for.`);
};

const tiers: readonly (PaidTier | 'Free' | 'Basic')[] = ['Free', 'Basic', 'Pro', 'Elite'];

/** Whoever Stripe regards as a subscriber, with nothing refunded or disputed, has at least that tier. */
const expectPaidIsAccess = (world: World): void => {
  const { tables, now } = world.stripe;
  if (tables.all('refund').length + tables.all('dispute').length > 0) return;
  for (const bought of world.bought) {
    const subscription = tables.get('subscription', bought.id);
    const [item] = subscription?.items.data ?? [];
    const owner = ownerOf(world, bought);
    if (!item || !owner || subscription?.status !== 'active') continue;
    if (item.current_period_end * 1_000 <= now()) continue;
    const tier = item.price.id.includes('elite') ? 'Elite' : 'Pro';
    if (tiers.indexOf(accessOf(world, owner).tier) < tiers.indexOf(tier))
      throw new Error(`${owner} has paid for ${tier} and has not got it.`);
  }
};

const expectBooksAgree = (world: World): void => {
  const paid = world.bought.flatMap((bought) => paidOf(recorded(world, bought)));
  const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
  expect({
    charged: sumOf(paid.map(({ amount }) => amount)),
    refunded: sumOf(paid.map(({ refunded }) => refunded)),
  }).toEqual(world.stripe.books());
};

const run = async (startMs: number, plan: Plan, names: readonly string[]): Promise<void> => {
  const world = open(startMs);
  await buy(world, plan, people[0]);
  for (const name of names) {
    const bought = world.bought.at(-1);
    world.stripe.advance(world.stripe.now() + 1_000);
    if (bought) await steps[name]?.(world, bought);
    await world.product.sendDue();
    expectAccessIsPaid(world);
  }
  // As the nightly sweep does.
  for (const bought of world.bought) await tell(world, bought, 'charge.refunded');
  await world.product.sendDue();
  expectAccessIsPaid(world);
  expectPaidIsAccess(world);
  expectBooksAgree(world);
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
const often = [
  ...['tell', 'tell', 'tell', 'tellOfMoney', 'decline', 'repair', 'buyPro', 'buyPro', 'upgrade'],
  ...['waitADay', 'waitAFortnight', 'waitAMonth', 'waitAMonth', 'waitAMonth'],
];

describe('money and access in any history', () => {
  it('agree with the books of Stripe, and nobody has access without a payment behind it', async () => {
    const names = fc.array(fc.constantFrom(...Object.keys(steps), ...often), { minLength: 4, maxLength: 16 });
    await checkAsyncProperty(
      fc.asyncProperty(fc.constantFrom(...starts), fc.constantFrom(...plans), names, run),
      { numRuns: 1_000 },
    );
  }, 120_000);
});
