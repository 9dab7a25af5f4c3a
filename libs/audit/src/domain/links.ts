import {
  eventsUntil,
  subscriptionEventsOf,
  type MemberEvent,
  type MemberHistory,
  type RecordedSubscriptionEvent,
} from './history.ts';
import { isSamePlan } from '@tapedeck/plans/contract';
import type { Answer } from './answer.ts';

type Of<Type extends RecordedSubscriptionEvent['type']> = Extract<RecordedSubscriptionEvent, { type: Type }>;

const isType =
  <Type extends RecordedSubscriptionEvent['type']>(type: Type) =>
  (event: RecordedSubscriptionEvent): event is Of<Type> =>
    event.type === type;

/** The events of payments that an answer rests on. */
export type Links = Readonly<{
  payment?: Of<'PaymentRecorded'> | undefined;
  failure?: Of<'PaymentFailed'> | undefined;
  refund?: Of<'RefundRecorded'> | undefined;
  dispute?: Of<'DisputeClosed'> | undefined;
  /** How the account came to own the purchase, or lost it. */
  owner?: Of<'PaymentClaimed'> | Of<'PaymentTransferred'> | undefined;
  /** The plan that the subscription changes to at the end of the period. */
  scheduled?: ScheduledPlan | undefined;
}>;

type ScheduledPlan = Readonly<{
  plan: NonNullable<Of<'SubscriptionObserved'>['data']['scheduledPlan']>;
  /** What asked for it; where it was not asked for here, the observation that first had it. */
  event: Of<'StripeWriteRequested'> | Of<'SubscriptionObserved'>;
}>;

const scheduledIn = (events: readonly RecordedSubscriptionEvent[]): ScheduledPlan | undefined => {
  const observations = events.filter(isType('SubscriptionObserved'));
  const { plan: current = null, scheduledPlan: plan } = observations.at(-1)?.data ?? {};
  if (!plan || (current && isSamePlan(current, plan))) return undefined;
  const request = events
    .filter(isType('StripeWriteRequested'))
    .findLast(({ data: { write } }) => write.kind === 'downgrade' && isSamePlan(write.plan, plan));
  const lastWithout = observations.findLastIndex(({ data }) => data.scheduledPlan === null);
  const event = request ?? observations[lastWithout + 1];
  return event && { plan, event };
};

const lastFailure = (events: readonly RecordedSubscriptionEvent[]): Of<'PaymentFailed'> | undefined => {
  const paid = new Set(events.filter(isType('PaymentRecorded')).map(({ data }) => data.invoiceId));
  return events.filter(isType('PaymentFailed')).findLast(({ data }) => !paid.has(data.invoiceId));
};

const ownerOf = (
  events: readonly RecordedSubscriptionEvent[],
  accountId: string,
  isLost: boolean,
): Links['owner'] =>
  events.findLast(
    (event): event is Of<'PaymentClaimed'> | Of<'PaymentTransferred'> =>
      (event.type === 'PaymentClaimed' && event.data.accountId === accountId && !isLost) ||
      (event.type === 'PaymentTransferred' &&
        (isLost ? event.data.fromAccountId : event.data.toAccountId) === accountId),
  );

/** Those of the answer's subscription up to the instant at which it was given. */
export const linksOf = (
  { options: { accountId } }: MemberHistory,
  events: readonly RecordedSubscriptionEvent[],
  { status, paidUntil, cause }: Answer,
): Links => {
  const isUnpaid = cause === 'payment-failed' || cause === 'unpaid' || cause === 'stripe';
  return {
    owner: ownerOf(events, accountId, cause === 'transferred'),
    payment:
      status === 'active' || status === 'grace'
        ? events.filter(isType('PaymentRecorded')).findLast(({ data }) => data.periodEnd === paidUntil)
        : undefined,
    failure: isUnpaid ? lastFailure(events) : undefined,
    refund: cause === 'refunded' ? events.findLast(isType('RefundRecorded')) : undefined,
    dispute:
      cause === 'dispute-lost'
        ? events.filter(isType('DisputeClosed')).findLast(({ data }) => data.outcome === 'lost')
        : undefined,
    scheduled: status === 'active' ? scheduledIn(events) : undefined,
  };
};

/** Of one subscription, as known at an instant. */
export const subscriptionEventsUntil = (
  history: MemberHistory,
  at: string,
  subscriptionId: string,
): readonly RecordedSubscriptionEvent[] =>
  subscriptionEventsOf(eventsUntil(history, at)).get(subscriptionId) ?? [];

/** The event of Stripe that made us read it. */
export const stripeEventBehind = (
  { byId }: MemberHistory,
  event: MemberEvent | RecordedSubscriptionEvent,
): Extract<MemberEvent, { type: 'StripeEventReceived' }> | undefined => {
  const cause = byId.get(event.metadata.causationId);
  return cause?.type === 'StripeEventReceived' ? cause : undefined;
};
