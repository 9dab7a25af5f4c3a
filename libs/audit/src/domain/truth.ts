import {
  evolveMembership,
  followEntitlement,
  noMembership,
  type Membership,
} from '@tapedeck/membership/rules';
import { entitlementOf, type Subscription } from '@tapedeck/payments/rules';
import type { MembershipEvent } from '@tapedeck/membership/events';
import type { Entitlement } from '@tapedeck/payments/events';
import type { MembershipView } from './membership-view.ts';
import { answerAt, explainedMembership, type DatedMembershipEvent } from './answer.ts';
import type { Explanation } from './explain.ts';
import { withCauses } from './explain.ts';
import { subscriptionAfter } from './facts.ts';
import {
  membershipEventsOf,
  subscriptionEventsOf,
  type MemberHistory,
  type RecordedSubscriptionEvent,
} from './history.ts';
import { linksOf } from './links.ts';
import { sentenceOf } from './sentence.ts';
import { viewOf, type Subscriptions } from './view.ts';

/** When a fact was true, which may be before it was recorded. */
const timeOf = (event: RecordedSubscriptionEvent): string => {
  switch (event.type) {
    case 'PaymentRecorded':
      return event.data.paidAt;
    case 'PaymentFailed':
      return event.data.failedAt;
    case 'RefundRecorded':
      return event.data.refundedAt;
    case 'DisputeOpened':
      return event.data.openedAt;
    case 'DisputeClosed':
      return event.data.closedAt;
    case 'SubscriptionObserved':
      return event.data.startedAt;
    case 'PaymentClaimed':
      // A signed-in buyer has owned the purchase from its beginning, which the observation dates.
      return event.data.proof === 'checkout' ? '' : event.metadata.occurredAt;
    default:
      return event.metadata.occurredAt;
  }
};

type Observed = Extract<RecordedSubscriptionEvent, { type: 'SubscriptionObserved' }>;

/** One observation that was true at the instant: the end, if it had come; else the last one before it, or the first one. */
const observationAt = (all: readonly Observed[], at: string): Observed | undefined => {
  const ended = all.find(({ data }) => data.endedAt !== null && data.endedAt <= at);
  const before = all
    .filter(({ data }) => data.observedAt <= at)
    .reduce<Observed | undefined>(
      (last, one) => (last && last.data.observedAt > one.data.observedAt ? last : one),
      undefined,
    );
  return ended ?? before ?? all[0];
};

/** The status that Stripe had, by the payments and failures up to the instant. */
const statusAt = (
  { payments, failures }: Subscription,
  { data: { status, endedAt } }: Observed,
  at: string,
): Observed['data']['status'] => {
  const isOver = endedAt !== null && endedAt <= at;
  if (isOver || status === 'incomplete_expired' || status === 'paused') return status;
  if (Object.keys(payments).length === 0) return status === 'canceled' ? 'incomplete' : status;
  const isUnpaid = Object.values(failures).some(({ invoiceId }) => payments[invoiceId] === undefined);
  if (isUnpaid) return status === 'unpaid' ? 'unpaid' : 'past_due';
  return status === 'trialing' ? 'trialing' : 'active';
};

/** The subscription as it was at an instant, by all that is known today. */
const subscriptionAt = (
  events: readonly RecordedSubscriptionEvent[],
  at: string,
): Subscription | undefined => {
  const past = events.filter((event) => timeOf(event) <= at);
  const isObservation = (event: RecordedSubscriptionEvent): event is Observed =>
    event.type === 'SubscriptionObserved';
  const observation = observationAt(past.filter(isObservation), at);
  if (!observation) return undefined;
  const facts = subscriptionAfter(past.filter((event) => !isObservation(event)));
  const { observed } = subscriptionAfter([observation]);
  return observed
    ? { ...facts, observed: { ...observed, status: statusAt(facts, observation, at) } }
    : undefined;
};

