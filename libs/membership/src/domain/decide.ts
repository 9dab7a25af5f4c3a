import { commandTarget, type Decider } from '@tapedeck/eventing/core';
import { type AccountId, daysAfter } from '@tapedeck/kernel';
import type { Entitlement } from '@tapedeck/payments/events';
import type { BillingPeriod, PaidTier } from '@tapedeck/plans/contract';
import {
  expireAccess,
  grantAccess,
  replacedGrants,
  revokeAccess,
  type EndComplimentaryAccess,
  type GrantComplimentaryAccess,
  type RevokeComplimentaryAccess,
} from './complimentary-access.ts';
import {
  checkAtOf,
  evolve,
  type Membership,
  type MembershipEvent,
  membershipEvents,
  type MemberSubscription,
  noMembership,
  opened,
} from './membership.ts';

export type FollowEntitlement = Readonly<{
  type: 'FollowEntitlement';
  entitlement: Entitlement;
  /** Of the entitlement's event in the subscription's stream. */
  version: number;
  /** How long access lasts after a paid period when no renewal is paid (docs/product-decisions.md#grace-refunds-disputes). */
  graceDays: number;
  now: string;
}>;

/** An entitlement to something that was paid. */
type Paid = Readonly<{
  tier: PaidTier;
  period: BillingPeriod;
  paidUntil: string;
  graceUntil: string;
  entitlement: Entitlement;
}>;

type Subject = Pick<Entitlement, 'accountId' | 'subscriptionId'>;

const subjectOf = ({ accountId, subscriptionId }: Entitlement): Subject => ({ accountId, subscriptionId });

const subscriptionIn = ({ subscriptions }: Membership, id: string): MemberSubscription | undefined =>
  subscriptions.find(({ subscriptionId }) => subscriptionId === id);

const isOff = ({ phase }: MemberSubscription): boolean => phase === 'suspended' || phase === 'ended';

const periodEvents = (
  { entitlement, tier, period, paidUntil, graceUntil }: Paid,
  known: MemberSubscription,
  now: string,
): readonly MembershipEvent[] => {
  const data = { ...subjectOf(entitlement), paidUntil, graceUntil };
  if (known.paidUntil === null) return [{ type: 'MembershipActivated', data: { ...data, tier, period } }];
  if (paidUntil > known.paidUntil) return [{ type: 'MembershipRenewed', data }];
  // Our own deadline has passed: only a payment gives back the access.
  if (isOff(known) && graceUntil > now) return [{ type: 'MembershipReinstated', data }];
  return paidUntil < known.paidUntil ? [{ type: 'PaidPeriodCorrected', data }] : [];
};

const tierEvents = (
  { entitlement, tier, period }: Paid,
  known: MemberSubscription,
): readonly MembershipEvent[] => {
  if (known.tier === null || known.period === null) return [];
  if (known.tier === tier && known.period === period) return [];
  const from = { fromTier: known.tier, fromPeriod: known.period };
  return [{ type: 'TierChanged', data: { ...subjectOf(entitlement), ...from, tier, period } }];
};

const cancellationEvents = (
  { entitlement, paidUntil }: Paid,
  known: MemberSubscription,
): readonly MembershipEvent[] => {
  const { endsAt } = entitlement;
  if (endsAt === known.endsAt) return [];
  const subject = subjectOf(entitlement);
  return endsAt === null
    ? [{ type: 'CancellationWithdrawn', data: { ...subject, paidUntil } }]
    : [{ type: 'CancellationScheduled', data: { ...subject, endsAt, paidUntil } }];
};

const graceEvents = (
  { entitlement, paidUntil, graceUntil }: Paid,
  known: MemberSubscription,
): readonly MembershipEvent[] => {
  if (entitlement.phase !== 'past-due' || known.phase !== 'active') return [];
  const since = entitlement.pastDueSince ?? paidUntil;
  return [
    {
      type: 'GraceStarted',
      data: { ...subjectOf(entitlement), since, until: graceUntil, cause: 'payment-failed' },
    },
  ];
};

const suspendedEvents = (entitlement: Entitlement, known: MemberSubscription): readonly MembershipEvent[] =>
  known.phase === 'pending' || isOff(known)
    ? []
    : [{ type: 'MembershipSuspended', data: { ...subjectOf(entitlement), cause: 'stripe' } }];

const endedEvents = (entitlement: Entitlement, known: MemberSubscription): readonly MembershipEvent[] => {
  if (known.phase === 'ended') return [];
  const { endReason, endedAt } = entitlement;
  const reason = entitlement.phase === 'abandoned' ? 'abandoned' : (endReason ?? 'canceled');
  return [{ type: 'MembershipEnded', data: { ...subjectOf(entitlement), reason, endedAt } }];
};

type Step = (known: MemberSubscription) => readonly MembershipEvent[];

