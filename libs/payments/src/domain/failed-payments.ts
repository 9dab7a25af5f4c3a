import type { RecordedEvent } from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';
import type { Plan } from '@tapedeck/plans/contract';
import { declineClause, declineText } from './decline-texts.ts';
import { newestFailure } from './entitlement.ts';
import {
  evolve,
  noSubscription,
  type Failure,
  type ObservedSnapshot,
  type Subscription,
} from './subscription.ts';
import type { SubscriptionEvent } from './subscription-events.ts';
import { dayText } from './texts.ts';

type Recorded = RecordedEvent<SubscriptionEvent>;

/** An attempt to charge a renewal that has failed. Amounts are in minor units. */
export type FailedPayment = Readonly<{
  invoiceId: string;
  attempt: number;
  at: string;
  /** Null where it is not known: older attempts have none. */
  amount: number | null;
  /** Stripe's `billing_reason`; null where it is not known. */
  billingReason: string | null;
  currency: string;
  plan: Plan | null;
  reason: string;
}>;

const stateAfter = (events: readonly SubscriptionEvent[]): Subscription =>
  events.reduce(evolve, noSubscription);

/** Of an older attempt: an unpaid renewal is for the price; an upgrade or a first payment may cost something else. */
const renewalAmount = ({ status, amount, pendingPlan }: ObservedSnapshot): number | null =>
  (status === 'past_due' || status === 'unpaid') && pendingPlan === null ? amount : null;

/** What an attempt was to charge; null where it is not known. */
export const failedAmount = ({ amount }: Failure, observed: ObservedSnapshot): number | null =>
  amount ?? renewalAmount(observed);

/** What became of the invoice after this attempt. */
const reasonOf = (failure: Failure, newest: Failure, state: Subscription): string => {
  const problem = declineText(failure, state);
  const paid = state.payments[failure.invoiceId];
  if (paid) return `${problem}; paid on ${dayText(paid.paidAt)}.`;
  if (newest !== failure) return `${problem}.`;
  return failure.nextAttemptAt === null
    ? `${problem}, and it is not tried again.`
    : `${problem}: we try again on ${dayText(failure.nextAttemptAt)}.`;
};

/** The attempts that have failed of the subscription's owner, the newest last; none for another account. */
export const failedPayments = (events: readonly Recorded[], account: AccountId): readonly FailedPayment[] => {
  const state = stateAfter(events);
  if (state.owner?.accountId !== account) return [];
  const newest = new Map(
    events.flatMap(({ type, data }) => (type === 'PaymentFailed' ? [[data.invoiceId, data] as const] : [])),
  );
  const failed: FailedPayment[] = [];
  let observed: ObservedSnapshot | undefined;
  for (const { type, data, metadata } of events) {
    if (type === 'SubscriptionObserved') observed = data;
    if (type !== 'PaymentFailed' || !observed) continue;
    const { invoiceId, attempt } = data;
    const amount = failedAmount(data, observed);
    failed.push({
      invoiceId,
      attempt,
      // Stripe says when the invoice was made, not when it was tried again.
      at: attempt === 1 ? data.failedAt : metadata.occurredAt,
      amount: state.payments[invoiceId]?.amountPaid ?? amount,
      billingReason: data.reason ?? (amount === null ? null : 'subscription_cycle'),
      currency: observed.currency,
      plan: observed.plan,
      reason: reasonOf(data, newest.get(invoiceId) ?? data, state),
    });
  }
  return failed;
};

/** Why the newest attempt has failed at what is still unpaid, as the rest of a sentence; null without one. */
export const unpaidReason = (events: readonly SubscriptionEvent[]): string | null => {
  const state = stateAfter(events);
  const failure = newestFailure(state);
  return failure ? declineClause(failure, state) : null;
};
