import type { StripeRequests, StripeResult } from '../port.ts';
import { createSession } from './create-session.ts';
import { asRequest, orMissing, orRefused, orUnavailable } from './errors.ts';
import { portalOf } from './portal.ts';
import { createPriceBook, priceIdOf } from './price-book.ts';
import { payPageOf } from './pay-page.ts';
import { payInvoice } from './pay-invoice.ts';
import { stripePage } from './provider-pages.ts';
import { previewInvoice } from './preview-change.ts';
import { amountChanged, done, itemOf, pricesOf } from './results.ts';
import { refund } from './refund.ts';
import { releaseSchedule, scheduleDowngrade, schedulePrice } from './schedules.ts';
import { collect } from './values.ts';
import type { RequestOptions, StripeRequestsOptions } from './request-options.ts';

/** Charges what was shown, or nothing. */
const upgrade = async (
  { stripe, prices, priceBook, pageOf = stripePage }: RequestOptions,
  { key, subscriptionId, plan, prorationDate, expectedAmount }: Parameters<StripeRequests['upgrade']>[0],
): Promise<StripeResult> => {
  const price = priceIdOf(plan, prices);
  const subscription = await orUnavailable(stripe.subscriptions.retrieve(subscriptionId));
  const item = itemOf(subscription, await priceBook(pricesOf(subscription)));
  // The answer to an earlier attempt was lost.
  if (item.price.id === price) return done;
  const change = { itemId: item.id, price, prorationDate: Math.floor(Date.parse(prorationDate) / 1_000) };
  const { amount_due: amount } = await previewInvoice(stripe, subscriptionId, change);
  if (amount !== expectedAmount) return amountChanged;
  const released = await releaseSchedule(stripe, subscription, key);
  if (released.refused) return released;
  const updated = stripe.subscriptions.update(
    subscriptionId,
    {
      items: [{ id: item.id, price }],
      proration_behavior: 'always_invoice',
      proration_date: change.prorationDate,
      payment_behavior: 'pending_if_incomplete',
      expand: ['latest_invoice'],
    },
    { idempotencyKey: key },
  );
  const result = await orRefused(updated, () => payPageOf({ stripe, pageOf }, subscriptionId));
  if (result.refused) return result;
  const { pending_update, latest_invoice: invoice } = await updated;
  if (pending_update === null) return done;
  const fixUrl = typeof invoice === 'object' ? pageOf(invoice?.hosted_invoice_url) : null;
  return { refused: { code: 'payment_incomplete', message: 'The payment is not complete.', fixUrl } };
};

const cancelAtPeriodEnd = async (
  { stripe }: RequestOptions,
  { key, subscriptionId }: Parameters<StripeRequests['cancelAtPeriodEnd']>[0],
): Promise<StripeResult> => {
  const subscription = await orUnavailable(stripe.subscriptions.retrieve(subscriptionId));
  const released = await releaseSchedule(stripe, subscription, key);
  if (released.refused) return released;
  return orRefused(
    stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true }, { idempotencyKey: key }),
  );
};

/** Also an end on a certain day, which Stripe's pages can set. */
const resume = async (
  { stripe }: RequestOptions,
  { key, subscriptionId }: Parameters<StripeRequests['resume']>[0],
): Promise<StripeResult> => {
  const { cancel_at: endsOn, cancel_at_period_end: atPeriodEnd } = await orUnavailable(
    stripe.subscriptions.retrieve(subscriptionId),
  );
  const withdrawn =
    endsOn !== null && !atPeriodEnd ? ({ cancel_at: '' } as const) : { cancel_at_period_end: false };
  return orRefused(stripe.subscriptions.update(subscriptionId, withdrawn, { idempotencyKey: key }));
};

const keepPlan = async (
  { stripe }: RequestOptions,
  { key, subscriptionId }: Parameters<StripeRequests['keepPlan']>[0],
): Promise<StripeResult> =>
  releaseSchedule(stripe, await orUnavailable(stripe.subscriptions.retrieve(subscriptionId)), key);

const endNow = async (
  { stripe }: RequestOptions,
  { key, subscriptionId }: Parameters<StripeRequests['endNow']>[0],
): Promise<StripeResult> => {
  const subscription = await orUnavailable(stripe.subscriptions.retrieve(subscriptionId));
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') return done;
  return orRefused(stripe.subscriptions.cancel(subscriptionId, {}, { idempotencyKey: key }));
};

const nothing = {
  email: '',
  name: '',
  phone: '',
  description: '',
  address: '',
  shipping: '',
  metadata: '',
} as const;

/** Everything that names the person, and the cards. What was paid, and refunds of it, need none of them. */
const forgetCustomer = async (
  { stripe }: RequestOptions,
  { key, customerId }: Parameters<StripeRequests['forgetCustomer']>[0],
): Promise<void> => {
  const customer = await orMissing(stripe.customers.update(customerId, nothing, { idempotencyKey: key }));
  if (!customer) return;
  for (const { id } of await orUnavailable(collect(stripe.customers.listPaymentMethods(customerId))))
    await orMissing(stripe.paymentMethods.detach(id, {}, { idempotencyKey: `${key}-${id}` }));
};

/** What the product changes at Stripe, by the SDK. */
export const stripeRequests = (given: StripeRequestsOptions): StripeRequests => {
  const { stripe, prices, clock } = given;
  const options = { ...given, priceBook: createPriceBook(stripe, prices, clock) };
  return {
    createSession: (session) => createSession(options, session),
    expireSession: async ({ key, sessionId }) => {
      // One that was paid or has expired meanwhile cannot be expired.
      await orRefused(stripe.checkout.sessions.expire(sessionId, {}, { idempotencyKey: key }));
    },
    createPortalSession: portalOf(stripe),
    cancelAtPeriodEnd: (request) => asRequest(cancelAtPeriodEnd(options, request)),
    resume: (request) => asRequest(resume(options, request)),
    upgrade: (request) => asRequest(upgrade(options, request)),
    scheduleDowngrade: (request) => asRequest(scheduleDowngrade(options, request)),
    schedulePrice: (request) => asRequest(schedulePrice(options, request)),
    keepPlan: (request) => asRequest(keepPlan(options, request)),
    endNow: (request) => asRequest(endNow(options, request)),
    refund: (request) => asRequest(refund(options, request)),
    payInvoice: (request) => asRequest(payInvoice(options, request)),
    setCustomerEmail: async ({ key, customerId, email }) => {
      await orMissing(stripe.customers.update(customerId, { email }, { idempotencyKey: key }));
    },
    forgetCustomer: (request) => forgetCustomer(options, request),
  };
};
