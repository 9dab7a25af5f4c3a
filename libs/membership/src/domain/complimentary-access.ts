import { rankOf, type GrantedTier } from '@tapedeck/plans/contract';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import type { Membership, MembershipEvent } from './membership.ts';

export type GrantComplimentaryAccess = Readonly<{
  type: 'GrantComplimentaryAccess';
  accountId: AccountId;
  grantId: string;
  tier: GrantedTier;
  until: string | null;
  reason: string;
  now: string;
}>;
export type RevokeComplimentaryAccess = Readonly<{
  type: 'RevokeComplimentaryAccess';
  accountId: AccountId;
  /** Absent: everything that was granted. */
  grantId?: string;
  reason: string;
}>;
/** Sent at the end of the grant. */
export type EndComplimentaryAccess = Readonly<{
  type: 'EndComplimentaryAccess';
  accountId: AccountId;
  grantId: string;
  now: string;
}>;

const maxReasonLength = 500;

export const grantAccess = (
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

export const revokeAccess = (
  { accountId, grantId, reason }: RevokeComplimentaryAccess,
  { grants, endedGrants }: Membership,
): readonly MembershipEvent[] => {
  if (grantId !== undefined && endedGrants.includes(grantId)) return [];
  const revoked = grants.filter((known) => grantId === undefined || known.grantId === grantId);
  if (revoked.length === 0) {
    throw new DomainError(
      'not-found',
      'GRANT_NOT_FOUND',
      'This account has no complimentary access: reload the page.',
    );
  }
  return revoked.flatMap((known) => endGrant({ accountId, grantId: known.grantId }, 'revoked', reason));
};

export const expireAccess = (
  command: EndComplimentaryAccess,
  { grants }: Membership,
): readonly MembershipEvent[] => {
  const known = grants.find(({ grantId }) => grantId === command.grantId);
  const isOver = known !== undefined && known.until !== null && known.until <= command.now;
  return isOver ? endGrant(command, 'expired', null) : [];
};

/** What a subscription that starts includes need not be granted any more; a better grant stays until its own end. */
export const replacedGrants = (
  changes: readonly MembershipEvent[],
  { grants }: Membership,
): readonly MembershipEvent[] =>
  changes.flatMap((change) => {
    if (change.type !== 'MembershipActivated') return [];
    const { accountId, tier } = change.data;
    return grants
      .filter((grant) => rankOf(grant.tier) <= rankOf(tier))
      .map(({ grantId }): MembershipEvent => ({
        type: 'ComplimentaryAccessEnded',
        data: { accountId, grantId, cause: 'paid', reason: null },
      }));
  });
