import { DomainError } from '@tapedeck/kernel';
import type { Stripe } from 'stripe';
import type { PriceList, StripeRequests, StripeResult } from '../port.ts';
import { asRequest, isRefusalOf, orMissing, orRefused, orUnavailable } from './errors.ts';
import { priceIdOf } from './price-book.ts';
import { idOf, isoOf } from './read-subscription.ts';

export type RequestOptions = Readonly<{ stripe: Stripe; prices: PriceList; introCoupon: string | undefined }>;

const done: StripeResult = {};

const itemOf = (subscription: Stripe.Subscription): Stripe.SubscriptionItem => {
  const [item] = subscription.items.data;
  if (item) return item;
  throw new DomainError('conflict', 'SUBSCRIPTION_EMPTY', 'This subscription has no plan to change.');
};

const soldPrice = 'line_items[0][price]';

/** Of an archived price. */
const notSold = (): DomainError =>
  new DomainError(
    'conflict',
    'PLAN_NOT_SOLD',
    'This plan cannot be bought at the moment: choose another one. Nothing was charged.',
  );

const createSession = async (
  { stripe, prices, introCoupon }: RequestOptions,
  session: Parameters<StripeRequests['createSession']>[0],
): ReturnType<StripeRequests['createSession']> => {
  const { intentId, plan, email, customerId, intro } = session;
  const metadata = { intentId };
  const created = await orUnavailable(
    stripe.checkout.sessions.create(
      {
        mode: 'subscription',
        client_reference_id: intentId,
        metadata,
        line_items: [{ price: priceIdOf(plan, prices), quantity: 1 }],
        subscription_data: { metadata },
        ...(customerId === null ? { customer_email: email } : { customer: customerId }),
        ...(intro && introCoupon !== undefined ? { discounts: [{ coupon: introCoupon }] } : {}),
        success_url: session.successUrl,
        cancel_url: session.cancelUrl,
      },
      { idempotencyKey: session.key },
    ),
  ).catch((error: unknown) => {
    throw isRefusalOf(error, soldPrice) ? notSold() : error;
  });
  if (created.url === null) throw new Error(`The checkout session ${created.id} has no page.`);
  return { sessionId: created.id, url: created.url, expiresAt: isoOf(created.expires_at) };
};

/** The page on which the newest invoice can be paid. */
const payPageOf = async (stripe: Stripe, subscriptionId: string): Promise<string | null> => {
  const subscription = await orMissing(
    stripe.subscriptions.retrieve(subscriptionId, { expand: ['latest_invoice'] }),
  );
  const invoice = subscription?.latest_invoice;
  return typeof invoice === 'object' && invoice?.status === 'open'
    ? (invoice.hosted_invoice_url ?? null)
    : null;
};

const upgrade = async (
  { stripe, prices }: RequestOptions,
  { key, subscriptionId, plan, prorationDate }: Parameters<StripeRequests['upgrade']>[0],
): Promise<StripeResult> => {
  const price = priceIdOf(plan, prices);
  const subscription = await orUnavailable(stripe.subscriptions.retrieve(subscriptionId));
  const item = itemOf(subscription);
  // The answer to an earlier attempt was lost.
  if (item.price.id === price) return done;
  const released = await releaseSchedule(stripe, subscription, key);
  if (released.refused) return released;
  const updated = stripe.subscriptions.update(
    subscriptionId,
    {
      items: [{ id: item.id, price }],
      proration_behavior: 'always_invoice',
      proration_date: Math.floor(Date.parse(prorationDate) / 1_000),
      payment_behavior: 'pending_if_incomplete',
      expand: ['latest_invoice'],
    },
    { idempotencyKey: key },
  );
  const result = await orRefused(updated, () => payPageOf(stripe, subscriptionId));
  if (result.refused) return result;
  const { pending_update, latest_invoice: invoice } = await updated;
  if (pending_update === null) return done;
  const fixUrl = typeof invoice === 'object' ? (invoice?.hosted_invoice_url ?? null) : null;
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
  const start = schedule.current_phase?.start_date ?? item.current_period_start;
  const end = schedule.current_phase?.end_date ?? item.current_period_end;
  return orRefused(
    stripe.subscriptionSchedules.update(
      schedule.id,
      {
        end_behavior: 'release',
        proration_behavior: 'none',
        phases: [
          { items: [{ price: item.price.id, quantity: 1 }], start_date: start, end_date: end },
          {
            items: [{ price, quantity: 1 }],
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

/** What is not refunded yet of the charge that has paid an invoice. */
const refund = async (
  { stripe }: RequestOptions,
  { key, invoiceId }: Parameters<StripeRequests['refund']>[0],
): Promise<StripeResult> => {
  const invoice = await orUnavailable(stripe.invoices.retrieve(invoiceId, { expand: ['payments'] }));
  const paid = invoice.payments?.data.find(({ status }) => status === 'paid');
  const paymentIntent = idOf(paid?.payment.payment_intent);
  if (paymentIntent === null) return done;
  const result = await orRefused(
    stripe.refunds.create({ payment_intent: paymentIntent }, { idempotencyKey: key }),
  );
  // Somebody has done it at Stripe.
  return result.refused?.code === 'charge_already_refunded' ? done : result;
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
    createPortalSession: async ({ customerId, returnUrl }) => {
      const session = stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl });
      return { url: (await orUnavailable(session)).url };
    },
    cancelAtPeriodEnd: (request) => asRequest(cancelAtPeriodEnd(options, request)),
    resume: ({ key, subscriptionId }) =>
      orRefused(
        stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: false }, { idempotencyKey: key }),
      ),
    upgrade: (request) => asRequest(upgrade(options, request)),
    scheduleDowngrade: (request) => asRequest(scheduleDowngrade(options, request)),
    keepPlan: (request) => asRequest(keepPlan(options, request)),
    endNow: (request) => asRequest(endNow(options, request)),
    refund: (request) => asRequest(refund(options, request)),
    forgetCustomer: async ({ key, customerId }) => {
      await orMissing(stripe.customers.update(customerId, { email: '', name: '' }, { idempotencyKey: key }));
    },
  };
};
