import { accountId, derivedId } from '@tapedeck/kernel';
import type { Entitlement } from '@tapedeck/payments/events';
import type { GrantComplimentaryAccess, RevokeComplimentaryAccess } from '../domain/complimentary-access.ts';
import type { FollowEntitlement } from '../domain/decide.ts';
import type { MembershipEvent } from '../domain/membership.ts';

export const ann = accountId(derivedId('ann'));
export const graceDays = 14;

/** Midnight of a day of 2026, such as `day('03-31')`. */
export const day = (monthAndDay: string): string => `2026-${monthAndDay}T00:00:00.000Z`;

/** A monthly Pro subscription that is paid until February 1. */
export const entitlement = (given: Partial<Entitlement> = {}): Entitlement => ({
  accountId: ann,
  subscriptionId: 'sub_1',
  intentId: 'intent-1',
  phase: 'active',
  stripeStatus: 'active',
  tier: 'Pro',
  period: 'monthly',
  paidUntil: day('02-01'),
  pastDueSince: null,
  nextAttemptAt: null,
  endsAt: null,
  endReason: null,
  endedAt: null,
  scheduledPlan: null,
  isDisputed: false,
  ...given,
});

export const follow = (
  given: Partial<Entitlement> = {},
  now = day('01-01'),
  version = 1,
): FollowEntitlement => ({
  type: 'FollowEntitlement',
  entitlement: entitlement(given),
  version,
  graceDays,
  now,
});

export const grantAccess = (given: Partial<GrantComplimentaryAccess> = {}): GrantComplimentaryAccess => ({
  type: 'GrantComplimentaryAccess',
  accountId: ann,
  grantId: 'grant',
  tier: 'Elite',
  until: null,
  reason: 'Has written a guide.',
  now: day('01-01'),
  ...given,
});

export const revokeAccess = (given: Partial<RevokeComplimentaryAccess> = {}): RevokeComplimentaryAccess => ({
  type: 'RevokeComplimentaryAccess',
  accountId: ann,
  reason: 'By mistake.',
  ...given,
});

/** The membership of that subscription. */
export const subject = { accountId: ann, subscriptionId: 'sub_1' };
export const january = { paidUntil: day('02-01'), graceUntil: day('02-15') };

/** The first events of that membership, by the version of the entitlement that causes them. */
export const opened = (entitlementVersion = 1): MembershipEvent => ({
  type: 'MembershipOpened',
  data: { ...subject, intentId: 'intent-1', entitlementVersion },
});
export const activated = (entitlementVersion = 1): MembershipEvent => ({
  type: 'MembershipActivated',
  data: { ...subject, tier: 'Pro', period: 'monthly', ...january, entitlementVersion },
});
