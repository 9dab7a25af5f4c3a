import { defineProjection, type RecordedEvent, type Row, type RowChange } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import type { BillingPeriod, PaidTier, GrantedTier } from '@tapedeck/plans/contract';
import type { Databases } from '@tapedeck/platform/databases';
import {
  changeBy,
  type EntitlementNoted,
  type Membership,
  type MembershipEvent,
  membershipEvents,
  type MemberSubscription,
  opened,
  type Phase,
} from '../domain/membership.ts';

type MembershipRow = Readonly<{
  subscription_id: string;
  intent_id: string;
  phase: Phase;
  tier: PaidTier | null;
  period: BillingPeriod | null;
  paid_until: Date | null;
  grace_until: Date | null;
  ends_at: Date | null;
  end_reason: MemberSubscription['endReason'];
}>;

type GrantRow = Readonly<{ grant_id: string; tier: GrantedTier; until: Date | null }>;

const columns = {
  phase: 'phase',
  tier: 'tier',
  period: 'period',
  paidUntil: 'paid_until',
  graceUntil: 'grace_until',
  endsAt: 'ends_at',
  endReason: 'end_reason',
} as const satisfies Record<string, keyof MembershipRow>;

const rowOf = (change: Partial<MemberSubscription>): Row =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([field, column]) => {
      const value = change[field as keyof typeof columns];
      return value === undefined ? [] : [[column, value]];
    }),
  );

const changeOf = (event: RecordedEvent<Exclude<MembershipEvent, EntitlementNoted>>): RowChange => {
  const { accountId } = event.data;
  switch (event.type) {
    case 'MembershipOpened': {
      const { subscriptionId, intentId } = event.data;
      return {
        op: 'put',
        table: 'memberships',
        key: { account_id: accountId, subscription_id: subscriptionId },
        row: {
          intent_id: intentId,
          opened_at: event.metadata.occurredAt,
          ...rowOf(opened(subscriptionId, intentId)),
        },
      };
    }
    case 'ComplimentaryAccessGranted': {
      const { grantId, tier, until } = event.data;
      const key = { account_id: accountId, grant_id: grantId };
      return { op: 'put', table: 'complimentary_access', key, row: { tier, until } };
    }
    case 'ComplimentaryAccessEnded': {
      const key = { account_id: accountId, grant_id: event.data.grantId };
      return { op: 'remove', table: 'complimentary_access', key };
    }
    default: {
      const key = { account_id: accountId, subscription_id: event.data.subscriptionId };
      return { op: 'patch', table: 'memberships', key, row: rowOf(changeBy(event)) };
    }
  }
};

/** What each account has bought and was granted. What that gives at an instant is computed when it is read. */
export const memberships = defineProjection<MembershipEvent>({
  name: 'memberships',
  version: 1,
  database: 'tapedeck',
  replay: { compares: { memberships: 'Membership', complimentary_access: 'Complimentary access' } },
  types: membershipEvents,
  tables: [
    {
      name: 'memberships',
      key: ['account_id', 'subscription_id'],
      columns: {
        account_id: 'uuid not null',
        subscription_id: 'text not null',
        intent_id: 'text not null',
        opened_at: 'timestamptz not null',
        phase: 'text not null',
        tier: 'text',
        period: 'text',
        paid_until: 'timestamptz',
        grace_until: 'timestamptz',
        ends_at: 'timestamptz',
        end_reason: 'text',
      },
    },
    {
      name: 'complimentary_access',
      key: ['account_id', 'grant_id'],
      columns: {
        account_id: 'uuid not null',
        grant_id: 'text not null',
        tier: 'text not null',
        until: 'timestamptz',
      },
    },
  ],
  fold: (events) => events.flatMap((event) => (event.type === 'EntitlementNoted' ? [] : [changeOf(event)])),
});

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
  // Only the rules use it: access does not depend on it.
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
