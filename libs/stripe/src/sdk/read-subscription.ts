import { isoNow, type Clock } from '@tapedeck/kernel';
import { isSamePlan } from '@tapedeck/plans/contract';
import type { Stripe } from 'stripe';
import { intentIdIn } from '../intent-id.ts';
import type { CardSummary, StripeStatus, SubscriptionSnapshot } from '../port.ts';
import { apiVersion } from './client.ts';
import { orMissing, orUnavailable } from './errors.ts';
import { planItem, type PlanOf, type PriceBook } from './price-book.ts';
import { allInvoices, allMoney, attemptOf, moneyOfInvoices, priceOfLine } from './read-money.ts';
import { idOf, isoOf, isoOrNull } from './values.ts';

export type ReadOptions = Readonly<{ stripe: Stripe; priceBook: PriceBook; clock: Clock }>;

/** The card that is charged next: that of the subscription, otherwise the default of the customer. */
const cardOf = ({ default_payment_method: own, customer }: Stripe.Subscription): CardSummary | null => {
  const ofCustomer =
    typeof customer === 'string' || customer.deleted
      ? null
      : customer.invoice_settings.default_payment_method;
  const method = own ?? ofCustomer;
  const card = typeof method === 'object' ? method?.card : undefined;
  return card
    ? { brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year }
    : null;
};

type Scheduled = Pick<SubscriptionSnapshot['subscription'], 'scheduledPlan' | 'scheduledPrice'>;

/** What the phase after the current one changes: the plan, or the price alone. */
const scheduledOf = (
  schedule: string | Stripe.SubscriptionSchedule | null,
  current: Stripe.Price,
  planOf: PlanOf,
): Scheduled => {
  const none = { scheduledPlan: null };
  if (schedule === null || typeof schedule === 'string' || schedule.status !== 'active') return none;
  const next = schedule.phases.find(({ start_date }) => start_date === schedule.current_phase?.end_date);
  const priceId = idOf(next && planItem(next.items, planOf)?.price);
  const plan = planOf(priceId);
  if (!next || !plan || priceId === null) return none;
  const at = isoOf(next.start_date);
  const present = planOf(current.id);
  if (!present || !isSamePlan(present, plan)) return { scheduledPlan: { ...plan, at } };
  return priceId === current.id ? none : { ...none, scheduledPrice: { priceId, at } };
};

const pendingPlanOf = (
  update: Stripe.Subscription.PendingUpdate | null,
  planOf: PlanOf,
): SubscriptionSnapshot['subscription']['pendingPlan'] => {
  const plan = planOf(planItem(update?.subscription_items ?? [], planOf)?.price.id ?? null);
  return update && plan ? { ...plan, expiresAt: isoOf(update.expires_at) } : null;
};

/** A subscription as the product records it, with what `readSubscription` expands. */
const snapshotOf = (
  subscription: Stripe.Subscription,
  planOf: PlanOf,
  observedAt: string,
): SubscriptionSnapshot['subscription'] => {
  const item = planItem(subscription.items.data, planOf);
  if (!item) throw new Error(`The subscription ${subscription.id} has no items.`);
  const customerId = idOf(subscription.customer) ?? '';
  return {
    customerId,
    intentId: intentIdIn(subscription.metadata['intentId']),
    status: subscription.status as StripeStatus,
    priceId: item.price.id,
    plan: planOf(item.price.id),
    amount: item.price.unit_amount ?? 0,
    currency: item.price.currency,
    ...(subscription.automatic_tax.enabled && item.price.tax_behavior === 'exclusive'
      ? { addsTaxes: true as const }
      : {}),
    startedAt: isoOf(subscription.start_date),
    periodStart: isoOf(item.current_period_start),
    periodEnd: isoOf(item.current_period_end),
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    cancelAt: isoOrNull(subscription.cancel_at),
    endedAt: isoOrNull(subscription.ended_at),
    latestInvoiceId: idOf(subscription.latest_invoice),
    ...scheduledOf(subscription.schedule, item.price, planOf),
    pendingPlan: pendingPlanOf(subscription.pending_update, planOf),
    card: cardOf(subscription),
    observedAt,
    apiVersion,
  };
};

/** All that the subscription, what will become of it, and its invoices are for. */
const pricesIn = (
  { items, pending_update: update, schedule }: Stripe.Subscription,
  invoices: readonly Stripe.Invoice[],
): readonly string[] => {
  const phases = typeof schedule === 'object' ? (schedule?.phases ?? []) : [];
  return [
    ...[...items.data, ...(update?.subscription_items ?? [])].map(({ price }) => price.id),
    ...phases.flatMap((phase) => phase.items.map(({ price }) => idOf(price))),
    ...invoices.flatMap(({ lines }) => lines.data.map(priceOfLine)),
  ].filter((id) => id !== null);
};

export const readSubscription = async (
  { stripe, priceBook, clock }: ReadOptions,
  subscriptionId: string,
  scope: 'newest' | 'all',
): Promise<SubscriptionSnapshot | undefined> => {
  const observedAt = isoNow(clock);
  const subscription = await orMissing(
    stripe.subscriptions.retrieve(subscriptionId, {
      expand: [
        'default_payment_method',
        'schedule',
        'latest_invoice.payments',
        'customer.invoice_settings.default_payment_method',
      ],
    }),
  );
  if (!subscription) return undefined;
  const { latest_invoice: latest } = subscription;
  const newest = typeof latest === 'object' && latest !== null ? [latest] : [];
  const invoices = scope === 'newest' ? newest : await allInvoices(stripe, subscriptionId);
  const planOf = await priceBook(pricesIn(subscription, invoices));
  const known = { planOf, attempt: await attemptOf(stripe, newest) };
  const customer = idOf(subscription.customer) ?? '';
  const money =
    scope === 'newest'
      ? moneyOfInvoices(invoices, known)
      : await orUnavailable(allMoney(stripe, invoices, customer, observedAt, known));
  return { subscriptionId, subscription: snapshotOf(subscription, planOf, observedAt), ...money };
};
