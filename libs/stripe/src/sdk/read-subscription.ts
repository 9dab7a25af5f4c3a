import { isoNow, type Clock } from '@tapedeck/kernel';
import type { Stripe } from 'stripe';
import type { CardSummary, StripeStatus, SubscriptionSnapshot } from '../port.ts';
import { apiVersion } from './client.ts';
import { orMissing, orUnavailable } from './errors.ts';
import type { PlanOf, PriceBook } from './price-book.ts';

export type ReadOptions = Readonly<{ stripe: Stripe; priceBook: PriceBook; clock: Clock }>;

export const isoOf = (seconds: number): string => new Date(seconds * 1_000).toISOString();
const isoOrNull = (seconds: number | null | undefined): string | null =>
  seconds === null || seconds === undefined ? null : isoOf(seconds);

export const idOf = (object: string | Readonly<{ id: string }> | null | undefined): string | null =>
  typeof object === 'string' ? object : (object?.id ?? null);

const cardOf = (method: string | Stripe.PaymentMethod | null): CardSummary | null => {
  const card = typeof method === 'object' ? method?.card : undefined;
  return card
    ? { brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year }
    : null;
};

/** The plan of the phase after the current one, if there is one. */
const scheduledPlanOf = (
  schedule: string | Stripe.SubscriptionSchedule | null,
  planOf: PlanOf,
): SubscriptionSnapshot['subscription']['scheduledPlan'] => {
  if (schedule === null || typeof schedule === 'string' || schedule.status !== 'active') return null;
  const next = schedule.phases.find(({ start_date }) => start_date === schedule.current_phase?.end_date);
  const plan = planOf(idOf(next?.items[0]?.price));
  return next && plan ? { ...plan, at: isoOf(next.start_date) } : null;
};

const pendingPlanOf = (
  update: Stripe.Subscription.PendingUpdate | null,
  planOf: PlanOf,
): SubscriptionSnapshot['subscription']['pendingPlan'] => {
  const plan = planOf(update?.subscription_items?.[0]?.price.id ?? null);
  return update && plan ? { ...plan, expiresAt: isoOf(update.expires_at) } : null;
};

/** A subscription as the product records it. Expand `default_payment_method` and `schedule`. */
const snapshotOf = (
  subscription: Stripe.Subscription,
  planOf: PlanOf,
  observedAt: string,
): SubscriptionSnapshot['subscription'] => {
  const items = subscription.items.data;
  // Support may have added something that is no plan.
  const item = items.find(({ price }) => planOf(price.id) !== null) ?? items[0];
  if (!item) throw new Error(`The subscription ${subscription.id} has no items.`);
  const customerId = idOf(subscription.customer) ?? '';
  return {
    customerId,
    intentId: subscription.metadata['intentId'] ?? null,
    status: subscription.status as StripeStatus,
    priceId: item.price.id,
    plan: planOf(item.price.id),
    amount: item.price.unit_amount ?? 0,
    currency: item.price.currency,
    startedAt: isoOf(subscription.start_date),
    periodStart: isoOf(item.current_period_start),
    periodEnd: isoOf(item.current_period_end),
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    cancelAt: isoOrNull(subscription.cancel_at),
    endedAt: isoOrNull(subscription.ended_at),
    latestInvoiceId: idOf(subscription.latest_invoice),
    scheduledPlan: scheduledPlanOf(subscription.schedule, planOf),
    pendingPlan: pendingPlanOf(subscription.pending_update, planOf),
    card: cardOf(subscription.default_payment_method),
    observedAt,
    apiVersion,
  };
};

const paymentIntentOf = (invoice: Stripe.Invoice): string | null => {
  const paid = invoice.payments?.data.find(({ status }) => status === 'paid') ?? invoice.payments?.data[0];
  return idOf(paid?.payment.payment_intent);
};

const priceOfLine = (line: Stripe.InvoiceLineItem): string | null => idOf(line.pricing?.price_details?.price);

/** What a paid invoice was for; undefined for one that is not paid. */
const paymentOf = (
  invoice: Stripe.Invoice,
  planOf: PlanOf,
): SubscriptionSnapshot['payments'][number] | undefined => {
  const paidAt = invoice.status_transitions.paid_at;
  if (invoice.status !== 'paid' || paidAt === null) return undefined;
  // A change of plan has a line that gives back the old one, and one for the new.
  const charged = invoice.lines.data.filter(({ amount }) => amount >= 0);
  const periods = (charged.length > 0 ? charged : invoice.lines.data).map(({ period }) => period);
  const newest = charged.reduce<Stripe.InvoiceLineItem | undefined>(
    (best, line) => (best && best.period.end >= line.period.end ? best : line),
    undefined,
  );
  return {
    invoiceId: invoice.id ?? '',
    amountPaid: invoice.amount_paid,
    currency: invoice.currency,
    reason: invoice.billing_reason ?? 'manual',
    plan: newest ? planOf(priceOfLine(newest)) : null,
    periodStart: isoOf(Math.min(...periods.map(({ start }) => start))),
    periodEnd: isoOf(Math.max(...periods.map(({ end }) => end))),
    chargeId: null,
    paymentIntentId: paymentIntentOf(invoice),
    paidAt: isoOf(paidAt),
  };
};

