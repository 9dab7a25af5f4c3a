import type { Stripe } from 'stripe';
import type { SubscriptionSnapshot } from '../port.ts';
import { orMissing, orUnavailable } from './errors.ts';
import type { PlanOf } from './price-book.ts';
import { collect, idOf, isoOf, isoOrNull } from './values.ts';

const paymentIntentOf = (invoice: Stripe.Invoice): string | null => {
  const paid = invoice.payments?.data.find(({ status }) => status === 'paid') ?? invoice.payments?.data[0];
  return idOf(paid?.payment.payment_intent);
};

const reasonOf = ({ billing_reason: reason }: Stripe.Invoice): string => reason ?? 'manual';

export const priceOfLine = (line: Stripe.InvoiceLineItem): string | null =>
  idOf(line.pricing?.price_details?.price);

/** What a paid invoice was for; undefined for one that is not paid. */
const paymentOf = (
  invoice: Stripe.Invoice,
  planOf: PlanOf,
): SubscriptionSnapshot['payments'][number] | undefined => {
  const paidAt = invoice.status_transitions.paid_at;
  if (invoice.status !== 'paid' || paidAt === null) return undefined;
  // A change of plan has a line that gives back the old one, and one for the new.
  const all = invoice.lines.data.filter(({ amount }) => amount >= 0);
  const ofPlans = all.filter((line) => planOf(priceOfLine(line)) !== null);
  // What is charged beside the plan may be for another time.
  const charged = ofPlans.length > 0 ? ofPlans : all;
  const periods = (charged.length > 0 ? charged : invoice.lines.data).map(({ period }) => period);
  const newest = charged.reduce<Stripe.InvoiceLineItem | undefined>(
    (best, line) => (best && best.period.end >= line.period.end ? best : line),
    undefined,
  );
  return {
    invoiceId: invoice.id ?? '',
    amountPaid: invoice.amount_paid,
    currency: invoice.currency,
    reason: reasonOf(invoice),
    plan: newest ? planOf(priceOfLine(newest)) : null,
    periodStart: isoOf(Math.min(...periods.map(({ start }) => start))),
    periodEnd: isoOf(Math.max(...periods.map(({ end }) => end))),
    chargeId: null,
    paymentIntentId: paymentIntentOf(invoice),
    paidAt: isoOf(paidAt),
  };
};

const isFailed = ({ status, attempted }: Stripe.Invoice): boolean => status === 'open' && attempted;

/** The attempt to pay the newest invoice, when it has failed: why, and whether the bank wants a confirmation. */
export const attemptOf = async (
  stripe: Stripe,
  newest: readonly Stripe.Invoice[],
): Promise<Stripe.PaymentIntent | undefined> => {
  const intentId = newest.filter(isFailed).map(paymentIntentOf)[0] ?? null;
  return intentId === null ? undefined : orMissing(stripe.paymentIntents.retrieve(intentId));
};

/** The newest failed attempt to pay an open invoice; undefined for one without an attempt. */
const failureOf = (
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent | undefined,
): SubscriptionSnapshot['failures'][number] | undefined => {
  if (!isFailed(invoice)) return undefined;
  const error = intent?.last_payment_error;
  return {
    invoiceId: invoice.id ?? '',
    attempt: invoice.attempt_count,
    nextAttemptAt: isoOrNull(invoice.next_payment_attempt),
    needsAction: intent?.status === 'requires_action',
    declineCode: error?.decline_code ?? error?.code ?? null,
    reason: reasonOf(invoice),
    amount: invoice.amount_remaining,
    failedAt: isoOf(invoice.status_transitions.finalized_at ?? invoice.created),
  };
};

const voidedOf = (invoice: Stripe.Invoice): SubscriptionSnapshot['voided'][number] | undefined =>
  invoice.status === 'void' && invoice.attempted
    ? {
        invoiceId: invoice.id ?? '',
        voidedAt: isoOf(invoice.status_transitions.voided_at ?? invoice.created),
      }
    : undefined;

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

const disputeOf = (
  dispute: Stripe.Dispute,
  invoiceId: string | null,
): SubscriptionSnapshot['disputes'][number] => ({
  disputeId: dispute.id,
  chargeId: idOf(dispute.charge) ?? '',
  invoiceId,
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
  prevented: 'prevented',
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

type Money = Pick<
  SubscriptionSnapshot,
  'payments' | 'failures' | 'voided' | 'refunds' | 'disputes' | 'closedDisputes'
>;

/** What the prices are for, and the attempt to pay the newest invoice. */
export type Known = Readonly<{ planOf: PlanOf; attempt: Stripe.PaymentIntent | undefined }>;

/** What the invoices alone say. */
export const moneyOfInvoices = (invoices: readonly Stripe.Invoice[], { planOf, attempt }: Known): Money => ({
  payments: invoices.map((invoice) => paymentOf(invoice, planOf)).filter(present),
  failures: invoices
    .map((invoice) => failureOf(invoice, attempt?.id === paymentIntentOf(invoice) ? attempt : undefined))
    .filter(present),
  voided: invoices.map(voidedOf).filter(present),
  refunds: [],
  disputes: [],
  closedDisputes: [],
});

export const allInvoices = (stripe: Stripe, subscription: string): Promise<readonly Stripe.Invoice[]> =>
  orUnavailable(collect(stripe.invoices.list({ subscription, limit: 100, expand: ['data.payments'] })));

/** A refund or a dispute has a charge, which has a payment intent, which the invoice names. */
export const allMoney = async (
  stripe: Stripe,
  invoices: readonly Stripe.Invoice[],
  customer: string,
  observedAt: string,
  known: Known,
): Promise<Money> => {
  const charges = await collect(stripe.charges.list({ customer, limit: 100, expand: ['data.refunds'] }));
  const money = moneyOfInvoices(invoices, known);
  // An invoice of nothing has no payment intent, and neither have charges of other products.
  const invoiceOf = new Map(
    money.payments.flatMap(({ paymentIntentId, invoiceId }) =>
      paymentIntentId === null ? [] : [[paymentIntentId, invoiceId] as const],
    ),
  );
  const own = charges.filter(({ payment_intent }) => invoiceOf.has(idOf(payment_intent) ?? ''));
  const refunds: SubscriptionSnapshot['refunds'][number][] = [];
  const disputes: Stripe.Dispute[] = [];
  for (const charge of own) {
    const invoiceId = invoiceOf.get(idOf(charge.payment_intent) ?? '') ?? null;
    // A refund that has failed leaves no amount on the charge.
    const found = charge.refunds?.has_more
      ? await collect(stripe.refunds.list({ charge: charge.id, limit: 100 }))
      : (charge.refunds?.data ?? []);
    refunds.push(...found.map((refund) => refundOf(refund, invoiceId)));
    if (charge.disputed) disputes.push(...(await collect(stripe.disputes.list({ charge: charge.id }))));
  }
  const chargeOf = new Map(own.map(({ id, payment_intent }) => [idOf(payment_intent), id]));
  return {
    ...money,
    payments: money.payments.map((payment) => ({
      ...payment,
      chargeId: payment.paymentIntentId === null ? null : (chargeOf.get(payment.paymentIntentId) ?? null),
    })),
    refunds,
    disputes: disputes.map((dispute) =>
      disputeOf(dispute, invoiceOf.get(idOf(dispute.payment_intent) ?? '') ?? null),
    ),
    closedDisputes: disputes.map((dispute) => closedDisputeOf(dispute, observedAt)).filter(present),
  };
};
