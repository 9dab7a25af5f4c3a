import { daysAfter } from '@tapedeck/kernel';
import { isForgotten } from '@tapedeck/eventing/core';
import { isSamePlan } from '@tapedeck/plans/contract';
import type { ExpiringCard, Renewal } from './billing-mail-texts.ts';
import { goesOn, refundedAmount, subscribedPlanOf } from './entitlement.ts';
import { renewalAmountOf } from './price-notice.ts';
import type { CardNoticeDue, RefundRecorded, RenewalNoticeDue } from './subscription-events.ts';
import {
  isPaidByAnother,
  type Failure,
  type PaidInvoice,
  type Refund,
  type Subscription,
} from './subscription.ts';

// Whether a mail still says something when it is sent: what was paid, cancelled or given back meanwhile is not announced.

/** How many days before a renewal by the year its owner is reminded of it. */
export const renewalNoticeDays = [30, 7] as const;

/** The instant from which a card is refused: it is good until the end of its month. */
export const cardEnd = ({
  expMonth,
  expYear,
}: Readonly<{ expMonth: number; expYear: number }>): string | undefined => {
  const end = new Date(Date.UTC(expYear, expMonth, 1));
  return expMonth >= 1 && expMonth <= 12 && expYear >= 2000 && expYear < 3000 ? end.toISOString() : undefined;
};

/** When the last month of a card begins. */
export const cardNoticeAt = (end: string): string => {
  const date = new Date(end);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1)).toISOString();
};

/** Whether the money of an invoice goes back as a part of its purchase, which has a mail of its own. */
const isReturned = ({ purchaseReturn }: Subscription, invoiceId: string | null): boolean =>
  purchaseReturn !== null && (invoiceId === null || !purchaseReturn.keeps.includes(invoiceId));

/** Nothing for an invoice of nothing. */
export const isReceiptDue = (
  state: Subscription,
  { invoiceId, amountPaid }: Pick<PaidInvoice, 'invoiceId' | 'amountPaid'>,
): boolean => amountPaid > 0 && !isReturned(state, invoiceId);

/** An upgrade that is not paid changes nothing, and the dialog says so at once. */
const isOfRenewal = ({ reason }: Pick<Failure, 'reason'>, { observed }: Subscription): boolean => {
  if (reason === 'subscription_cycle') return true;
  // Older events have no reason, and a period may begin with a change of the plan.
  const isUnpaid = observed?.status === 'past_due' || observed?.status === 'unpaid';
  return isUnpaid && observed.pendingPlan === null;
};

/** One mail for each renewal that fails, however often it is tried; none when it is paid by now. `before`: just before the event. */
export const isFailureNoticeDue = (
  { invoiceId, ...failure }: Pick<Failure, 'invoiceId' | 'reason'>,
  before: Subscription,
  now: Subscription,
): boolean => {
  const isKnown = Object.values(before.failures).some((failure) => failure.invoiceId === invoiceId);
  const isFirstPayment = Object.keys(before.payments).length === 0;
  const isResolved = now.payments[invoiceId] !== undefined || now.voided[invoiceId] !== undefined;
  const isNew = !isKnown && !isFirstPayment && !isResolved;
  return isNew && isOfRenewal(failure, before) && !isReturned(now, invoiceId);
};

type RenewalNotice = Pick<RenewalNoticeDue['data'], 'days' | 'renewsAt'>;

/**
 * What a notice of a renewal says at an instant; undefined when the subscription does not renew then, or not by the year.
 * Of a notice that is late, the later one says the same.
 */
export const renewalToAnnounce = (
  { days, renewsAt }: RenewalNotice,
  state: Subscription,
  now: string,
): Renewal | undefined => {
  const { observed, owner } = state;
  const plan = subscribedPlanOf(state);
  const isLate = renewalNoticeDays.some((other) => other < days && daysAfter(renewsAt, -other) <= now);
  if (!observed || !owner || plan?.period !== 'annual' || !goesOn(state)) return undefined;
  if (observed.periodEnd !== renewsAt || renewsAt <= now || isLate) return undefined;
  const nextPlan = observed.scheduledPlan ?? plan;
  const amount = isSamePlan(plan, nextPlan) ? renewalAmountOf(state, observed) : null;
  return { plan, nextPlan, amount, currency: observed.currency, renewsAt };
};

/** The card that will be refused; undefined when it was replaced, is not the owner's, or is charged no more. */
export const cardToAnnounce = (
  { expiresAt }: Pick<CardNoticeDue['data'], 'expiresAt'>,
  state: Subscription,
  now: string,
): ExpiringCard | undefined => {
  const { observed, owner } = state;
  const card = observed?.card;
  if (!observed || !owner || !card || isForgotten(card) || isPaidByAnother(state)) return undefined;
  if (cardEnd(card) !== expiresAt || expiresAt <= now || !goesOn(state)) return undefined;
  const { brand, last4 } = card;
  return { brand, last4, nextChargeAt: observed.periodEnd };
};

export type RefundNotice = Readonly<{
  kind: 'refund' | 'refund-failed';
  refund: Refund;
  payment: Readonly<{ plan: PaidInvoice['plan']; paidAt: string; isAll: boolean }> | null;
}>;

const paymentOf = (
  { payments }: Subscription,
  { invoiceId, chargeId }: Pick<Refund, 'invoiceId' | 'chargeId'>,
): PaidInvoice | undefined =>
  Object.values(payments).find((payment) =>
    invoiceId === null ? chargeId !== null && payment.chargeId === chargeId : payment.invoiceId === invoiceId,
  );

/**
 * What is said of a refund: once that it goes back, and once that it did not arrive. `before`: just before the event.
 * Undefined where the mail about the return of its purchase has said it.
 */
export const refundToAnnounce = (
  refund: RefundRecorded['data'],
  before: Subscription,
  now: Subscription,
): RefundNotice | undefined => {
  const wasAnnounced = before.refunds[refund.refundId] !== undefined || isReturned(now, refund.invoiceId);
  const newest = now.refunds[refund.refundId] ?? refund;
  const paid = paymentOf(now, refund);
  const payment = paid
    ? {
        plan: paid.plan,
        paidAt: paid.paidAt,
        isAll: refundedAmount(now, paid) >= paid.amountPaid && refund.amount >= paid.amountPaid,
      }
    : null;
  const notice = { refund, payment };
  switch (refund.status) {
    case 'pending':
    case 'succeeded': {
      const isStillTrue = newest.status === 'pending' || newest.status === 'succeeded';
      return wasAnnounced || !isStillTrue ? undefined : { kind: 'refund', ...notice };
    }
    case 'failed':
      return wasAnnounced ? { kind: 'refund-failed', ...notice } : undefined;
    case 'canceled':
      return undefined;
    default:
      return refund.status satisfies never;
  }
};
