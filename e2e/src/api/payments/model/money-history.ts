import { dispatch, typedEvents, type RecordedEvent } from '@tapedeck/eventing';
import { accountId, derivedId, type AccountId, type Clock } from '@tapedeck/kernel';
import { subscriptionEvents, subscriptionStream, type SubscriptionEvent } from '@tapedeck/payments/events';
import { subscriptions } from '@tapedeck/payments/testing';
import { paidPlans, type Plan } from '@tapedeck/plans/contract';
import { openStripeInProcess, type StripeInProcess } from '@tapedeck/sandbox/testing';
import { stripeEventStream } from '@tapedeck/stripe/events';
import type { StripePort, StripeResult } from '@tapedeck/stripe/port';
import { stripeReads, stripeRequests } from '@tapedeck/stripe/testing';
import { productInMemory, type ProductInMemory } from './product-in-memory.ts';

export const people = [accountId(derivedId('ann')), accountId(derivedId('bob'))] as const;

const prices = paidPlans.map((plan) => ({
  ...plan,
  priceId: `price_${plan.tier.toLowerCase()}_${plan.period}`,
}));

/** A subscription, and the checkout that has led to it. */
export type Bought = Readonly<{
  id: string;
  customer: string;
  account: AccountId;
  plan: Plan;
  intentId: string;
  sessionId: string;
}>;

/** One history of the product beside Stripe. */
export type Model = {
  readonly stripe: StripeInProcess;
  readonly port: StripePort;
  readonly product: ProductInMemory;
  readonly clock: Clock;
  bought: readonly Bought[];
  /** Of another product on the same account at Stripe. */
  foreign: readonly Pick<Bought, 'id' | 'customer'>[];
  sent: number;
  made: number;
  /** By how much the clock of the machine is wrong that reads from Stripe. */
  clockOffsetMs: number;
  /** The code with which Stripe refuses to give money back or to end a subscription; null when it does not. */
  refusal: string | null;
};

const refused = (code: string): StripeResult => ({ refused: { code, message: code, fixUrl: null } });

export const openModel = (startMs: number): Model => {
  const stripe = openStripeInProcess(startMs);
  const settings = { clockOffsetMs: 0, refusal: null as string | null };
  let reads = 0;
  // Two snapshots never begin in the same millisecond.
  const clock = { now: () => stripe.now() + settings.clockOffsetMs + (reads++ % 900) };
  const options = { stripe: stripe.stripe, prices };
  const own = { now: stripe.now };
  const requests = stripeRequests({ ...options, clock: own, introCoupon: 'pro_intro' });
  const port: StripePort = {
    ...stripeReads({ ...options, clock }),
    ...requests,
    refund: async (target) =>
      settings.refusal === null ? requests.refund(target) : refused(settings.refusal),
    endNow: async (target) =>
      settings.refusal === null ? requests.endNow(target) : refused(settings.refusal),
  };
  return Object.assign(settings, {
    stripe,
    port,
    product: productInMemory(port, own),
    clock: own,
    bought: [],
    foreign: [],
    sent: 0,
    made: 0,
  });
};

export const received = async (
  model: Model,
  given: Readonly<Record<string, string | null>>,
): Promise<void> => {
  model.sent += 1;
  const eventId = `evt_${model.sent}`;
  const none = { subscriptionId: null, invoiceId: null, chargeId: null, checkoutSessionId: null };
  const ids = { ...none, customerId: null, objectId: null, ...given };
  await model.product.append(stripeEventStream(eventId), 'StripeEventReceived', { eventId, ...ids });
};

export const recorded = (
  { product }: Pick<Model, 'product'>,
  { id }: Pick<Bought, 'id'>,
): readonly RecordedEvent<SubscriptionEvent>[] =>
  typedEvents(product.streams.get(subscriptionStream(id)) ?? [], subscriptionEvents);

export const ownerOf = (model: Model, bought: Bought): AccountId | undefined =>
  recorded(model, bought).reduce<AccountId | undefined>((owner, { type, data }) => {
    if (type === 'PaymentClaimed') return data.accountId;
    return type === 'PaymentTransferred' ? data.toAccountId : owner;
  }, undefined);

export type Request = Extract<SubscriptionEvent, { type: 'StripeWriteRequested' }>['data']['write'];

/** A change that the owner wants. */
export const ask = async (model: Model, bought: Bought, request: Request): Promise<void> => {
  model.made += 1;
  const by = ownerOf(model, bought) ?? null;
  const requestId = `request-${model.made}`;
  const command = { type: 'RequestStripeChange', requestId, request, comment: null, by } as const;
  await model.product.send(dispatch(subscriptions, subscriptionStream(bought.id), command));
};

/** Of a price; undefined for one that belongs to no plan. */
export const planOf = ({ stripe }: Model, priceId: string): Plan | undefined => {
  const known = prices.find((price) => price.priceId === priceId);
  if (known) return known;
  const key = stripe.tables.get('price', priceId)?.metadata['tapedeck_plan'];
  return paidPlans.find(({ tier, period }) => `${tier.toLowerCase()}_${period}` === key);
};
