import { isSealedEventOf, type RecordedEvent, type SealedEvent } from '@tapedeck/eventing/core';
import type { AccountForgotten, AccountRegistered } from '@tapedeck/identity/events';
import type { AccountId } from '@tapedeck/kernel';
import { membershipEvents, type MembershipEvent } from '@tapedeck/membership/events';
import type { EntitlementMode } from '@tapedeck/membership/rules';
import { subscriptionEvents, type SubscriptionEvent } from '@tapedeck/payments/events';
import type { StripeEventReceived } from '@tapedeck/stripe/events';
import { remember } from './remember.ts';

/** An event that takes part in deciding what a member may use. */
export type MemberEvent = RecordedEvent<
  SealedEvent<
    MembershipEvent | SubscriptionEvent | StripeEventReceived | AccountRegistered | AccountForgotten
  >
>;

export type RecordedMembershipEvent = RecordedEvent<SealedEvent<MembershipEvent>>;
export type RecordedSubscriptionEvent = RecordedEvent<SealedEvent<SubscriptionEvent>>;

export type HistoryOptions = Readonly<{
  accountId: AccountId;
  mode: EntitlementMode;
  /** How long access lasts after a paid period (docs/product-decisions.md#grace-refunds-disputes). */
  graceDays: number;
}>;

/**
 * The events of one member in order of the tape. `knownAt` has, for each event, the latest `occurredAt` up to it: what was
 * known at an instant is always a beginning of the tape, also where clocks have differed.
 */
export type MemberHistory = Readonly<{
  options: HistoryOptions;
  events: readonly MemberEvent[];
  knownAt: readonly string[];
  byId: ReadonlyMap<string, MemberEvent>;
}>;

const runningMaxima = (events: readonly MemberEvent[], first: string): readonly string[] => {
  let max = first;
  return events.map(({ metadata: { occurredAt } }) => (max = occurredAt > max ? occurredAt : max));
};

export const memberHistory = (events: readonly MemberEvent[], options: HistoryOptions): MemberHistory => ({
  options,
  events,
  knownAt: runningMaxima(events, ''),
  byId: new Map(events.map((event) => [event.id, event])),
});

/** With the events that were recorded since. */
export const extendHistory = (history: MemberHistory, added: readonly MemberEvent[]): MemberHistory =>
  added.length === 0
    ? history
    : {
        ...history,
        events: [...history.events, ...added],
        knownAt: [...history.knownAt, ...runningMaxima(added, history.knownAt.at(-1) ?? '')],
        byId: new Map([...history.byId, ...added.map((event) => [event.id, event] as const)]),
      };

/** The last one of each list: the same beginning is the same list. */
const beginnings = new WeakMap<readonly MemberEvent[], readonly MemberEvent[]>();

const beginningOf = (events: readonly MemberEvent[], length: number): readonly MemberEvent[] => {
  if (length === events.length) return events;
  const last = beginnings.get(events);
  if (last?.length === length) return last;
  const beginning = events.slice(0, length);
  beginnings.set(events, beginning);
  return beginning;
};

/** What was recorded by an instant. */
export const eventsUntil = ({ events, knownAt }: MemberHistory, at: string): readonly MemberEvent[] => {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((knownAt[middle] ?? '') <= at) low = middle + 1;
    else high = middle;
  }
  return beginningOf(events, low);
};

const isOfMembership = isSealedEventOf(membershipEvents);
const isOfSubscription = isSealedEventOf(subscriptionEvents);

export const membershipEventsOf = remember(
  (events: readonly MemberEvent[]): readonly RecordedMembershipEvent[] => events.filter(isOfMembership),
);

/** By subscription, in order of the tape. */
export const subscriptionEventsOf = remember(
  (events: readonly MemberEvent[]): ReadonlyMap<string, readonly RecordedSubscriptionEvent[]> => {
    const found = new Map<string, RecordedSubscriptionEvent[]>();
    for (const event of events.filter(isOfSubscription)) {
      const { subscriptionId } = event.data;
      const known = found.get(subscriptionId);
      if (known) known.push(event);
      else found.set(subscriptionId, [event]);
    }
    return found;
  },
);
