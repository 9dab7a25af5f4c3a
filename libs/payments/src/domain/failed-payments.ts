import type { RecordedEvent } from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';
import type { Plan } from '@tapedeck/plans/contract';
import type { Failure, ObservedSnapshot, PaidInvoice } from './subscription.ts';
import type { SubscriptionEvent } from './subscription-events.ts';
import { dayText } from './texts.ts';

type Recorded = RecordedEvent<SubscriptionEvent>;

/** An attempt to charge a renewal that has failed. Amounts are in minor units. */
export type FailedPayment = Readonly<{
  invoiceId: string;
  attempt: number;
  at: string;
  /** Null where it is not known: Stripe's invoice is recorded when it is paid. */
  amount: number | null;
  currency: string;
  plan: Plan | null;
  reason: string;
}>;

const ownerOf = (events: readonly Recorded[]): AccountId | null =>
  events.reduce<AccountId | null>((owner, { type, data }) => {
    if (type === 'PaymentClaimed') return data.accountId;
    return type === 'PaymentTransferred' ? data.toAccountId : owner;
  }, null);

/** An unpaid renewal is for the price of the subscription; an upgrade or a first payment may cost something else. */
const renewalAmount = ({ status, amount, pendingPlan }: ObservedSnapshot): number | null =>
  (status === 'past_due' || status === 'unpaid') && pendingPlan === null ? amount : null;

/** What became of the invoice after this attempt. */
const reasonOf = (failure: Failure, newest: Failure, paid: PaidInvoice | undefined): string => {
  const problem = failure.needsAction
    ? 'Your bank wants you to confirm it'
    : 'The payment method could not be charged';
  if (paid) return `${problem}; paid on ${dayText(paid.paidAt)}.`;
  if (newest !== failure) return `${problem}.`;
  return failure.nextAttemptAt === null
    ? `${problem}, and it is not tried again.`
    : `${problem}: we try again on ${dayText(failure.nextAttemptAt)}.`;
};

/** The attempts that have failed of the subscription's owner, the newest last; none for another account. */
export const failedPayments = (events: readonly Recorded[], account: AccountId): readonly FailedPayment[] => {
  if (ownerOf(events) !== account) return [];
  const paid = new Map(
    events.flatMap(({ type, data }) => (type === 'PaymentRecorded' ? [[data.invoiceId, data] as const] : [])),
  );
  const newest = new Map(
    events.flatMap(({ type, data }) => (type === 'PaymentFailed' ? [[data.invoiceId, data] as const] : [])),
  );
  const failed: FailedPayment[] = [];
  let observed: ObservedSnapshot | undefined;
  for (const { type, data, metadata } of events) {
    if (type === 'SubscriptionObserved') observed = data;
    if (type !== 'PaymentFailed' || !observed) continue;
    const { invoiceId, attempt } = data;
    const payment = paid.get(invoiceId);
    failed.push({
      invoiceId,
      attempt,
      // Stripe says when the invoice was made, not when it was tried again.
      at: attempt === 1 ? data.failedAt : metadata.occurredAt,
      amount: payment?.amountPaid ?? renewalAmount(observed),
      currency: observed.currency,
      plan: observed.plan,
      reason: reasonOf(data, newest.get(invoiceId) ?? data, payment),
    });
  }
  return failed;
};
