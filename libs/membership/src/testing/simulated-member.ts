import { stateAfter, type DueRow } from '@tapedeck/eventing';
import { recordedEvent } from '@tapedeck/eventing/testing';
import { accountId, derivedId } from '@tapedeck/kernel';
import type { SubscriptionEvent } from '@tapedeck/payments/events';
import { record, subscriptionDecider, type SubscriptionSnapshot } from '@tapedeck/payments/testing';
import { membershipDecider, type MembershipCommand } from '../domain/decide.ts';
import { type Membership, type MembershipEvent, membershipStream } from '../domain/membership.ts';
import { membershipDue } from '../projections/membership-due.ts';
import { membershipDueDates } from '../reactions.ts';
import { graceDays } from './entitlements.ts';

export const member = accountId(derivedId('simulated member'));

/** A tape of one member in memory: the streams of a subscription and of a membership, and the due dates. */
export type SimulatedMember = Readonly<{
  payments: readonly SubscriptionEvent[];
  memberships: readonly MembershipEvent[];
  due: ReadonlyMap<string, DueRow>;
}>;

export const newMember: SimulatedMember = { payments: [], memberships: [], due: new Map() };

export const membershipOf = ({ memberships }: SimulatedMember): Membership =>
  stateAfter(membershipDecider, memberships);

const dueAfter = (
  due: SimulatedMember['due'],
  events: readonly MembershipEvent[],
): SimulatedMember['due'] => {
  const stream = membershipStream(member);
  const changed = new Map(due);
  for (const change of membershipDue.fold(events.map((event) => recordedEvent(event, { stream })))) {
    const kind = String(change.key['kind']);
    if (change.op === 'remove') changed.delete(kind);
    else {
      const { due_at: at, details } = change.row as { due_at: string; details: Record<string, unknown> };
      changed.set(kind, { stream, kind, due_at: new Date(at), details });
    }
  }
  return changed;
};

export const send = (state: SimulatedMember, command: MembershipCommand): SimulatedMember => {
  const events = membershipDecider.decide(command, membershipOf(state));
  const memberships = [...state.memberships, ...events];
  return { ...state, memberships, due: dueAfter(state.due, events) };
};

/** Records a snapshot, and lets the membership follow. */
export const receive = (state: SimulatedMember, snapshot: SubscriptionSnapshot): SimulatedMember => {
  const { plan, observedAt: now } = snapshot.subscription;
  const buyer = plan && { intentId: 'intent-1', accountId: member, plan };
  const events = subscriptionDecider.decide(
    record(snapshot, buyer),
    stateAfter(subscriptionDecider, state.payments),
  );
  const recorded: SimulatedMember = { ...state, payments: [...state.payments, ...events] };
  const followed = recorded.payments.flatMap((event, index): readonly MembershipCommand[] =>
    event.type === 'EntitlementChanged' && index >= state.payments.length
      ? [{ type: 'FollowEntitlement', entitlement: event.data, version: index + 1, graceDays, now }]
      : [],
  );
  return followed.reduce(send, recorded);
};

const firstDue = ({ due }: SimulatedMember, now: number): DueRow | undefined =>
  [...due.values()]
    .filter(({ due_at }) => due_at.getTime() <= now)
    .sort((a, b) => a.due_at.getTime() - b.due_at.getTime())[0];

/** Sends what is due. Throws when a due date remains after its command: it would be sent for ever. */
export const sendDue = (state: SimulatedMember, now: number): SimulatedMember => {
  const row = firstDue(state, now);
  if (!row) return state;
  const [dueDates] = membershipDueDates;
  const [dispatched] = dueDates?.dispatch(row, new Date(now).toISOString()) ?? [];
  const after = send(state, dispatched?.command as MembershipCommand);
  if (after.due.get(row.kind)?.due_at.getTime() === row.due_at.getTime())
    throw new Error(`The due date ${row.kind} remains after its command.`);
  return sendDue(after, now);
};
