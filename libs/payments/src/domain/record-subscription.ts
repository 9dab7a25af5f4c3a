import { daysAfter } from '@tapedeck/kernel';
import type { AccountId } from '@tapedeck/kernel';
import { isSamePlan, type Plan } from '@tapedeck/plans/contract';
import type { SubscriptionSnapshot } from '@tapedeck/stripe/port';
import type { IntentId } from './checkout.ts';
import { firstPaymentOf, isBoughtPlan, termsOf } from './entitlement.ts';
import { cardEnd } from './notices.ts';
import { returnBegun } from './purchase-return.ts';
import { subscriptionSubject, type SubscriptionEvent } from './subscription-events.ts';
import {
  contentText,
  evolve,
  failureKey,
  isBegunLater,
  isLaterRefund,
  supersedes,
  type ObservedSnapshot,
  type Subscription,
} from './subscription.ts';

/** The buyer, as the checkout says. `accountId` is null for a purchase by e-mail. */
export type Buyer = Readonly<{ intentId: IntentId; accountId: AccountId | null; plan: Plan }>;

/** All that was read from Stripe in one go; what is known already is not recorded again. */
export type RecordSubscription = Readonly<{
  type: 'RecordSubscription';
  snapshot: SubscriptionSnapshot;
  /** How many snapshots were recorded when Stripe was asked for this one. */
  basedOn?: number;
  /** Null without a checkout of ours. */
  buyer: Buyer | null;
  /** Whether a sweep has read it: what is new then is a mismatch. */
  isSweep: boolean;
  /** After this time an unclaimed purchase is refunded (docs/product-decisions.md#grace-refunds-disputes). */
  unclaimedRefundDays: number;
}>;

const observedEvent = (
  { subscriptionId, subscription }: SubscriptionSnapshot,
  replaced: ObservedSnapshot | null,
): SubscriptionEvent => {
  const personalSubject = subscriptionSubject(subscriptionId);
  const replaces = replaced ? { replaces: replaced.observedAt } : {};
  const end = subscription.card ? cardEnd(subscription.card) : undefined;
  const expiry = end === undefined ? {} : { cardExpiresAt: end };
  return {
    type: 'SubscriptionObserved',
    data: { subscriptionId, ...subscription, ...replaces, ...expiry, personalSubject },
  };
};

/** The bank may ask for a confirmation some time after an attempt. */
const isNewFailure = (
  failure: SubscriptionSnapshot['failures'][number],
  { failures }: Subscription,
): boolean => {
  const known = failures[failureKey(failure)];
  return known === undefined || (failure.needsAction && !known.needsAction);
};

const hasFailed = (invoiceId: string, { failures }: Subscription): boolean =>
  Object.values(failures).some((failure) => failure.invoiceId === invoiceId);

const paymentsIn = (
  { subscriptionId, payments, failures, voided }: SubscriptionSnapshot,
  state: Subscription,
): readonly SubscriptionEvent[] => [
  ...payments
    .filter(({ invoiceId }) => state.payments[invoiceId] === undefined)
    .map((payment) => ({ type: 'PaymentRecorded', data: { subscriptionId, ...payment } }) as const),
  ...failures
    .filter((failure) => isNewFailure(failure, state))
    .map((failure) => ({ type: 'PaymentFailed', data: { subscriptionId, ...failure } }) as const),
  ...voided
    .filter(({ invoiceId }) => state.voided[invoiceId] === undefined && hasFailed(invoiceId, state))
    .map((invoice) => ({ type: 'InvoiceVoided', data: { subscriptionId, ...invoice } }) as const),
];

const refundsIn = (
  { subscriptionId, refunds }: SubscriptionSnapshot,
  state: Subscription,
): readonly SubscriptionEvent[] =>
  refunds
    .filter((refund) => isLaterRefund(refund, state.refunds[refund.refundId]))
    .map((refund) => ({ type: 'RefundRecorded', data: { subscriptionId, ...refund } }));

/** An appeal can change the outcome: the one that was read later holds. */
const isNewOutcome = (
  { disputeId, outcome, closedAt }: SubscriptionSnapshot['closedDisputes'][number],
  { disputes }: Subscription,
): boolean => {
  const known = disputes[disputeId];
  if (!known || known.outcome === null) return true;
  return known.outcome !== outcome && closedAt > (known.closedAt ?? '');
};

const disputesIn = (
  { subscriptionId, disputes, closedDisputes }: SubscriptionSnapshot,
  state: Subscription,
): readonly SubscriptionEvent[] => [
  ...disputes
    .filter(({ disputeId }) => state.disputes[disputeId] === undefined)
    .map((dispute) => ({ type: 'DisputeOpened', data: { subscriptionId, ...dispute } }) as const),
  ...closedDisputes
    .filter((dispute) => isNewOutcome(dispute, state))
    .map((dispute) => ({ type: 'DisputeClosed', data: { subscriptionId, ...dispute } }) as const),
];

