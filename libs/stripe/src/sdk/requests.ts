import { DomainError } from '@tapedeck/kernel';
import type { Stripe } from 'stripe';
import type { StripeRequests, StripeResult } from '../port.ts';
import { createSession } from './create-session.ts';
import { asRequest, orMissing, orRefused, orUnavailable } from './errors.ts';
import { portalOf } from './portal.ts';
import { priceIdOf } from './price-book.ts';
import { payPageOf } from './pay-page.ts';
import { payInvoice } from './pay-invoice.ts';
import { stripePage } from './provider-pages.ts';
import { previewInvoice } from './preview-change.ts';
import { refund } from './refund.ts';
import { collect, idOf } from './values.ts';
import type { RequestOptions } from './request-options.ts';

const done: StripeResult = {};

const itemOf = (subscription: Stripe.Subscription): Stripe.SubscriptionItem => {
  const [item] = subscription.items.data;
  if (item) return item;
  throw new DomainError('conflict', 'SUBSCRIPTION_EMPTY', 'This subscription has no plan to change.');
};

const amountChanged: StripeResult = {
  refused: {
    code: 'AMOUNT_CHANGED',
    message: 'The amount differs from the one that was shown.',
    fixUrl: null,
  },
};

/** Charges what was shown, or nothing. */
const upgrade = async (
  { stripe, prices, pageOf = stripePage }: RequestOptions,
  { key, subscriptionId, plan, prorationDate, expectedAmount }: Parameters<StripeRequests['upgrade']>[0],
): Promise<StripeResult> => {
  const price = priceIdOf(plan, prices);
  const subscription = await orUnavailable(stripe.subscriptions.retrieve(subscriptionId));
  const item = itemOf(subscription);
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

/** A schedule would undo later changes. */
const releaseSchedule = async (
  stripe: Stripe,
  { schedule }: Stripe.Subscription,
  key: string,
): Promise<StripeResult> => {
  const id = idOf(schedule);
  if (id === null) return done;
  return orRefused(stripe.subscriptionSchedules.release(id, {}, { idempotencyKey: `${key}-release` }));
};

const scheduleDowngrade = async (
  { stripe, prices }: RequestOptions,
  { key, subscriptionId, plan }: Parameters<StripeRequests['scheduleDowngrade']>[0],
): Promise<StripeResult> => {
  const price = priceIdOf(plan, prices);
  const subscription = await orUnavailable(stripe.subscriptions.retrieve(subscriptionId));
  const item = itemOf(subscription);
  const existing = idOf(subscription.schedule);
  const schedule =
    existing === null
      ? await orUnavailable(
          stripe.subscriptionSchedules.create(
            { from_subscription: subscriptionId },
            { idempotencyKey: `${key}-schedule` },
          ),
        )
      : await orUnavailable(stripe.subscriptionSchedules.retrieve(existing));
  // A phase has the discounts that it names: those of support would end with the change.
  const discounts = subscription.discounts.map((discount) => ({ discount: idOf(discount) ?? '' }));
  const kept = discounts.length === 0 ? {} : { discounts };
  const start = schedule.current_phase?.start_date ?? item.current_period_start;
  const end = schedule.current_phase?.end_date ?? item.current_period_end;
  return orRefused(
    stripe.subscriptionSchedules.update(
      schedule.id,
      {
        end_behavior: 'release',
        proration_behavior: 'none',
        phases: [
          { items: [{ price: item.price.id, quantity: 1 }], ...kept, start_date: start, end_date: end },
          {
            items: [{ price, quantity: 1 }],
            ...kept,
            start_date: end,
            duration: { interval: plan.period === 'monthly' ? 'month' : 'year', interval_count: 1 },
          },
        ],
      },
      { idempotencyKey: key },
    ),
  );
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
export const stripeRequests = (options: RequestOptions): StripeRequests => {
  const { stripe } = options;
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