/** What it entitled the account to: also that it was handed over. */
const entitlementFor = (
  state: Subscription,
  events: readonly RecordedSubscriptionEvent[],
  { options: { accountId } }: MemberHistory,
  at: string,
): Entitlement | undefined => {
  const entitlement = entitlementOf(state);
  if (!entitlement || entitlement.accountId === accountId) return entitlement;
  const lost = events.findLast(
    (event) =>
      event.type === 'PaymentTransferred' &&
      event.data.fromAccountId === accountId &&
      event.metadata.occurredAt <= at,
  );
  return (
    lost && {
      ...entitlement,
      accountId,
      phase: 'ended',
      endReason: 'transferred',
      endedAt: lost.metadata.occurredAt,
    }
  );
};

/**
 * What the membership's own rule makes of an entitlement: first of what was paid, then of what has become of it, because
 * the rule does not suspend what was never active.
 */
const membershipEventsFor = (
  entitlement: Entitlement,
  { observed }: Subscription,
  { graceDays, at }: Readonly<{ graceDays: number; at: string }>,
): readonly DatedMembershipEvent[] => {
  const steps: readonly Entitlement[] =
    entitlement.paidUntil === null ? [entitlement] : [{ ...entitlement, phase: 'active' }, entitlement];
  const events = steps.reduce<readonly MembershipEvent[]>((past, step, index) => {
    const command = {
      type: 'FollowEntitlement',
      entitlement: step,
      version: index + 1,
      graceDays,
      now: at,
    } as const;
    return [...past, ...followEntitlement(command, past.reduce(evolveMembership, noMembership))];
  }, []);
  return events.map((event) => ({ ...event, metadata: { occurredAt: observed?.observedAt ?? at } }));
};

type Truth = Readonly<{
  subscriptions: Subscriptions;
  derived: readonly DatedMembershipEvent[];
  membership: Membership;
}>;

const truthOf = (history: MemberHistory, at: string): Truth => {
  const { graceDays } = history.options;
  const grants = membershipEventsOf(history.events).filter(
    ({ type, metadata }) =>
      (type === 'ComplimentaryAccessGranted' || type === 'ComplimentaryAccessEnded') &&
      metadata.occurredAt <= at,
  );
  const bySubscription = [...subscriptionEventsOf(history.events)].flatMap(([id, events]) => {
    const state = subscriptionAt(events, at);
    return state ? [{ id, state, entitlement: entitlementFor(state, events, history, at) }] : [];
  });
  const derived = [
    ...bySubscription.flatMap(({ state, entitlement }) =>
      entitlement ? membershipEventsFor(entitlement, state, { graceDays, at }) : [],
    ),
    ...grants,
  ];
  return {
    subscriptions: new Map(bySubscription.map(({ id, state }) => [id, state])),
    derived,
    membership: derived.reduce(evolveMembership, noMembership),
  };
};

/** As it was at an instant, by all that is known today: also by what became known later. */
export const truthAt = (history: MemberHistory, at: string): MembershipView => {
  const { membership, subscriptions } = truthOf(history, at);
  return viewOf(membership, subscriptions, at, history.options);
};

/** Why that was so. */
export const explainTruthAt = (history: MemberHistory, at: string): Explanation => {
  const answer = answerAt(explainedMembership(truthOf(history, at).derived), at);
  const events = subscriptionEventsOf(history.events).get(answer.source ?? '') ?? [];
  const links = linksOf(
    history,
    events.filter((event) => timeOf(event) <= at),
    answer,
  );
  const change = membershipEventsOf(history.events).find(
    ({ type, data }) =>
      answer.kind === 'grant' &&
      type === 'ComplimentaryAccessGranted' &&
      'grantId' in data &&
      data.grantId === answer.source,
  );
  return {
    sentence: sentenceOf({ answer, links, change, planChange: undefined, end: undefined }),
    answer,
    chain: withCauses(history, links),
    quote: null,
  };
};