/** The newest failed attempt to pay an open invoice; undefined for one without an attempt. */
const failureOf = (invoice: Stripe.Invoice): SubscriptionSnapshot['failures'][number] | undefined => {
  if (invoice.status !== 'open' || !invoice.attempted) return undefined;
  return {
    invoiceId: invoice.id ?? '',
    attempt: invoice.attempt_count,
    nextAttemptAt: isoOrNull(invoice.next_payment_attempt),
    needsAction: false,
    failedAt: isoOf(invoice.status_transitions.finalized_at ?? invoice.created),
  };
};

const refundOf = (
  refund: Stripe.Refund,
  invoiceId: string | null,
): SubscriptionSnapshot['refunds'][number] => ({
  refundId: refund.id,
  invoiceId,
  chargeId: idOf(refund.charge),
  amount: refund.amount,
  currency: refund.currency,
  status:
    refund.status === 'succeeded' || refund.status === 'failed' || refund.status === 'canceled'
      ? refund.status
      : 'pending',
  refundedAt: isoOf(refund.created),
});

const disputeOf = (dispute: Stripe.Dispute): SubscriptionSnapshot['disputes'][number] => ({
  disputeId: dispute.id,
  chargeId: idOf(dispute.charge) ?? '',
  amount: dispute.amount,
  currency: dispute.currency,
  reason: dispute.reason,
  evidenceDueBy: isoOrNull(dispute.evidence_details.due_by),
  openedAt: isoOf(dispute.created),
});

const outcomes: Readonly<Record<string, SubscriptionSnapshot['closedDisputes'][number]['outcome']>> = {
  won: 'won',
  lost: 'lost',
  warning_closed: 'warning_closed',
};

/** Undefined while the dispute is open. Stripe does not say when it was closed. */
const closedDisputeOf = (
  dispute: Stripe.Dispute,
  observedAt: string,
): SubscriptionSnapshot['closedDisputes'][number] | undefined => {
  const outcome = outcomes[dispute.status];
  return outcome ? { disputeId: dispute.id, outcome, closedAt: observedAt } : undefined;
};

const present = <T>(value: T | undefined): value is T => value !== undefined;

export const collect = async <T>(list: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  for await (const item of list) all.push(item);
  return all;
};

type Money = Pick<SubscriptionSnapshot, 'payments' | 'failures' | 'refunds' | 'disputes' | 'closedDisputes'>;

const invoicesOnly = (invoices: readonly Stripe.Invoice[], planOf: PlanOf): Money => ({
  payments: invoices.map((invoice) => paymentOf(invoice, planOf)).filter(present),
  failures: invoices.map(failureOf).filter(present),
  refunds: [],
  disputes: [],
  closedDisputes: [],
});

const allInvoices = (stripe: Stripe, subscription: string): Promise<readonly Stripe.Invoice[]> =>
  orUnavailable(collect(stripe.invoices.list({ subscription, limit: 100, expand: ['data.payments'] })));

/** A refund or a dispute has a charge, which has a payment intent, which the invoice names. */
const allMoney = async (
  stripe: Stripe,
  invoices: readonly Stripe.Invoice[],
  customer: string,
  observedAt: string,
  planOf: PlanOf,
): Promise<Money> => {
  const charges = await collect(stripe.charges.list({ customer, limit: 100 }));
  const money = invoicesOnly(invoices, planOf);
  const invoiceOf = new Map(money.payments.map((payment) => [payment.paymentIntentId, payment.invoiceId]));
  const own = charges.filter(({ payment_intent }) => invoiceOf.has(idOf(payment_intent)));
  const refunds: SubscriptionSnapshot['refunds'][number][] = [];
  const disputes: Stripe.Dispute[] = [];
  for (const charge of own) {
    const invoiceId = invoiceOf.get(idOf(charge.payment_intent)) ?? null;
    // A refund that has failed leaves no amount, so the refunds of each charge are listed.
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
      expand: ['default_payment_method', 'schedule', 'latest_invoice.payments'],
    }),
  );
  if (!subscription) return undefined;
  const { latest_invoice: latest } = subscription;
  const newest = typeof latest === 'object' && latest !== null ? [latest] : [];
  const invoices = scope === 'newest' ? newest : await allInvoices(stripe, subscriptionId);
  const planOf = await priceBook(pricesIn(subscription, invoices));
  const customer = idOf(subscription.customer) ?? '';
  const money =
    scope === 'newest'
      ? invoicesOnly(invoices, planOf)
      : await orUnavailable(allMoney(stripe, invoices, customer, observedAt, planOf));
  return { subscriptionId, subscription: snapshotOf(subscription, planOf, observedAt), ...money };
};
