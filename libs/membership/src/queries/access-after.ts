import type { Databases } from '@tapedeck/platform/databases';
import type { AccessAfter, Entitlement, MemberAccess } from '@tapedeck/payments/events';
import { accessAt } from '../domain/access.ts';
import { followEntitlement } from '../domain/decide.ts';
import { evolve, type Membership } from '../domain/membership.ts';
import { readMembership } from '../projections/memberships.ts';
import type { MembershipConfig } from '../settings.ts';

const accessOf = (membership: Membership, at: string): MemberAccess => {
  const { tier, status, until } = accessAt(membership, at);
  return { tier, status, until };
};

/** What a membership would be if entitlements changed, by the rules that follow them. */
export const accessAfter =
  (databases: Databases, { GRACE_DAYS: graceDays }: Pick<MembershipConfig, 'GRACE_DAYS'>): AccessAfter =>
  async (accountId, entitlements, at) => {
    const membership = await readMembership(databases, accountId);
    const followed = (state: Membership, entitlement: Entitlement): Membership =>
      followEntitlement(
        // Later than any that is recorded.
        { type: 'FollowEntitlement', entitlement, version: Number.MAX_SAFE_INTEGER, graceDays, now: at },
        state,
      ).reduce(evolve, state);
    return {
      before: accessOf(membership, at),
      after: accessOf(entitlements.reduce(followed, membership), at),
    };
  };
