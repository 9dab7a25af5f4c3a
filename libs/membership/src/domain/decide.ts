import { commandTarget, type Decider } from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';
import {
  expireAccess,
  grantAccess,
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
  noMembership,
  membershipEvents,
} from './membership.ts';
import { followEntitlement, subscriptionIn, type FollowEntitlement } from './follow-entitlement.ts';

type Due = Readonly<{ accountId: AccountId; now: string }>;

/** Sent when their time has come. */
export type EndGrace = Readonly<{ type: 'EndGrace'; subscriptionId: string } & Due>;
export type CheckRenewal = Readonly<{ type: 'CheckRenewal'; subscriptionId: string } & Due>;

export type MembershipCommand =
  | FollowEntitlement
  | GrantComplimentaryAccess
  | RevokeComplimentaryAccess
  | EndGrace
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

/** The paid period is over and nothing was said of it: it has ended as the member wished, or grace begins. */
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
