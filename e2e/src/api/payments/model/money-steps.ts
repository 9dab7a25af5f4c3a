import { dispatch, stateAfter } from '@tapedeck/eventing';
import { derivedId, type AccountId } from '@tapedeck/kernel';
import { checkoutStream, subscriptionStream } from '@tapedeck/payments/events';
import { checkouts, mayPass, startCheckoutOf, subscriptions } from '@tapedeck/payments/testing';
import type { Plan } from '@tapedeck/plans/contract';
import type { StripeInProcess } from '@tapedeck/sandbox/testing';
import {
  ask,
  ownerOf,
  people,
  planOf,
  received,
  recorded,
  type Bought,
  type Model,
} from './money-history.ts';
import { productInMemory } from './product-in-memory.ts';

export const dayMs = 86_400_000;
const minuteMs = 60_000;
const [ann, bob] = people;
const pro: Plan = { tier: 'Pro', period: 'monthly' };
const elite: Plan = { tier: 'Elite', period: 'monthly' };
const eliteAnnual: Plan = { tier: 'Elite', period: 'annual' };

/** What a webhook brings: everything about the subscription is read again. */
export const tell = (model: Model, { id }: Pick<Bought, 'id'>, type = 'charge.refunded'): Promise<void> =>
  received(model, { type, subscriptionId: id });

const boughtIn = ({ stripe }: Model, sessionId: string): Pick<Bought, 'id' | 'customer'> => {
  const session = stripe.tables.get('session', sessionId);
  return { id: String(session?.subscription), customer: String(session?.customer) };
};

type Checkout = Pick<Bought, 'account' | 'plan' | 'intentId'>;

const startCheckout = async (
  { product }: Pick<Model, 'product'>,
  { account, plan, intentId }: Checkout,
): Promise<void> => {
  const start = startCheckoutOf(account, intentId, 'x@example.com');
  const command = { ...start, checkout: { ...start.checkout, ...plan } };
  await product.send(dispatch(checkouts, checkoutStream(intentId), command));
};

/** Begins a checkout, pays it, and brings the webhook. */
export const buy = async (model: Model, plan: Plan, account: AccountId): Promise<void> => {
  const { stripe, port } = model;
  model.made += 1;
  const intentId = derivedId('intent', String(model.made));
  await startCheckout(model, { account, plan, intentId });
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
  const bought = { ...boughtIn(model, sessionId), account, plan, intentId, sessionId };
  model.bought = [...model.bought, bought];
  await received(model, { type: 'checkout.session.completed', checkoutSessionId: sessionId });
};

/** Another tape that learns everything at once, when all of it is over. */
export const toldLate = async (model: Model): Promise<Model> => {
  const late: Model = { ...model, product: productInMemory(model.port, model.clock) };
  for (const bought of model.bought) {
    await startCheckout(late, bought);
    await received(late, { type: 'checkout.session.completed', checkoutSessionId: bought.sessionId });
    await tell(late, bought);
  }
  return late;
};

/** A member with a subscription is offered no other one. */
const buyOnce = async (model: Model, plan: Plan, account: AccountId): Promise<void> => {
  const current = model.bought.at(-1);
  if (current && model.stripe.tables.get('subscription', current.id)?.status !== 'canceled') return;
  await buy(model, plan, account);
};

/** Another product sells on the same account at Stripe, and names its purchases as we do. */
const sellForeign = async (model: Model): Promise<void> => {
  const { stripe } = model.stripe;
  model.made += 1;
  const product = await stripe.products.create({ name: 'Another product' });
  const recurring = { interval: 'month' } as const;
  const price = await stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 500,
    recurring,
  });
  const intentId = derivedId('foreign', String(model.made));
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    client_reference_id: intentId,
    subscription_data: { metadata: { intentId } },
    customer_email: 'y@example.com',
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: 'http://127.0.0.1/',
  });
  model.stripe.pay(session.id);
  const sold = boughtIn(model, session.id);
  model.foreign = [...model.foreign, sold];
  await received(model, { type: 'checkout.session.completed', checkoutSessionId: session.id });
  await tell(model, sold);
};

/** What the pages of Stripe can do, and a person on the dashboard; what Stripe does not allow changes nothing. */
const atStripe = async (work: () => Promise<unknown>): Promise<void> => {
  await work().catch((error: unknown) => {
    if (!(error instanceof Error) || !('rawType' in error)) throw error;
  });
};

/** Within the interval: another one turns what was paid ahead into a credit at Stripe, which a person has to give back. */
const changePrice = (model: Model, { id }: Bought, price: string, proration: 'always_invoice' | 'none') =>
  atStripe(async () => {
    const { subscriptions: all } = model.stripe.stripe;
    const item = model.stripe.tables.get('subscription', id)?.items.data[0];
    const wanted = model.stripe.tables.get('price', price)?.recurring.interval;
    if (!item || item.price.recurring.interval !== wanted) return;
    const items = [{ id: item.id, price }];
    await all.update(id, { items, proration_behavior: proration, payment_behavior: 'pending_if_incomplete' });
  });

