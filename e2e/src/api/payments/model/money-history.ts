import { dispatch, typedEvents, type RecordedEvent } from '@tapedeck/eventing';
import { accountId, derivedId, type AccountId, type Clock } from '@tapedeck/kernel';
import {
  checkoutStream,
  subscriptionEvents,
  subscriptionStream,
  type SubscriptionEvent,
} from '@tapedeck/payments/events';
import { paidPlans, type Plan } from '@tapedeck/plans/contract';
import { checkouts, startCheckoutOf, subscriptions } from '@tapedeck/payments/testing';
import { openStripeInProcess, type StripeInProcess } from '@tapedeck/sandbox/testing';
import { stripeEventStream } from '@tapedeck/stripe/events';
import type { StripePort } from '@tapedeck/stripe/port';
import { stripeReads, stripeRequests } from '@tapedeck/stripe/testing';
import { productInMemory, type ProductInMemory } from './product-in-memory.ts';

export const people = [accountId(derivedId('ann')), accountId(derivedId('bob'))] as const;
const prices = paidPlans.map((plan) => ({
  ...plan,
  priceId: `price_${plan.tier.toLowerCase()}_${plan.period}`,
}));
export const dayMs = 86_400_000;

export type Bought = Readonly<{
  id: string;
  customer: string;
  account: AccountId;
  plan: Plan;
  intentId: string;
  sessionId: string;
}>;
export type Model = {
  readonly stripe: StripeInProcess;
  readonly port: StripePort;
  readonly clock: Clock;
  readonly product: ProductInMemory;
  bought: readonly Bought[];
  sent: number;
  made: number;
};

export const open = (startMs: number): Model => {
  const stripe = openStripeInProcess(startMs);
  let last = 0;
  // Two snapshots never begin in the same millisecond.
  const clock = { now: () => (last = Math.max(last + 1, stripe.now())) };
  const options = { stripe: stripe.stripe, prices };
  const port = {
    ...stripeReads({ ...options, clock }),
    ...stripeRequests({ ...options, introCoupon: 'pro_intro' }),
  };
  return { stripe, port, clock, product: productInMemory(port, clock), bought: [], sent: 0, made: 0 };
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
export const tell = async (model: Model, { id }: Bought, type: string): Promise<void> => {
  model.sent += 1;
  await received(model, `evt_${model.sent}`, { type, subscriptionId: id });
};

type Checkout = Pick<Bought, 'account' | 'plan' | 'intentId'>;

const startCheckout = async (
  product: ProductInMemory,
  { account, plan, intentId }: Checkout,
): Promise<void> => {
  const start = startCheckoutOf(account, intentId, 'x@example.com');
  const command = { ...start, checkout: { ...start.checkout, ...plan } };
  await product.send(dispatch(checkouts, checkoutStream(intentId), command));
};

export const buy = async (model: Model, plan: Plan, account: AccountId): Promise<void> => {
  const { stripe, port, product } = model;
  const current = model.bought.at(-1);
  // A member with a subscription does not buy another one.
  if (current && stripe.tables.get('subscription', current.id)?.status !== 'canceled') return;
  model.made += 1;
  const intentId = `intent-${model.made}`;
  await startCheckout(product, { account, plan, intentId });
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
    {
      id: String(session?.subscription),
      customer: String(session?.customer),
      account,
      plan,
      intentId,
      sessionId,
    },
  ];
  model.sent += 1;
  const event = { type: 'checkout.session.completed', checkoutSessionId: sessionId };
  await received(model, `evt_${model.sent}`, event);
};

/** Another tape that learns everything at once, when all of it is over. */
export const toldLate = async (model: Model): Promise<Model> => {
  const late: Model = { ...model, product: productInMemory(model.port, model.clock) };
  for (const bought of model.bought) {
    await startCheckout(late.product, bought);
    late.sent += 1;
    const event = { type: 'checkout.session.completed', checkoutSessionId: bought.sessionId };
    await received(late, `evt_${late.sent}`, event);
    await tell(late, bought, 'charge.refunded');
  }
  return late;
};

export const recorded = ({ product }: Model, { id }: Bought): readonly RecordedEvent<SubscriptionEvent>[] =>
  typedEvents(product.streams.get(subscriptionStream(id)) ?? [], subscriptionEvents);

export const ownerOf = (model: Model, bought: Bought): AccountId | undefined =>
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

export const steps: Readonly<Record<string, Step>> = {
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

/** Month ends, a leap day, and the nights in which clocks change. */
export const starts = [
  '2026-01-31T23:30:00Z',
  '2028-01-29T12:00:00Z',
  '2026-03-29T00:59:59Z',
  '2026-10-24T22:00:00Z',
].map(Date.parse);
export const plans: readonly Plan[] = [
  { tier: 'Pro', period: 'monthly' },
  { tier: 'Pro', period: 'annual' },
  { tier: 'Elite', period: 'monthly' },
];
export const often: readonly string[] =
  'tell tell tell tellOfMoney decline repair buyPro buyPro upgrade waitAFortnight waitAMonth waitAMonth waitAMonth'.split(
    ' ',
  );
