import { stateAfter, type DomainEvent } from '@tapedeck/eventing';
import { recordedEvent } from '@tapedeck/eventing/testing';
import { derivedId } from '@tapedeck/kernel';
import {
  graceDays,
  grantAccess,
  member,
  membershipOf,
  newMember,
  revokeAccess,
  send,
  sendDue,
  type SimulatedMember,
} from '@tapedeck/membership/testing';
import { membershipStream } from '@tapedeck/membership/events';
import {
  record,
  subscriptionDecider,
  type SubscriptionCommand,
  type SubscriptionSnapshot,
} from '@tapedeck/payments/testing';
import { subscriptionStream } from '@tapedeck/payments/events';
import { stripeEventStream } from '@tapedeck/stripe/events';
import { memberHistory, type MemberEvent, type MemberHistory } from '../domain/history.ts';

export { member };

/** What is on the tape of one member with one subscription, and how the membership stood after each step. */
export type Tape = Readonly<{
  state: SimulatedMember;
  events: readonly MemberEvent[];
  steps: readonly Readonly<{ at: string; membership: ReturnType<typeof membershipOf> }>[];
  sent: number;
}>;

export const newTape: Tape = { state: newMember, events: [], steps: [], sent: 0 };

const subscription = 'sub_1';

type Recording = Readonly<{ stream: string; version: number; at: string; causationId: string }>;

const recorded = (
  { type, data }: DomainEvent,
  index: number,
  { stream, version, at, causationId }: Recording,
): MemberEvent =>
  recordedEvent(
    // Of the type that the caller has named, with its fields in clear.
    { type, data } as MemberEvent,
    {
      id: derivedId(`${stream} ${version}`),
      stream,
      version,
      position: BigInt(index + 1),
      metadata: { actorId: 'test', occurredAt: at, correlationId: causationId, causationId },
    },
  );

const append = (
  tape: Tape,
  stream: string,
  events: readonly DomainEvent[],
  at: string,
  causationId: string,
): Tape => {
  const version = tape.events.filter((event) => event.stream === stream).length;
  const added = events.map((event, index) =>
    recorded(event, tape.events.length + index, { stream, version: version + index + 1, at, causationId }),
  );
  return { ...tape, events: [...tape.events, ...added] };
};

const changeMembership = (tape: Tape, state: SimulatedMember, at: string, causationId: string): Tape => {
  const added = state.memberships.slice(tape.state.memberships.length);
  const appended = append(tape, membershipStream(member), added, at, causationId);
  return { ...appended, state, steps: [...tape.steps, { at, membership: membershipOf(state) }] };
};

/** A command to the subscription; the membership follows what it entitles the member to. */
export const change = (tape: Tape, command: SubscriptionCommand, at: string, causationId = 'test'): Tape => {
  const { payments } = tape.state;
  const decided = subscriptionDecider.decide(command, stateAfter(subscriptionDecider, payments));
  const state = { ...tape.state, payments: [...payments, ...decided] };
  const paid = append({ ...tape, state }, subscriptionStream(subscription), decided, at, causationId);
  return paid.events.slice(tape.events.length).reduce((after, event) => {
    if (event.type !== 'EntitlementChanged' || event.data.accountId !== member) return after;
    const command = {
      type: 'FollowEntitlement',
      entitlement: event.data,
      version: event.version,
      graceDays,
      now: at,
    } as const;
    return changeMembership(after, send(after.state, command), at, event.id);
  }, paid);
};

/** A snapshot that an event of Stripe has caused. */
export const tell = (
  tape: Tape,
  snapshot: SubscriptionSnapshot,
  at = snapshot.subscription.observedAt,
  accountId: typeof member | null = member,
): Tape => {
  const eventId = `evt_${tape.sent + 1}`;
  const data = { eventId, type: 'invoice.paid', subscriptionId: subscription };
  const received = append(
    { ...tape, sent: tape.sent + 1 },
    stripeEventStream(eventId),
    [{ type: 'StripeEventReceived', data }],
    at,
    'test',
  );
  const { plan } = snapshot.subscription;
  const buyer = plan && { intentId: 'intent-1', accountId, plan };
  return change(received, record(snapshot, buyer), at, received.events.at(-1)?.id ?? '');
};

export const grant = (
  tape: Tape,
  { id, tier, until }: Readonly<{ id: string; tier: 'Pro' | 'Elite'; until: string | null }>,
  at: string,
): Tape => {
  const given = { accountId: member, grantId: id, tier, until, reason: `Reason of ${id}.`, now: at };
  return changeMembership(tape, send(tape.state, grantAccess(given)), at, 'test');
};

/** Ends all that was granted. */
export const revoke = (tape: Tape, at: string): Tape => {
  const given = { accountId: member, reason: 'By mistake.' };
  return changeMembership(tape, send(tape.state, revokeAccess(given)), at, 'test');
};

/** Whatever is due by then. */
export const passTo = (tape: Tape, at: string): Tape =>
  changeMembership(tape, sendDue(tape.state, Date.parse(at)), at, 'test');

export const historyOf = ({ events }: Pick<Tape, 'events'>): MemberHistory =>
  memberHistory(events, { accountId: member, mode: 'advertised', graceDays });
