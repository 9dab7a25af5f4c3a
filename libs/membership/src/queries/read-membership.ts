import type { AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import type { Membership, MemberSubscription } from '../domain/membership.ts';
import type { GrantRow, MembershipRow } from '../projections/memberships.ts';

const subscriptionsOfAccount = `
  select subscription_id, intent_id, phase, tier, period, paid_until, grace_until, ends_at, end_reason
    from memberships
   where account_id = $1
   order by opened_at, subscription_id`;

const grantsOfAccount = `
  select grant_id, tier, until from complimentary_access where account_id = $1 order by grant_id`;

const isoOf = (time: Date | null): string | null => time && time.toISOString();

const subscriptionOf = (row: MembershipRow): MemberSubscription => ({
  subscriptionId: row.subscription_id,
  intentId: row.intent_id,
  phase: row.phase,
  tier: row.tier,
  period: row.period,
  paidUntil: isoOf(row.paid_until),
  graceUntil: isoOf(row.grace_until),
  endsAt: isoOf(row.ends_at),
  endReason: row.end_reason,
  // Only for the rules: what access is does not depend on it.
  entitlementVersion: 0,
});

/** The membership of an account as the read model has it. */
export const readMembership = async ({ tapedeck }: Databases, account: AccountId): Promise<Membership> => {
  const [subscriptions, grants] = await Promise.all([
    tapedeck.query<MembershipRow>(subscriptionsOfAccount, [account]),
    tapedeck.query<GrantRow>(grantsOfAccount, [account]),
  ]);
  return {
    subscriptions: subscriptions.rows.map(subscriptionOf),
    grants: grants.rows.map(({ grant_id, tier, until }) => ({
      grantId: grant_id,
      tier,
      until: isoOf(until),
    })),
    endedGrants: [],
  };
};