/** The subscription has a price from now on that we do not sell: of the same plan, or of none. */
const toOtherPrice = async (model: Model, bought: Bought, isKnown: boolean): Promise<void> => {
  const current = model.stripe.tables.get('subscription', bought.id)?.items.data[0]?.price;
  const plan = current && planOf(model, current.id);
  if (!current || !plan) return;
  const { id } = await model.stripe.stripe.prices.create({
    product: current.product,
    currency: 'usd',
    unit_amount: 1_234,
    recurring: { interval: plan.period === 'monthly' ? 'month' : 'year' },
    metadata: isKnown ? { tapedeck_plan: `${plan.tier.toLowerCase()}_${plan.period}` } : {},
  });
  await changePrice(model, bought, id, 'none');
};

const transfer = async (model: Model, bought: Bought): Promise<void> => {
  const from = ownerOf(model, bought);
  const toAccountId = people.find((person) => person !== from) ?? ann;
  const now = new Date(model.stripe.now()).toISOString();
  const proof = { proof: 'mailbox', fromEmailHash: 'hash', hasOtherSubscription: false, now } as const;
  const command = { type: 'TransferPurchase', intentId: 'intent', toAccountId, ...proof } as const;
  await model.product.send(dispatch(subscriptions, subscriptionStream(bought.id), command));
};

/** As the job does with refusals that may pass. */
export const repeatRefused = async (model: Model): Promise<void> => {
  for (const bought of model.bought) {
    const { requests } = stateAfter(subscriptions.decider, recorded(model, bought));
    for (const [repeats, { outcome, refusal }] of Object.entries(requests)) {
      if (outcome !== 'refused' || !mayPass(refusal?.code ?? '')) continue;
      const requestId = derivedId('repeated', repeats);
      const command = { type: 'RepeatStripeRequest', requestId, repeats, comment: null } as const;
      await model.product.send(dispatch(subscriptions, subscriptionStream(bought.id), command));
    }
  }
};

const chargeOf = ({ stripe }: Model, { customer }: Bought): string | undefined =>
  stripe.tables
    .all('charge')
    .filter((charge) => charge.customer === customer && charge.status === 'succeeded')
    .at(-1)?.id;

export type Step = (model: Model, bought: Bought) => void | Promise<void>;

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
const refusing =
  (refusal: string | null): Step =>
  (model) => {
    model.refusal = refusal;
  };
const clockOff =
  (minutes: number): Step =>
  (model) => {
    model.clockOffsetMs = minutes * minuteMs;
  };
const upgrade: Step = async (model, bought) => {
  const prorationDate = new Date(model.stripe.now()).toISOString();
  await ask(model, bought, { kind: 'upgrade', plan: elite, prorationDate, expectedAmount: 0 });
};

export const steps: Readonly<Record<string, Step>> = {
  tell: (model, bought) => tell(model, bought, 'customer.subscription.updated'),
  tellOfMoney: (model, bought) => tell(model, bought),
  buyPro: (model) => buyOnce(model, pro, ann),
  buyElite: (model) => buyOnce(model, eliteAnnual, bob),
  buyInASecondTab: (model) => buy(model, elite, ann),
  sellForeign,
  decline: ({ stripe }, { customer }) => stripe.useCard(customer, 'declined'),
  repair: ({ stripe }, { customer }) => stripe.useCard(customer, 'ok'),
  waitADay: wait(1.1),
  waitFiveDays: wait(5),
  waitAFortnight: wait(15),
  waitAMonth: wait(31),
  upgrade,
  downgrade: (model, bought) => ask(model, bought, { kind: 'downgrade', plan: pro }),
  keepPlan: (model, bought) => ask(model, bought, { kind: 'keep-plan' }),
  cancel: (model, bought) => ask(model, bought, { kind: 'cancel', reason: null }),
  resume: (model, bought) => ask(model, bought, { kind: 'resume' }),
  newPriceOfThePlan: (model, bought) => toOtherPrice(model, bought, true),
  unknownPrice: (model, bought) => toOtherPrice(model, bought, false),
  portalToElite: (model, bought) => changePrice(model, bought, 'price_elite_monthly', 'always_invoice'),
  portalToPro: (model, bought) => changePrice(model, bought, 'price_pro_monthly', 'none'),
  portalCancels: ({ stripe }, { id }) =>
    atStripe(() => stripe.stripe.subscriptions.update(id, { cancel_at_period_end: true })),
  portalResumes: ({ stripe }, { id }) =>
    atStripe(() => stripe.stripe.subscriptions.update(id, { cancel_at_period_end: false })),
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
  refuseForNow: refusing('balance_insufficient'),
  refuseForGood: refusing('charge_disputed'),
  refuseNoMore: refusing(null),
  repeatRefused,
  clockAhead: clockOff(7),
  clockBehind: clockOff(-7),
};

/** Names of steps that a history has more of. */
export const often: readonly string[] =
  'tell tell tell tellOfMoney decline repair buyPro buyPro upgrade waitAFortnight waitAMonth waitAMonth waitAMonth'.split(
    ' ',
  );

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
