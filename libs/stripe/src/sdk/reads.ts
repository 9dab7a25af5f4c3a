import { isoNow, type Clock } from '@tapedeck/kernel';
import type { Stripe } from 'stripe';
import type { PriceList, SessionSnapshot, StripeReads, SubscriptionSnapshot } from '../port.ts';
import { apiVersion } from './client.ts';
import { orMissing, orUnavailable } from './errors.ts';
import { previewChange } from './preview-change.ts';
import {
  closedDisputeOf,
  disputeOf,
  failureOf,
  idOf,
  isoOf,
  snapshotOf,
  paymentOf,
  priceIdOf,
  refundOf,
} from './read-subscription.ts';

export type ReadOptions = Readonly<{ stripe: Stripe; prices: PriceList; clock: Clock }>;

const present = <T>(value: T | undefined): value is T => value !== undefined;

const collect = async <T>(list: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  for await (const item of list) all.push(item);
  return all;
};

type Money = Pick<SubscriptionSnapshot, 'payments' | 'failures' | 'refunds' | 'disputes' | 'closedDisputes'>;

const invoicesOnly = (invoices: readonly Stripe.Invoice[], prices: PriceList): Money => ({
  payments: invoices.map((invoice) => paymentOf(invoice, prices)).filter(present),
  failures: invoices.map(failureOf).filter(present),
  refunds: [],
  disputes: [],
  closedDisputes: [],
});

/** Refunds and disputes are of charges, which know their payment intent, which the invoice knows. */
const allMoney = async (
  { stripe, prices }: ReadOptions,
  subscriptionId: string,
  customer: string,
  observedAt: string,
): Promise<Money> => {
  const invoices = await collect(
    stripe.invoices.list({ subscription: subscriptionId, limit: 100, expand: ['data.payments'] }),
  );
  const charges = await collect(stripe.charges.list({ customer, limit: 100 }));
  const money = invoicesOnly(invoices, prices);
  const invoiceOf = new Map(money.payments.map((payment) => [payment.paymentIntentId, payment.invoiceId]));
  const own = charges.filter(({ payment_intent }) => invoiceOf.has(idOf(payment_intent)));
  const refunds: SubscriptionSnapshot['refunds'][number][] = [];
  const disputes: Stripe.Dispute[] = [];
  for (const charge of own) {
    const invoiceId = invoiceOf.get(idOf(charge.payment_intent)) ?? null;
    // A refund that has failed leaves no amount, so each charge is asked for.
    const found = await collect(stripe.refunds.list({ charge: charge.id, limit: 100 }));
    refunds.push(...found.map((refund) => refundOf(refund, invoiceId)));
    if (charge.disputed) disputes.push(...(await collect(stripe.disputes.list({ charge: charge.id }))));
  }
  const chargeOf = new Map(own.map(({ id, payment_intent }) => [idOf(payment_intent), id]));
  return {
    ...money,
    payments: money.payments.map((payment) => ({
      ...payment,
      chargeId: chargeOf.get(payment.paymentIntentId) ?? null,
    })),
    refunds,
    disputes: disputes.map(disputeOf),
    closedDisputes: disputes.map((dispute) => closedDisputeOf(dispute, observedAt)).filter(present),
  };
};

const readSubscription = async (
  options: ReadOptions,
  subscriptionId: string,
  scope: 'newest' | 'all',
): Promise<SubscriptionSnapshot | undefined> => {
  const { stripe, prices, clock } = options;
  const observedAt = isoNow(clock);
  const subscription = await orMissing(
    stripe.subscriptions.retrieve(subscriptionId, {
      expand: ['default_payment_method', 'schedule', 'latest_invoice.payments'],
    }),
  );
  if (!subscription) return undefined;
  const { latest_invoice: latest } = subscription;
  const newest = typeof latest === 'object' && latest !== null ? [latest] : [];
  const money =
    scope === 'newest'
      ? invoicesOnly(newest, prices)
      : await orUnavailable(allMoney(options, subscriptionId, idOf(subscription.customer) ?? '', observedAt));
  return {
    subscriptionId,
    subscription: snapshotOf(subscription, prices, observedAt, apiVersion),
    ...money,
  };
};

const statusOf = (status: string | null): SessionSnapshot['status'] =>
  status === 'complete' || status === 'expired' ? status : 'open';

