import type { Clock } from '@tapedeck/kernel';
import type { Stripe } from 'stripe';
import { intentIdIn } from '../intent-id.ts';
import type { ListedSubscription, ListedTime, PriceList, SessionSnapshot, StripeReads } from '../port.ts';
import { orMissing, orUnavailable } from './errors.ts';
import { openInvoice } from './pay-invoice.ts';
import { explainedPayPageOf, invoicePagesOf } from './pay-page.ts';
import { previewChange } from './preview-change.ts';
import { createPriceBook, priceIdOf } from './price-book.ts';
import { stripePage, type PageOfProvider } from './provider-pages.ts';
import { type ReadOptions, readSubscription } from './read-subscription.ts';
import { collect, idOf, isoOf } from './values.ts';

const statusOf = (status: string | null): SessionSnapshot['status'] =>
  status === 'complete' || status === 'expired' ? status : 'open';

const sessionOf = (session: Stripe.Checkout.Session): SessionSnapshot => ({
  sessionId: session.id,
  intentId: intentIdIn(session.client_reference_id, session.metadata?.['intentId']),
  status: statusOf(session.status),
  isPaid: session.payment_status === 'paid' || session.payment_status === 'no_payment_required',
  subscriptionId: idOf(session.subscription),
  customerId: idOf(session.customer),
  expiresAt: isoOf(session.expires_at),
});

const subscriptionOfInvoice = (invoice: Stripe.Invoice): string | null =>
  idOf(invoice.parent?.subscription_details?.subscription);

/** From an object to the subscription that it belongs to, by the prefix of its id. */
const subscriptionOf = async (
  { stripe }: ReadOptions,
  objectId: string,
): Promise<string | null | undefined> => {
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
    case 'py':
      return ofPaymentIntent(idOf((await orMissing(stripe.charges.retrieve(objectId)))?.payment_intent));
    case 're':
    case 'pyr':
      return ofPaymentIntent(idOf((await orMissing(stripe.refunds.retrieve(objectId)))?.payment_intent));
    case 'dp':
    case 'du':
      return ofPaymentIntent(idOf((await orMissing(stripe.disputes.retrieve(objectId)))?.payment_intent));
    case 'cs':
      return idOf((await orMissing(stripe.checkout.sessions.retrieve(objectId)))?.subscription);
    default:
      return undefined;
  }
};

const listed = (event: Stripe.Event): Readonly<{ eventId: string; body: string }> => ({
  eventId: event.id,
  body: JSON.stringify(event),
});

async function* listEvents(
  stripe: Stripe,
  { since, until, undeliveredOnly }: ListedTime,
): AsyncGenerator<Readonly<{ eventId: string; body: string }>> {
  const secondOf = (time: string): number => Math.floor(Date.parse(time) / 1_000);
  const created = { gte: secondOf(since), ...(until === undefined ? {} : { lte: secondOf(until) }) };
  const filter = { created, limit: 100, ...(undeliveredOnly ? { delivery_success: false } : {}) };
  // Stripe lists the newest first.
  const events = await orUnavailable(collect(stripe.events.list(filter)));
  for (const event of [...events].reverse()) yield listed(event);
}

async function* listSubscriptions(
  { stripe, priceBook }: ReadOptions,
  after: string | null,
): AsyncGenerator<readonly ListedSubscription[]> {
  for (let last = after; ;) {
    const { data, has_more: hasMore } = await orUnavailable(
      stripe.subscriptions.list({
        status: 'all',
        limit: 100,
        ...(last === null ? {} : { starting_after: last }),
      }),
    );
    const prices = data.flatMap(({ items }) => items.data.map(({ price }) => price.id));
    const planOf = await priceBook(prices);
    yield data.map(({ id, status, metadata, items }) => ({
      subscriptionId: id,
      status,
      intentId: intentIdIn(metadata['intentId']),
      hasPlan: items.data.some(({ price }) => planOf(price.id) !== null),
    }));
    last = data.at(-1)?.id ?? null;
    if (!hasMore || last === null) return;
  }
}

export type StripeReadsOptions = Readonly<{
  stripe: Stripe;
  prices: PriceList;
  clock: Clock;
  /** Stripe's own pages by default. */
  pageOf?: PageOfProvider;
}>;

/** What the product reads at Stripe, by the SDK. */
export const stripeReads = ({
  stripe,
  prices,
  clock,
  pageOf = stripePage,
}: StripeReadsOptions): StripeReads => {
  const options = { stripe, clock, priceBook: createPriceBook(stripe, prices, clock) };
  return {
    readSubscription: (id, scope) => readSubscription(options, id, scope),
    readSession: async (id) => {
      const session = await orMissing(stripe.checkout.sessions.retrieve(id));
      return session && sessionOf(session);
    },
    subscriptionOf: (id) => orUnavailable(subscriptionOf(options, id)),
    payPage: (id) => explainedPayPageOf({ ...options, pageOf }, id),
    invoicePages: (id) => invoicePagesOf({ stripe, pageOf }, id),
    openInvoice: (id) => openInvoice(stripe, id),
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
    readCoupon: async (id) => {
      const coupon = await orMissing(stripe.coupons.retrieve(id));
      return coupon
        ? {
            amountOff: coupon.amount_off,
            currency: coupon.currency,
            duration: coupon.duration,
            isValid: coupon.valid,
          }
        : null;
    },
    listEvents: (filter) => listEvents(stripe, filter),
    readEvent: async (id) => {
      const event = await orMissing(stripe.events.retrieve(id));
      return event && listed(event);
    },
    listSubscriptions: (after) => listSubscriptions(options, after),
  };
};
