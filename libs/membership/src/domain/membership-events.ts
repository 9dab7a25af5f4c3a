import type { DomainEvent, Personal } from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';
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
    /** Why, in the words of the person who has granted it. */
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
  | MembershipSuspended
  | MembershipEnded
  | EntitlementNoted
  | ComplimentaryAccessGranted
  | ComplimentaryAccessEnded;
