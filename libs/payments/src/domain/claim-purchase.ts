import { DomainError, type AccountId, conflict } from '@tapedeck/kernel';
import type { Plan } from '@tapedeck/plans/contract';
import type { IntentId } from './checkout.ts';
import { isBoughtPlan, termsOf } from './entitlement.ts';
import { returnBegun } from './purchase-return.ts';
import type { ClaimProof, SubscriptionEvent } from './subscription-events.ts';
import { isPaidByAnother, provesPayment, type ObservedSnapshot, type Subscription } from './subscription.ts';

type Claimed = Readonly<{
  intentId: IntentId;
  proof: ClaimProof;
  now: string;
  /** Another live subscription of the same account refuses the claim. */
  hasOtherSubscription: boolean;
}>;

/**
 * The first claim holds, except that the payer comes before the holder of the mailbox, whose address may be mistyped.
 * `plan` is the plan of the checkout, which must be the one that was paid.
 */
export type ClaimPurchase = Readonly<
  {
    type: 'ClaimPurchase';
    accountId: AccountId;
    plan: Plan;
    /** Keyed hash of the address that paid. */
    emailHash: string;
    /** Whether that is an address of the account. */
    isOwnAddress: boolean;
  } & Claimed
>;

/** From the account that owns it, if there is one, to another one. */
export type TransferPurchase = Readonly<
  { type: 'TransferPurchase'; toAccountId: AccountId; fromEmailHash: string } & Claimed
>;

export type RemindOfClaim = Readonly<{ type: 'RemindOfClaim'; day: number; refundAt: string }>;
export type RefundUnclaimed = Readonly<{ type: 'RefundUnclaimed'; now: string }>;

const assertClaimable = (
  state: Subscription,
  { hasOtherSubscription }: Readonly<{ hasOtherSubscription: boolean }>,
): ObservedSnapshot => {
  if (!state.observed) {
    throw new DomainError(
      'not-found',
      'PURCHASE_NOT_FOUND',
      'There is no such purchase: wait a minute after the payment, or contact support.',
    );
  }
  const phase = termsOf(state)?.phase;
  if (phase === 'ended' || phase === 'abandoned') {
    throw conflict('PURCHASE_ENDED', 'This purchase has ended or was refunded: buy a new one.');
  }
  if (hasOtherSubscription) {
    throw conflict(
      'ALREADY_SUBSCRIBED',
      'Your account has a subscription already: cancel one of the two, or contact support for a refund.',
    );
  }
  return state.observed;
};

const claimed = (
  { subscriptionId }: ObservedSnapshot,
  { accountId, intentId, proof, emailHash, isOwnAddress }: ClaimPurchase,
  fromAccountId: AccountId | null,
): SubscriptionEvent =>
  isOwnAddress && fromAccountId === null
    ? { type: 'PaymentClaimed', data: { subscriptionId, intentId, accountId, proof } }
    : {
        type: 'PaymentTransferred',
        data: {
          subscriptionId,
          intentId,
          fromAccountId,
          fromEmailHash: emailHash,
          toAccountId: accountId,
          proof,
        },
      };

/** The entitlement of the former owner after a transfer; nothing without one. */
const endedForOwner = (state: Subscription, now: string): readonly SubscriptionEvent[] => {
  const terms = termsOf(state);
  const { owner } = state;
  if (!terms || !owner) return [];
  return [
    {
      type: 'EntitlementChanged',
      data: {
        ...terms,
        accountId: owner.accountId,
        intentId: owner.intentId,
        proof: owner.proof,
        phase: 'ended',
        paidUntil: null,
        pastDueSince: null,
        nextAttemptAt: null,
        endsAt: null,
        endReason: 'transferred',
        endedAt: now,
        scheduledPlan: null,
        // What becomes of the dispute is said to the new owner.
        isDisputed: false,
      },
    },
  ];
};

/** Whether the payer takes it over from its owner, who has proved a mailbox only. What support has handed over, support takes back. */
export const mayTakeOver = (state: Subscription): boolean =>
  state.owner?.proof === 'mailbox' && isPaidByAnother(state);

export const claimPurchase = (command: ClaimPurchase, state: Subscription): readonly SubscriptionEvent[] => {
  const { owner } = state;
  const isPayer = provesPayment(command.proof);
  if (owner?.accountId === command.accountId) {
    if (!isPayer || !isPaidByAnother(state) || !state.observed) return [];
    const { intentId, accountId, proof } = command;
    const { subscriptionId } = state.observed;
    return [{ type: 'PaymentClaimed', data: { subscriptionId, intentId, accountId, proof } }];
  }
  if (owner && !(isPayer && mayTakeOver(state))) {
    throw conflict(
      'PURCHASE_CLAIMED',
      'Another account has claimed this purchase: sign in with that account, or contact support.',
    );
  }
  const observed = assertClaimable(state, command);
  if (!isBoughtPlan(state, command.plan)) {
    throw conflict(
      'PURCHASE_OF_ANOTHER_PLAN',
      'The payment is not for the plan of this checkout: contact support.',
    );
  }
  return [claimed(observed, command, owner?.accountId ?? null), ...endedForOwner(state, command.now)];
};

export const transferPurchase = (
  command: TransferPurchase,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const { intentId, toAccountId, fromEmailHash, proof, now } = command;
  if (state.owner?.accountId === toAccountId) return [];
  const { subscriptionId } = assertClaimable(state, command);
  const fromAccountId = state.owner?.accountId ?? null;
  return [
    {
      type: 'PaymentTransferred',
      data: { subscriptionId, intentId, fromAccountId, fromEmailHash, toAccountId, proof },
    },
    ...endedForOwner(state, now),
  ];
};

const claimPeriodEnded = (
  { subscriptionId, intentId }: ObservedSnapshot,
  reason: 'refunded' | 'ended',
): SubscriptionEvent => ({
  type: 'ClaimPeriodEnded',
  data: { subscriptionId, intentId: intentId ?? '', reason },
});

const isOver = (state: Subscription): boolean => termsOf(state)?.phase === 'ended';

export const remindOfClaim = (
  { day, refundAt }: RemindOfClaim,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const { observed } = state;
  if (state.unclaimed !== 'waiting' || !observed || state.remindedDays.includes(day)) return [];
  const { subscriptionId, intentId, plan } = observed;
  if (isOver(state) || intentId === null || plan === null) return [claimPeriodEnded(observed, 'ended')];
  return [{ type: 'ClaimReminderDue', data: { subscriptionId, intentId, plan, day, refundAt } }];
};

/** Gives back all that was paid, and ends the subscription. */
export const refundUnclaimed = (
  { now }: RefundUnclaimed,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const { observed } = state;
  if (state.unclaimed !== 'waiting' || !observed) return [];
  if (isOver(state)) return [claimPeriodEnded(observed, 'ended')];
  const intentId = observed.intentId ?? '';
  return [
    claimPeriodEnded(observed, 'refunded'),
    returnBegun(state, { reason: 'unclaimed', intentId, accountId: null, keeps: [], now }),
  ];
};
