import { describe, it } from '@jest/globals';
import { deciderSpec } from '@tapedeck/eventing/testing';
import { activated, day, follow, january, opened, subject } from '../testing/entitlements.ts';
import { membershipDecider, type MembershipCommand } from './decide.ts';
import type { MembershipEvent } from './membership.ts';

const { given } = deciderSpec(membershipDecider);

const february = { paidUntil: day('03-01'), graceUntil: day('03-15') };

/** The events that an entitlement causes, by its version. */
const noted = (entitlementVersion: number): MembershipEvent => ({
  type: 'EntitlementNoted',
  data: { ...subject, entitlementVersion },
});
const renewed = (entitlementVersion: number): MembershipEvent => ({
  type: 'MembershipRenewed',
  data: { ...subject, ...february, entitlementVersion },
});
const scheduled = (entitlementVersion: number): MembershipEvent => ({
  type: 'CancellationScheduled',
  data: { ...subject, endsAt: day('02-01'), paidUntil: day('02-01'), entitlementVersion },
});
const ended = (reason: 'canceled' | 'refunded', entitlementVersion: number): MembershipEvent => ({
  type: 'MembershipEnded',
  data: { ...subject, reason, endedAt: null, entitlementVersion },
});
const grace = { ...subject, since: day('02-01'), until: day('02-15') };
const graceByFailure = (entitlementVersion: number): MembershipEvent => ({
  type: 'GraceStarted',
  data: { ...grace, cause: 'payment-failed', entitlementVersion },
});

/** The events that a due date causes. */
const graceBySilence: MembershipEvent = { type: 'GraceStarted', data: { ...grace, cause: 'silence' } };
const suspended: MembershipEvent = { type: 'MembershipSuspended', data: { ...subject, cause: 'grace-over' } };

const check = (now: string): MembershipCommand => ({ type: 'CheckRenewal', ...subject, now });
const endGrace = (now: string): MembershipCommand => ({ type: 'EndGrace', ...subject, now });
const pastDue = { phase: 'past-due', pastDueSince: day('02-01') } as const;

describe('a membership', () => {
  it('is opened by a subscription that is not paid yet', () => {
    given()
      .when(follow({ phase: 'pending', paidUntil: null }))
      .then(opened());
  });

  it('is activated by the first payment', () => {
    given().when(follow()).then(opened(), activated());
  });

  it('is renewed by a later payment', () => {
    given(opened(), activated())
      .when(follow({ paidUntil: day('03-01') }, day('02-01'), 2))
      .then(renewed(2));
  });

  it('changes its tier with the plan of the subscription', () => {
    const tiers = { fromTier: 'Pro', fromPeriod: 'monthly', tier: 'Elite', period: 'monthly' } as const;
    given(opened(), activated())
      .when(follow({ tier: 'Elite' }, day('01-05'), 2))
      .then({ type: 'TierChanged', data: { ...subject, ...tiers, entitlementVersion: 2 } });
  });

  it('has a scheduled end when the member cancels', () => {
    given(opened(), activated())
      .when(follow({ endsAt: day('02-01') }, day('01-05'), 2))
      .then(scheduled(2));
  });

  it('has no scheduled end any more when the member resumes', () => {
    given(opened(), activated(), scheduled(2))
      .when(follow({}, day('01-06'), 3))
      .then({
        type: 'CancellationWithdrawn',
        data: { ...subject, paidUntil: day('02-01'), entitlementVersion: 3 },
      });
  });

  it('is suspended when Stripe suspends the subscription', () => {
    given(opened(), activated())
      .when(follow({ phase: 'suspended' }, day('01-05'), 2))
      .then({ type: 'MembershipSuspended', data: { ...subject, cause: 'stripe', entitlementVersion: 2 } });
  });

  it('ends with the subscription', () => {
    given(opened(), activated())
      .when(follow({ phase: 'ended', endReason: 'canceled' }, day('01-05'), 2))
      .then(ended('canceled', 2));
  });

  it('ends once', () => {
    given(opened(), activated(), ended('canceled', 2))
      .when(follow({ phase: 'ended', endReason: 'canceled' }, day('01-06'), 3))
      .then(noted(3));
  });

  it('is reinstated when a refund that has ended it fails', () => {
    given(opened(), activated(), ended('refunded', 2))
      .when(follow({}, day('01-06'), 3))
      .then({ type: 'MembershipReinstated', data: { ...subject, ...january, entitlementVersion: 3 } });
  });
});

describe('an entitlement', () => {
  it('that changes nothing is noted', () => {
    given(opened(), activated())
      .when(follow({ isDisputed: true }, day('01-05'), 2))
      .then(noted(2));
  });

  it('that was applied already is not applied over a later one', () => {
    given(opened(), activated(), noted(2))
      .when(follow({ tier: 'Elite' }, day('01-05'), 1))
      .thenNothing();
  });

  it('that was applied already is not applied over what a due date has done since', () => {
    given(opened(), activated(), graceBySilence)
      .when(follow({}, day('02-03'), 1))
      .thenNothing();
  });
});

describe('the grace after an unpaid renewal', () => {
  it('begins with the failed payment', () => {
    given(opened(), activated())
      .when(follow(pastDue, day('02-01'), 2))
      .then(graceByFailure(2));
  });

  it('begins at the end of the paid period, however late the failure becomes known', () => {
    given(opened(), activated())
      .when(follow(pastDue, day('02-05'), 2))
      .then(graceByFailure(2));
  });

  it('does not begin while a renewal may still be on its way', () => {
    given(opened(), activated())
      .when(check(day('02-01')))
      .thenNothing();
  });

  it('begins a day after the paid period when Stripe says nothing', () => {
    given(opened(), activated())
      .when(check(day('02-02')))
      .then(graceBySilence);
  });

  it('begins once when the check is repeated', () => {
    given(opened(), activated(), graceBySilence)
      .when(check(day('02-03')))
      .thenNothing();
  });

  it('begins once when the failure becomes known after the check', () => {
    given(opened(), activated(), graceBySilence)
      .when(follow(pastDue, day('02-05'), 2))
      .then(noted(2));
  });

  it('does not follow an end that the member has chosen', () => {
    given(opened(), activated(), scheduled(2))
      .when(check(day('02-02')))
      .then({
        type: 'MembershipEnded',
        data: { ...subject, reason: 'canceled', endedAt: day('02-01') },
      });
  });

  it('lasts until its last day', () => {
    given(opened(), activated(), graceByFailure(2))
      .when(endGrace(day('02-14')))
      .thenNothing();
  });

  it('ends in a suspension', () => {
    given(opened(), activated(), graceByFailure(2))
      .when(endGrace(day('02-15')))
      .then(suspended);
  });

  it('does not begin again when the payment is retried after the suspension', () => {
    given(opened(), activated(), graceByFailure(2), suspended)
      .when(follow({ ...pastDue, nextAttemptAt: day('02-20') }, day('02-16'), 3))
      .then(noted(3));
  });

  it('does not begin again when Stripe calls the unpaid subscription active', () => {
    given(opened(), activated(), graceByFailure(2), suspended)
      .when(follow({}, day('02-16'), 3))
      .then(noted(3));
  });

  it('is over with a payment, also after the suspension', () => {
    given(opened(), activated(), graceByFailure(2), suspended)
      .when(follow({ paidUntil: day('03-01') }, day('02-16'), 3))
      .then(renewed(3));
  });
});