const sessionOf = (session: Stripe.Checkout.Session): SessionSnapshot => ({
  sessionId: session.id,
  intentId: session.client_reference_id ?? session.metadata?.['intentId'] ?? null,
  status: statusOf(session.status),
  isPaid: session.payment_status === 'paid' || session.payment_status === 'no_payment_required',
  subscriptionId: idOf(session.subscription),
  customerId: idOf(session.customer),
  expiresAt: isoOf(session.expires_at),
});

const subscriptionOfInvoice = (invoice: Stripe.Invoice): string | null =>
  idOf(invoice.parent?.subscription_details?.subscription);

/** From an object to the subscription that it belongs to, by the prefix of its id. */
const subscriptionOf = async ({ stripe }: ReadOptions, objectId: string): Promise<string | null> => {
  const ofPaymentIntent = async (paymentIntent: string | null): Promise<string | null> => {
    if (paymentIntent === null) return null;
    const { data } = await stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: paymentIntent },
      limit: 1,
    });
    const invoiceId = idOf(data[0]?.invoice);
    const invoice = invoiceId === null ? undefined : await orMissing(stripe.invoices.retrieve(invoiceId));
    return invoice ? subscriptionOfInvoice(invoice) : null;
  };
  const [prefix] = objectId.split('_');
  switch (prefix) {
    case 'sub':
      return objectId;
    case 'in': {
      const invoice = await orMissing(stripe.invoices.retrieve(objectId));
      return invoice ? subscriptionOfInvoice(invoice) : null;
    }
    case 'pi':
      return ofPaymentIntent(objectId);
    case 'ch':
      return ofPaymentIntent(idOf((await orMissing(stripe.charges.retrieve(objectId)))?.payment_intent));
    case 're':
      return ofPaymentIntent(idOf((await orMissing(stripe.refunds.retrieve(objectId)))?.payment_intent));
    case 'dp':
    case 'du':
      return ofPaymentIntent(idOf((await orMissing(stripe.disputes.retrieve(objectId)))?.payment_intent));
    case 'cs':
      return idOf((await orMissing(stripe.checkout.sessions.retrieve(objectId)))?.subscription);
    default:
      return null;
  }
};

const listed = (event: Stripe.Event): Readonly<{ eventId: string; body: string }> => ({
  eventId: event.id,
  body: JSON.stringify(event),
});

async function* listEvents(
  stripe: Stripe,
  { since, undeliveredOnly }: Readonly<{ since: string; undeliveredOnly: boolean }>,
): AsyncGenerator<Readonly<{ eventId: string; body: string }>> {
  const created = { gte: Math.floor(Date.parse(since) / 1_000) };
  const filter = { created, limit: 100, ...(undeliveredOnly ? { delivery_success: false } : {}) };
  // Stripe lists the newest first.
  const events = await orUnavailable(collect(stripe.events.list(filter)));
  for (const event of [...events].reverse()) yield listed(event);
}

async function* listSubscriptions(stripe: Stripe): AsyncGenerator<string> {
  const pages = stripe.subscriptions.list({ status: 'all', limit: 100 })[Symbol.asyncIterator]();
  for (let next = await orUnavailable(pages.next()); next.done !== true;) {
    yield next.value.id;
    next = await orUnavailable(pages.next());
  }
}

/** What the product reads at Stripe, by the SDK. */
export const stripeReads = (options: ReadOptions): StripeReads => {
  const { stripe, prices } = options;
  return {
    readSubscription: (id, scope) => readSubscription(options, id, scope),
    readSession: async (id) => {
      const session = await orMissing(stripe.checkout.sessions.retrieve(id));
      return session && sessionOf(session);
    },
    subscriptionOf: (id) => orUnavailable(subscriptionOf(options, id)),
    previewChange: (id, plan) => previewChange(options, id, priceIdOf(plan, prices)),
    readPrice: async (id) => {
      const price = await orMissing(stripe.prices.retrieve(id));
      return price
        ? {
            priceId: price.id,
            amount: price.unit_amount ?? 0,
            currency: price.currency,
            interval: price.recurring?.interval ?? 'never',
            intervalCount: price.recurring?.interval_count ?? 0,
            isActive: price.active,
          }
        : null;
    },
    listEvents: (filter) => listEvents(stripe, filter),
    readEvent: async (id) => {
      const event = await orMissing(stripe.events.retrieve(id));
      return event && listed(event);
    },
    listSubscriptions: () => listSubscriptions(stripe),
  };
};