/** Each step sees the subscription after the events of the steps before it. */
const stepsOf = ({ entitlement, graceDays, now }: FollowEntitlement): readonly Step[] => {
  const { phase, tier, period, paidUntil } = entitlement;
  switch (phase) {
    case 'abandoned':
    case 'ended':
      return [(known) => endedEvents(entitlement, known)];
    case 'pending':
    case 'suspended':
      return [(known) => suspendedEvents(entitlement, known)];
    case 'active':
    case 'past-due': {
      if (tier === null || period === null || paidUntil === null) {
        return [(known) => suspendedEvents(entitlement, known)];
      }
      const paid = { entitlement, tier, period, paidUntil, graceUntil: daysAfter(paidUntil, graceDays) };
      return [
        (known) => periodEvents(paid, known, now),
        (known) => tierEvents(paid, known),
        (known) => cancellationEvents(paid, known),
        (known) => graceEvents(paid, known),
      ];
    }
    default:
      return phase satisfies never;
  }
};

const withVersion = (event: MembershipEvent, entitlementVersion: number): MembershipEvent =>
  // Every event of a subscription has the field.
  ({ ...event, data: { ...event.data, entitlementVersion } }) as MembershipEvent;

/** The events that bring a membership to what the entitlement says; none for one that was applied already. */
export const followEntitlement = (
  command: FollowEntitlement,
  state: Membership,
): readonly MembershipEvent[] => {
  const { entitlement, version } = command;
  const { accountId, subscriptionId, intentId } = entitlement;
  const known = subscriptionIn(state, subscriptionId);
  if (known && known.entitlementVersion >= version) return [];
  const openings: readonly MembershipEvent[] = known
    ? []
    : [{ type: 'MembershipOpened', data: { accountId, subscriptionId, intentId } }];
  const changes = stepsOf(command).reduce((events, step) => {
    const now = events.reduce(evolve, state);
    return [...events, ...step(subscriptionIn(now, subscriptionId) ?? opened(subscriptionId, intentId))];
  }, openings);
  const noted: MembershipEvent = { type: 'EntitlementNoted', data: subjectOf(entitlement) };
  const followed = (changes.length === 0 ? [noted] : changes).map((event) => withVersion(event, version));
  return [...followed, ...replacedGrants(changes, state)];
};

type Due = Readonly<{ accountId: AccountId; now: string }>;

/** Sent when their time has come. */
export type EndGrace = Readonly<{ type: 'EndGrace'; subscriptionId: string } & Due>;
export type CheckRenewal = Readonly<{ type: 'CheckRenewal'; subscriptionId: string } & Due>;

export type RemindOfGrace = Readonly<{
  type: 'RemindOfGrace';
  accountId: AccountId;
  subscriptionId: string;
  which: 'middle' | 'last';
  until: string;
  lastAt: string;
}>;

export type MembershipCommand =
  | FollowEntitlement
  | GrantComplimentaryAccess
  | RevokeComplimentaryAccess
  | EndGrace
  | RemindOfGrace
  | CheckRenewal
  | EndComplimentaryAccess;

const endGrace = (
  { accountId, subscriptionId, now }: EndGrace,
  state: Membership,
): readonly MembershipEvent[] => {
  const known = subscriptionIn(state, subscriptionId);
  if (known?.phase !== 'grace' || known.graceUntil === null || known.graceUntil > now) return [];
  return [{ type: 'MembershipSuspended', data: { accountId, subscriptionId, cause: 'grace-over' } }];
};

/** The paid period is over, and Stripe has said nothing: it has ended as the member wished, or grace begins. */
const checkRenewal = (
  { accountId, subscriptionId, now }: CheckRenewal,
  state: Membership,
): readonly MembershipEvent[] => {
  const known = subscriptionIn(state, subscriptionId);
  if (known?.phase !== 'active' || known.paidUntil === null || known.graceUntil === null) return [];
  const { paidUntil, graceUntil, endsAt } = known;
  if (checkAtOf(paidUntil, endsAt) > now) return [];
  const subject = { accountId, subscriptionId };
  return endsAt !== null && endsAt <= paidUntil
    ? [{ type: 'MembershipEnded', data: { ...subject, reason: 'canceled', endedAt: endsAt } }]
    : [
        {
          type: 'GraceStarted',
          data: { ...subject, since: paidUntil, until: graceUntil, cause: 'silence' },
        },
      ];
};

const decide = (command: MembershipCommand, state: Membership): readonly MembershipEvent[] => {
  switch (command.type) {
    case 'FollowEntitlement':
      return followEntitlement(command, state);
    case 'GrantComplimentaryAccess':
      return grantAccess(command, state);
    case 'RevokeComplimentaryAccess':
      return revokeAccess(command, state);
    case 'EndGrace':
      return endGrace(command, state);
    case 'RemindOfGrace': {
      const { type: _type, ...reminder } = command;
      return [{ type: 'GraceReminderDue', data: reminder }];
    }
    case 'CheckRenewal':
      return checkRenewal(command, state);
    case 'EndComplimentaryAccess':
      return expireAccess(command, state);
    default:
      return command satisfies never;
  }
};

/** Without snapshots: a membership has a few events a month. */
export const membershipDecider: Decider<Membership, MembershipCommand, MembershipEvent> = {
  initialState: noMembership,
  decide,
  evolve,
};

export const memberships = commandTarget(membershipDecider, membershipEvents);
