import type { Buyer, RecordSubscription } from './subscription-commands.ts';
import { contentText } from './content-text.ts';
import { paymentsOf, worthOf } from './entitlement.ts';
import { isSamePlan, type Plan } from './plans.ts';
import type { SubscriptionEvent } from './subscription-events.ts';
import type { SubscriptionReading } from '@tapedeck/stripe/port';
import { subscriptionSubject } from './subscription-subject.ts';
import {
  evolve,
  failureKey,
  isBegunLater,
  isLaterRefund,
  supersedes,
  type Observation,
  type Subscription,
} from './subscription.ts';

const observationIn = (
  { subscriptionId, subscription }: SubscriptionReading,
  replaced: Observation | null,
): SubscriptionEvent => {
  const personalSubject = subscriptionSubject(subscriptionId);
  const replaces = replaced ? { replaces: replaced.observedAt } : {};
  return {
    type: 'SubscriptionObserved',
    data: { subscriptionId, ...subscription, ...replaces, personalSubject },
  };
};

const paymentsIn = (
  { subscriptionId, payments, failures }: SubscriptionReading,
  state: Subscription,
): readonly SubscriptionEvent[] => [
  ...payments
    .filter(({ invoiceId }) => state.payments[invoiceId] === undefined)
    .map((payment) => ({ type: 'PaymentRecorded', data: { subscriptionId, ...payment } }) as const),
  ...failures
    .filter((failure) => state.failures[failureKey(failure)] === undefined)
    .map((failure) => ({ type: 'PaymentFailed', data: { subscriptionId, ...failure } }) as const),
];

const refundsIn = (
  { subscriptionId, refunds }: SubscriptionReading,
  state: Subscription,
): readonly SubscriptionEvent[] =>
  refunds
    .filter((refund) => isLaterRefund(refund, state.refunds[refund.refundId]))
    .map((refund) => ({ type: 'RefundRecorded', data: { subscriptionId, ...refund } }));

const disputesIn = (
  { subscriptionId, disputes, closedDisputes }: SubscriptionReading,
  state: Subscription,
): readonly SubscriptionEvent[] => [
  ...disputes
    .filter(({ disputeId }) => state.disputes[disputeId] === undefined)
    .map((dispute) => ({ type: 'DisputeOpened', data: { subscriptionId, ...dispute } }) as const),
  ...closedDisputes
    .filter(({ disputeId }) => (state.disputes[disputeId]?.outcome ?? null) === null)
    .map((dispute) => ({ type: 'DisputeClosed', data: { subscriptionId, ...dispute } }) as const),
];

const withoutCard = (reading: SubscriptionReading): SubscriptionReading => ({
  ...reading,
  subscription: { ...reading.subscription, card: null },
});

/**
 * What the reading says that is not recorded yet. With new facts about money the observation is recorded also when it
 * repeats the known one, so that an older reading that arrives later does not replace it.
 */
const newFacts = (read: SubscriptionReading, state: Subscription): readonly SubscriptionEvent[] => {
  const reading = state.isForgotten ? withoutCard(read) : read;
  const money = [...paymentsIn(reading, state), ...refundsIn(reading, state), ...disputesIn(reading, state)];
  const isNewer = money.length > 0 && isBegunLater(reading.subscription, state.observed);
  const known = state.isForgotten && state.observed ? { ...state.observed, card: null } : state.observed;
  const isOther = supersedes(reading.subscription, known);
  return isOther || isNewer ? [observationIn(reading, isOther ? state.observed : null), ...money] : money;
};

const observedFields = (
  { subscription }: SubscriptionReading,
  { observed }: Subscription,
): readonly string[] =>
  Object.entries(subscription)
    .filter(([name]) => name !== 'observedAt' && name !== 'apiVersion')
    .filter(([name, value]) => contentText(value) !== contentText(observed?.[name as keyof typeof observed]))
    .map(([name]) => name);

const namesOfFacts = {
  PaymentRecorded: 'payments',
  PaymentFailed: 'failures',
  RefundRecorded: 'refunds',
  DisputeOpened: 'disputes',
  DisputeClosed: 'disputes',
} as const;

/** The names of what a reading says that is not recorded: empty when a recording of it would change nothing. */
export const driftOf = (reading: SubscriptionReading, state: Subscription): readonly string[] => [
  ...new Set(
    newFacts(reading, state).flatMap(({ type }) =>
      type === 'SubscriptionObserved'
        ? observedFields(reading, state)
        : [namesOfFacts[type as keyof typeof namesOfFacts]],
    ),
  ),
];

const driftIn = (reading: SubscriptionReading, state: Subscription): readonly SubscriptionEvent[] => {
  const fields = driftOf(reading, state);
  if (fields.length === 0) return [];
  const { subscriptionId, subscription } = reading;
  return [{ type: 'DriftDetected', data: { subscriptionId, fields, detectedAt: subscription.observedAt } }];
};

/** The plan that was paid first; before a payment the observed one. */
export const boughtPlanOf = (state: Subscription): Plan | null => {
  const first = paymentsOf(state).at(-1);
  return first ? first.plan : (state.observed?.plan ?? null);
};

/** A tampered plan grants nothing. */
export const isBoughtPlan = (state: Subscription, plan: Plan): boolean => {
  const bought = boughtPlanOf(state);
  return bought !== null && isSamePlan(bought, plan);
};

const dayMs = 86_400_000;
export const remindDays = [1, 3, 7] as const;
const daysAfter = (time: string, days: number): string =>
  new Date(Date.parse(time) + days * dayMs).toISOString();

const unclaimed = (
  { reading: { subscriptionId }, unclaimedRefundDays }: RecordSubscription,
  { intentId, plan }: Buyer,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const first = paymentsOf(state).at(-1);
  if (!first || worthOf(state)?.phase !== 'active') return [];
  const remindAt = remindDays
    .filter((day) => day < unclaimedRefundDays)
    .map((day) => ({ day, at: daysAfter(first.paidAt, day) }));
  const refundAt = daysAfter(first.paidAt, unclaimedRefundDays);
  const { paidAt } = first;
  return [
    { type: 'PurchaseUnclaimed', data: { subscriptionId, intentId, plan, paidAt, remindAt, refundAt } },
  ];
};

/** Who pays while signed in owns the purchase; one by e-mail waits for a claim. */
const ownership = (command: RecordSubscription, state: Subscription): readonly SubscriptionEvent[] => {
  const { buyer, reading } = command;
  if (!buyer || state.owner || state.unclaimed !== 'never' || !isBoughtPlan(state, buyer.plan)) return [];
  const { accountId, intentId } = buyer;
  if (accountId === null) return unclaimed(command, buyer, state);
  const { subscriptionId } = reading;
  return [{ type: 'PaymentClaimed', data: { subscriptionId, intentId, accountId, proof: 'checkout' } }];
};

export const recordSubscription = (
  command: RecordSubscription,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const { reading, isSweep } = command;
  const facts = newFacts(reading, state);
  const drift = isSweep && state.observed ? driftIn(reading, state) : [];
  return [...drift, ...facts, ...ownership(command, facts.reduce(evolve, state))];
};
