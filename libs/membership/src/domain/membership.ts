import { defineEvents, type DomainEvent, type Personal } from '@tapedeck/eventing/core';
import { type AccountId, dayMs } from '@tapedeck/kernel';
import type { EntitlementEnd } from '@tapedeck/payments/events';
import type { BillingPeriod, PaidTier, GrantedTier } from '@tapedeck/plans/contract';

type OfSubscription = {
  accountId: AccountId;
  subscriptionId: string;
  /** The version in the subscription's stream of the entitlement that caused it; absent where a due date did. */
  entitlementVersion?: number;
};

/** What is paid. `graceUntil`: how long access lasts after it when no renewal is paid. */
type PaidPeriod = { paidUntil: string; graceUntil: string };
type Bought = { tier: PaidTier; period: BillingPeriod };

/** A subscription belongs to the account; it grants nothing yet. */
export type MembershipOpened = DomainEvent<'MembershipOpened', OfSubscription & { intentId: string }>;
/** The first access by this subscription. */
export type MembershipActivated = DomainEvent<'MembershipActivated', OfSubscription & Bought & PaidPeriod>;
export type MembershipRenewed = DomainEvent<'MembershipRenewed', OfSubscription & PaidPeriod>;
/** The paid period is shorter than it was known to be. */
export type PaidPeriodCorrected = DomainEvent<'PaidPeriodCorrected', OfSubscription & PaidPeriod>;
/** It was suspended or had ended, and is not any more: a refund has failed, say. */
export type MembershipReinstated = DomainEvent<'MembershipReinstated', OfSubscription & PaidPeriod>;
export type TierChanged = DomainEvent<
  'TierChanged',
  OfSubscription & Bought & { fromTier: PaidTier; fromPeriod: BillingPeriod }
>;
export type CancellationScheduled = DomainEvent<
  'CancellationScheduled',
  OfSubscription & { endsAt: string; paidUntil: string }
>;
export type CancellationWithdrawn = DomainEvent<
  'CancellationWithdrawn',
  OfSubscription & { paidUntil: string }
>;
/** `silence`: the renewal was due, and Stripe has said neither that it was paid nor that it has failed. */
export type GraceStarted = DomainEvent<
  'GraceStarted',
  OfSubscription & { since: string; until: string; cause: 'payment-failed' | 'silence' }
>;
/** A day on which a member in grace is reminded. Whether it is still unpaid is seen when the mail is sent. */
export type GraceReminderDue = DomainEvent<
  'GraceReminderDue',
  OfSubscription & {
    which: 'middle' | 'last';
    until: string;
    /** When the last reminder is due. */
    lastAt: string;
  }
>;
export type MembershipSuspended = DomainEvent<
  'MembershipSuspended',
  OfSubscription & { cause: 'grace-over' | 'stripe' }
>;
export type MembershipEnded = DomainEvent<
  'MembershipEnded',
  OfSubscription & { reason: EntitlementEnd | 'abandoned'; endedAt: string | null }
>;

/** An entitlement that changes nothing for the member: so that it is not applied again over a later one. */
export type EntitlementNoted = DomainEvent<'EntitlementNoted', OfSubscription>;

type OfGrant = { accountId: AccountId; grantId: string };

export type ComplimentaryAccessGranted = DomainEvent<
  'ComplimentaryAccessGranted',
  OfGrant & {
    tier: GrantedTier;
    /** Null: until it is revoked. */
    until: string | null;
    /** The reason, in the words of the person that has granted it. */
    reason: Personal<string>;
  }
>;
export type ComplimentaryAccessEnded = DomainEvent<
  'ComplimentaryAccessEnded',
  OfGrant & {
    /** `paid`: a subscription has started that includes it. */
    cause: 'expired' | 'revoked' | 'paid';
    reason: Personal<string | null>;
  }
>;

export type MembershipEvent =
  | MembershipOpened
  | MembershipActivated
  | MembershipRenewed
  | PaidPeriodCorrected
  | MembershipReinstated
  | TierChanged
  | CancellationScheduled
  | CancellationWithdrawn
  | GraceStarted
  | GraceReminderDue
  | MembershipSuspended
  | MembershipEnded
  | EntitlementNoted
  | ComplimentaryAccessGranted
  | ComplimentaryAccessEnded;

export const membershipEvents = defineEvents<MembershipEvent>({
  MembershipOpened: { version: 1 },
  MembershipActivated: { version: 1 },
  MembershipRenewed: { version: 1 },
  PaidPeriodCorrected: { version: 1 },
  MembershipReinstated: { version: 1 },
  TierChanged: { version: 1 },
  CancellationScheduled: { version: 1 },
  CancellationWithdrawn: { version: 1 },
  GraceStarted: { version: 1 },
  GraceReminderDue: { version: 1 },
  MembershipSuspended: { version: 1 },
  MembershipEnded: { version: 1 },
  EntitlementNoted: { version: 1 },
  ComplimentaryAccessGranted: { version: 1, personal: ['reason'], subject: 'accountId' },
  ComplimentaryAccessEnded: { version: 1, personal: ['reason'], subject: 'accountId' },
});

export const membershipStream = (account: AccountId): string => `membership-${account}`;

export type Phase = 'pending' | 'active' | 'grace' | 'suspended' | 'ended';

/** One subscription of the account. `accessAt` says what it grants at an instant. */
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
    case 'GraceReminderDue':
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

/** Stripe charges a renewal about an hour after the period's end; a day later something should be known. */
export const checkDelayMs = dayMs;

/** When to check what became of a subscription whose paid period is over, or which ends before. */
export const checkAtOf = (paidUntil: string, endsAt: string | null): string => {
  const end = endsAt !== null && endsAt < paidUntil ? endsAt : paidUntil;
  return new Date(Date.parse(end) + checkDelayMs).toISOString();
};
