import { DomainError, type AccountId, dayMs } from '@tapedeck/kernel';
import type { Plan } from '@tapedeck/plans/contract';
import { firstPaymentOf, paymentsOf, subscribedPlanOf, termsOf } from './entitlement.ts';
import { amountBack, returnBegun } from './purchase-return.ts';
import type { SubscriptionEvent } from './subscription-events.ts';
import { isFinal, type Subscription } from './subscription.ts';

/** The owner withdraws from the contract: it ends at once, and all that was paid for it goes back. */
export type WithdrawFromContract = Readonly<{
  type: 'WithdrawFromContract';
  accountId: AccountId;
  /** How many days after the purchase it is possible; 0: never. */
  days: number;
  now: string;
}>;

/** A contract from which its owner can withdraw until then. Amounts are in minor units. */
export type Withdrawable = Readonly<{
  subscriptionId: string;
  plan: Plan | null;
  paidAt: string;
  until: string;
  /** What goes back: what is neither refunded nor disputed. */
  amount: number;
  currency: string;
  /** The bank decides about a payment of it. */
  isDisputed: boolean;
  hasEnded: boolean;
}>;

/**
 * The end of the period in which the law lets a consumer withdraw: its days begin after the day of the purchase, and end at
 * midnight. A day more covers every time zone, since the buyer's is not known.
 */
const withdrawalEnd = (paidAt: string, days: number): string => {
  const day = Math.floor(Date.parse(paidAt) / dayMs);
  return new Date((day + days + 2) * dayMs).toISOString();
};

/** Undefined when there is nothing to withdraw from: its time is over, or all that was paid went back already. */
export const withdrawableOf = (
  state: Subscription,
  { days, now }: Readonly<{ days: number; now: string }>,
): Withdrawable | undefined => {
  const { observed, purchaseReturn } = state;
  const first = firstPaymentOf(state);
  if (!observed || !first || purchaseReturn || days === 0) return undefined;
  const until = withdrawalEnd(first.paidAt, days);
  const { amount, isDisputed } = amountBack(state);
  const isFree = paymentsOf(state).every(({ amountPaid }) => amountPaid === 0);
  // A dispute that is open may still be decided against the buyer, who then is owed the money.
  const isOpen = isDisputed && termsOf(state)?.isDisputed === true;
  if (until <= now || !(isFree || isOpen || amount > 0)) return undefined;
  return {
    subscriptionId: observed.subscriptionId,
    plan: subscribedPlanOf(state),
    paidAt: first.paidAt,
    until,
    amount,
    currency: observed.currency,
    isDisputed,
    hasEnded: isFinal(observed),
  };
};

/** The event is the record of the withdrawal, and its time that of the acknowledgement. Again it changes nothing. */
export const withdrawFromContract = (
  { accountId, days, now }: WithdrawFromContract,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const { owner, purchaseReturn } = state;
  if (owner?.accountId !== accountId) {
    throw new DomainError('not-found', 'SUBSCRIPTION_NOT_FOUND', 'Your account has no such subscription.');
  }
  if (purchaseReturn?.reason === 'withdrawn') return [];
  if (!withdrawableOf(state, { days, now })) {
    throw new DomainError(
      'conflict',
      'WITHDRAWAL_NOT_POSSIBLE',
      'The time for withdrawing from this contract is over, or its payment goes back already. You can cancel the subscription, or write to support.',
    );
  }
  const { intentId } = owner;
  return [returnBegun(state, { reason: 'withdrawn', intentId, accountId, keeps: [], now })];
};
