import type { EntitlementEnd } from '@tapedeck/payments/events';
import type { BillingPeriod, PaidTier, GrantedTier } from '@tapedeck/plans/contract';
import type { MembershipEvent } from './membership-events.ts';

export type Phase = 'pending' | 'active' | 'grace' | 'suspended' | 'ended';

/** One subscription of the account. What it grants at an instant, `accessAt` says. */
export type MemberSubscription = Readonly<{
  subscriptionId: string;
  intentId: string;
  phase: Phase;
  /** Null until it is paid for the first time, as are the period and the times. */
  tier: PaidTier | null;
  period: BillingPeriod | null;
  paidUntil: string | null;
  graceUntil: string | null;
  /** When it ends by the member's own wish. */
  endsAt: string | null;
  endReason: EntitlementEnd | 'abandoned' | null;
  /** The newest entitlement that was applied; 0 before the first one. */
  entitlementVersion: number;
}>;

export type Grant = Readonly<{ grantId: string; tier: GrantedTier; until: string | null }>;

/** All subscriptions that the account ever had, and the grants that have not ended, in the order of their events. */
export type Membership = Readonly<{
  subscriptions: readonly MemberSubscription[];
  grants: readonly Grant[];
  /** Ids of the grants that have ended. */
  endedGrants: readonly string[];
}>;

export const noMembership: Membership = { subscriptions: [], grants: [], endedGrants: [] };

/** The part of a subscription that an event changes. */
type Change = Partial<Omit<MemberSubscription, 'subscriptionId' | 'intentId' | 'entitlementVersion'>>;

type EventOfSubscription = Exclude<
  MembershipEvent,
  { type: 'MembershipOpened' | 'ComplimentaryAccessGranted' | 'ComplimentaryAccessEnded' }
>;

/** Also the change of a row of the read model. */
export const changeBy = (event: EventOfSubscription): Change => {
  switch (event.type) {
    case 'MembershipActivated': {
      const { tier, period, paidUntil, graceUntil } = event.data;
      return { phase: 'active', tier, period, paidUntil, graceUntil, endReason: null };
    }
    case 'MembershipRenewed':
    case 'MembershipReinstated': {
      const { paidUntil, graceUntil } = event.data;
      return { phase: 'active', paidUntil, graceUntil, endReason: null };
    }
    case 'PaidPeriodCorrected': {
      const { paidUntil, graceUntil } = event.data;
      return { paidUntil, graceUntil };
    }
    case 'TierChanged':
      return { tier: event.data.tier, period: event.data.period };
    case 'CancellationScheduled':
      return { endsAt: event.data.endsAt };
    case 'CancellationWithdrawn':
      return { endsAt: null };
    case 'GraceStarted':
      return { phase: 'grace' };
    case 'MembershipSuspended':
      return { phase: 'suspended' };
    case 'MembershipEnded':
      return { phase: 'ended', endReason: event.data.reason };
    case 'EntitlementNoted':
      return {};
    default:
      return event satisfies never;
  }
};

export const opened = (subscriptionId: string, intentId: string): MemberSubscription => ({
  subscriptionId,
  intentId,
  phase: 'pending',
  tier: null,
  period: null,
  paidUntil: null,
  graceUntil: null,
  endsAt: null,
  endReason: null,
  entitlementVersion: 0,
});

export const evolve = (state: Membership, event: MembershipEvent): Membership => {
  const { subscriptions, grants, endedGrants } = state;
  switch (event.type) {
    case 'MembershipOpened': {
      const { subscriptionId, intentId } = event.data;
      return { ...state, subscriptions: [...subscriptions, opened(subscriptionId, intentId)] };
    }
    case 'ComplimentaryAccessGranted': {
      const { grantId, tier, until } = event.data;
      return { ...state, grants: [...grants, { grantId, tier, until }] };
    }
    case 'ComplimentaryAccessEnded': {
      const { grantId } = event.data;
      const left = grants.filter((grant) => grant.grantId !== grantId);
      return { ...state, grants: left, endedGrants: [...endedGrants, grantId] };
    }
    default: {
      const change = changeBy(event);
      const { subscriptionId, entitlementVersion } = event.data;
      const changed = subscriptions.map((subscription) =>
        subscription.subscriptionId === subscriptionId
          ? {
              ...subscription,
              ...change,
              entitlementVersion: entitlementVersion ?? subscription.entitlementVersion,
            }
          : subscription,
      );
      return { ...state, subscriptions: changed };
    }
  }
};
