import { goldenEvents } from '@tapedeck/eventing/testing';
import { accountId } from '@tapedeck/kernel';
import { membershipEvents } from '../events.ts';
import type { MembershipEvent } from './membership.ts';

type Samples = {
  readonly [Type in MembershipEvent['type']]: Extract<MembershipEvent, { type: Type }>['data'];
};

const accountIdOfAnn = accountId('0e0d6a2e-8f0c-5d8e-9a53-3f1d6d1f3a10');
const about = { accountId: accountIdOfAnn, subscriptionId: 'sub_1MowQVLkdIwHu7ix' };
const grant = { accountId: accountIdOfAnn, grantId: '7c9e6679-7425-40de-944b-e07fc1f90ae7' };
const paidUntil = '2026-12-22T10:00:00.000Z';
const graceUntil = '2027-01-05T10:00:00.000Z';
const period = { paidUntil, graceUntil };
const pro = { tier: 'Pro', period: 'monthly' } as const;

goldenEvents(new URL('golden/', import.meta.url), membershipEvents, {
  MembershipOpened: { ...about, intentId: '8c9e6679-7425-40de-944b-e07fc1f90ae7' },
  MembershipActivated: { ...about, ...pro, ...period },
  MembershipRenewed: { ...about, ...period },
  PaidPeriodCorrected: { ...about, ...period },
  MembershipReinstated: { ...about, ...period },
  TierChanged: { ...about, fromTier: 'Pro', fromPeriod: 'monthly', tier: 'Elite', period: 'monthly' },
  CancellationScheduled: { ...about, endsAt: paidUntil, paidUntil },
  CancellationWithdrawn: { ...about, paidUntil },
  GraceStarted: { ...about, since: paidUntil, until: graceUntil, cause: 'payment-failed' },
  GraceReminderDue: { ...about, which: 'middle', until: graceUntil, lastAt: '2027-01-04T10:00:00.000Z' },
  MembershipSuspended: { ...about, cause: 'grace-over' },
  MembershipEnded: { ...about, reason: 'canceled', endedAt: paidUntil },
  EntitlementNoted: { ...about, entitlementVersion: 7 },
  ComplimentaryAccessGranted: { ...grant, tier: 'Basic', until: null, reason: 'Has written a guide.' },
  ComplimentaryAccessEnded: { ...grant, cause: 'revoked', reason: null },
} satisfies Samples);