const withoutCard = (snapshot: SubscriptionSnapshot): SubscriptionSnapshot => ({
  ...snapshot,
  subscription: { ...snapshot.subscription, card: null },
});

/**
 * What the snapshot says that is not recorded yet. With new facts about money the snapshot is recorded also when it
 * repeats the known one, so that an older snapshot that arrives later does not replace it.
 */
const newFacts = (
  read: SubscriptionSnapshot,
  state: Subscription,
  isCertain = false,
): readonly SubscriptionEvent[] => {
  const snapshot = state.isForgotten ? withoutCard(read) : read;
  const money = [
    ...paymentsIn(snapshot, state),
    ...refundsIn(snapshot, state),
    ...disputesIn(snapshot, state),
  ];
  const isNewer = money.length > 0 && isBegunLater(snapshot.subscription, state.observed, isCertain);
  const known = state.isForgotten && state.observed ? { ...state.observed, card: null } : state.observed;
  const isOther = supersedes(snapshot.subscription, known, isCertain);
  return isOther || isNewer ? [observedEvent(snapshot, isOther ? state.observed : null), ...money] : money;
};

const observedFields = (
  { subscription }: SubscriptionSnapshot,
  { observed }: Subscription,
): readonly string[] =>
  Object.entries(subscription)
    // Older snapshots do not say whether taxes are added.
    .filter(([name]) => name !== 'observedAt' && name !== 'apiVersion' && name !== 'addsTaxes')
    .filter(([name, value]) => contentText(value) !== contentText(observed?.[name as keyof typeof observed]))
    .map(([name]) => name);

const namesOfFacts = {
  PaymentRecorded: 'payments',
  PaymentFailed: 'failures',
  InvoiceVoided: 'failures',
  RefundRecorded: 'refunds',
  DisputeOpened: 'disputes',
  DisputeClosed: 'disputes',
} as const;

/** The names of the fields and facts that are new; none when the snapshot repeats the known one with its money. */
const mismatchIn = (
  snapshot: SubscriptionSnapshot,
  facts: readonly SubscriptionEvent[],
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const names = facts.flatMap(({ type }) =>
    type === 'SubscriptionObserved'
      ? observedFields(snapshot, state)
      : [namesOfFacts[type as keyof typeof namesOfFacts]],
  );
  const fields = [...new Set(names)];
  if (fields.length === 0) return [];
  const { subscriptionId, subscription } = snapshot;
  return [{ type: 'DriftDetected', data: { subscriptionId, fields, detectedAt: subscription.observedAt } }];
};

export const remindDays = [1, 3, 7] as const;

const unclaimed = (
  { snapshot: { subscriptionId }, unclaimedRefundDays }: RecordSubscription,
  { intentId, plan }: Buyer,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const first = firstPaymentOf(state);
  if (!first || termsOf(state)?.phase !== 'active') return [];
  const remindAt = remindDays
    .filter((day) => day < unclaimedRefundDays)
    .map((day) => ({ day, at: daysAfter(first.paidAt, day) }));
  const refundAt = daysAfter(first.paidAt, unclaimedRefundDays);
  const { paidAt } = first;
  return [
    { type: 'PurchaseUnclaimed', data: { subscriptionId, intentId, plan, paidAt, remindAt, refundAt } },
  ];
};

/** Where the first invoice was for something else than the checkout, the purchase belongs to nobody and goes back. */
const otherPrice = (
  { snapshot: { subscription } }: RecordSubscription,
  { intentId, accountId, plan }: Buyer,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  // A later invoice says nothing: it may be that of a change.
  const first = Object.values(state.payments).find(({ reason }) => reason === 'subscription_create');
  if (!first || (first.plan && isSamePlan(first.plan, plan))) return [];
  const now = subscription.observedAt;
  return [returnBegun(state, { reason: 'other-price', intentId, accountId, keeps: [], now })];
};

/** A purchase while signed in belongs to that account; one by e-mail waits for a claim. */
const ownership = (command: RecordSubscription, state: Subscription): readonly SubscriptionEvent[] => {
  const { buyer, snapshot } = command;
  if (!buyer || state.owner || state.unclaimed !== 'never' || state.purchaseReturn) return [];
  if (!isBoughtPlan(state, buyer.plan)) return otherPrice(command, buyer, state);
  const { accountId, intentId } = buyer;
  if (accountId === null) return unclaimed(command, buyer, state);
  const { subscriptionId } = snapshot;
  return [{ type: 'PaymentClaimed', data: { subscriptionId, intentId, accountId, proof: 'checkout' } }];
};

export const recordSubscription = (
  command: RecordSubscription,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const { snapshot, isSweep, basedOn = -1 } = command;
  const facts = newFacts(snapshot, state, basedOn >= state.snapshots);
  const mismatches = isSweep && state.observed ? mismatchIn(snapshot, facts, state) : [];
  return [...mismatches, ...facts, ...ownership(command, facts.reduce(evolve, state))];
};
