import type { GrantedTier } from '@tapedeck/plans/contract';
import { commandTarget, type Decider } from '@tapedeck/eventing/core';
import { DomainError, type AccountId } from '@tapedeck/kernel';
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

export type GrantComplimentaryAccess = Readonly<
  {
    type: 'GrantComplimentaryAccess';
    grantId: string;
    tier: GrantedTier;
    until: string | null;
    reason: string;
  } & Due
>;
export type RevokeComplimentaryAccess = Readonly<{
  type: 'RevokeComplimentaryAccess';
  accountId: AccountId;
  /** Absent: everything that was granted. */
  grantId?: string;
  reason: string;
}>;
/** Sent when their time has come. */
export type EndGrace = Readonly<{ type: 'EndGrace'; subscriptionId: string } & Due>;
export type CheckRenewal = Readonly<{ type: 'CheckRenewal'; subscriptionId: string } & Due>;
export type EndComplimentaryAccess = Readonly<{ type: 'EndComplimentaryAccess'; grantId: string } & Due>;

export type MembershipCommand =
  | FollowEntitlement
  | GrantComplimentaryAccess
  | RevokeComplimentaryAccess
  | EndGrace
  | CheckRenewal
  | EndComplimentaryAccess;

const maxReasonLength = 500;

const grant = (
  { accountId, grantId, tier, until, reason, now }: GrantComplimentaryAccess,
  { grants, endedGrants }: Membership,
): readonly MembershipEvent[] => {
  const text = reason.trim();
  if (text === '' || text.length > maxReasonLength) {
    throw new DomainError(
      'invalid',
      'GRANT_WITHOUT_REASON',
      `Say in at most ${maxReasonLength} characters why the access is granted.`,
    );
  }
  if (until !== null && until <= now) {
    throw new DomainError('invalid', 'GRANT_ENDS_IN_THE_PAST', 'Choose an end in the future, or none.');
  }
  if (endedGrants.includes(grantId) || grants.some((known) => known.grantId === grantId)) return [];
  return [{ type: 'ComplimentaryAccessGranted', data: { accountId, grantId, tier, until, reason: text } }];
};

const endGrant = (
  { accountId, grantId }: Readonly<{ accountId: AccountId; grantId: string }>,
  cause: 'expired' | 'revoked',
  reason: string | null,
): readonly MembershipEvent[] => [
  { type: 'ComplimentaryAccessEnded', data: { accountId, grantId, cause, reason } },
];

const revoke = (
  { accountId, grantId, reason }: RevokeComplimentaryAccess,
  { grants, endedGrants }: Membership,
): readonly MembershipEvent[] => {
  if (grantId !== undefined && endedGrants.includes(grantId)) return [];
  const revoked = grants.filter((known) => grantId === undefined || known.grantId === grantId);
  if (revoked.length === 0) {
    throw new DomainError(
      'not-found',
      'GRANT_NOT_FOUND',
      'This account has no complimentary access: load the page again.',
    );
  }
  return revoked.flatMap((known) => endGrant({ accountId, grantId: known.grantId }, 'revoked', reason));
};

const expire = (command: EndComplimentaryAccess, { grants }: Membership): readonly MembershipEvent[] => {
  const known = grants.find(({ grantId }) => grantId === command.grantId);
  const isOver = known !== undefined && known.until !== null && known.until <= command.now;
  return isOver ? endGrant(command, 'expired', null) : [];
};

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
      return grant(command, state);
    case 'RevokeComplimentaryAccess':
      return revoke(command, state);
    case 'EndGrace':
      return endGrace(command, state);
    case 'CheckRenewal':
      return checkRenewal(command, state);
    case 'EndComplimentaryAccess':
      return expire(command, state);
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
