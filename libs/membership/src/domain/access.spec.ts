import { describe, expect, it } from '@jest/globals';
import { stateAfter } from '@tapedeck/eventing/core';
import { cardLines, tiers, tiersWith } from '@tapedeck/plans/contract';
import { ann, day, follow, grantAccess, revokeAccess } from '../testing/entitlements.ts';
import { accessAt, featureMissing, featuresOf, type Access, type EntitlementMode } from './access.ts';
import { membershipDecider, type MembershipCommand } from './decide.ts';
import type { MembershipEvent } from './membership.ts';

const after = (commands: readonly MembershipCommand[]): readonly MembershipEvent[] =>
  commands.reduce<readonly MembershipEvent[]>((events, command, index) => {
    // In the order in which the subscription's stream has them.
    const sent = command.type === 'FollowEntitlement' ? { ...command, version: index + 1 } : command;
    return [...events, ...membershipDecider.decide(sent, stateAfter(membershipDecider, events))];
  }, []);
const access = (now: string, ...commands: readonly MembershipCommand[]): Access =>
  accessAt(stateAfter(membershipDecider, after(commands)), now);
const statusAt = (now: string, ...commands: readonly MembershipCommand[]): string => {
  const { tier, status } = access(now, ...commands);
  return `${tier} ${status}`;
};

const subject = { accountId: ann, subscriptionId: 'sub_1' };
const canceled = { phase: 'ended', endReason: 'canceled' } as const;
const pastDue = follow({ phase: 'past-due', pastDueSince: day('02-01') }, day('02-01'));

describe('access by a subscription', () => {
  it.each([
    ['is pending', { phase: 'pending', paidUntil: null }, 'Free pending'],
    ['was never paid and is suspended', { phase: 'suspended' }, 'Free pending'],
    ['was abandoned', { phase: 'abandoned', paidUntil: null }, 'Free none'],
    ['is at a foreign price', { phase: 'ended', tier: null, endReason: 'other-price' }, 'Free ended'],
  ] as const)('does not exist when it %s', (_, given, status) => {
    expect(statusAt(day('01-02'), follow(given))).toBe(status);
  });

  it.each([
    ['suspended', { phase: 'suspended' }, 'Free suspended'],
    ['refunded', { phase: 'ended', endReason: 'refunded' }, 'Free ended'],
    ['handed over to another account', { phase: 'ended', endReason: 'transferred' }, 'Free ended'],
  ] as const)('is lost at once when it is %s', (_, given, status) => {
    expect(statusAt(day('01-02'), follow(), follow(given))).toBe(status);
  });

  it('ends without grace at the time that the member has chosen', () => {
    const ending = follow({ endsAt: day('02-01') });
    expect([day('01-31'), day('02-01')].map((now) => statusAt(now, ending))).toEqual([
      'Pro active',
      'Free ended',
    ]);
  });

  it('lasts through the grace and no longer when Stripe says nothing at all', () => {
    const days = [day('02-01'), day('02-02'), day('02-14'), day('02-15')];
    expect(days.map((now) => statusAt(now, follow()))).toEqual([
      'Pro active',
      'Pro grace',
      'Pro grace',
      'Free suspended',
    ]);
  });

  it.each([
    ['at once', [follow(), pastDue]],
    ['late', [follow(), { ...pastDue, now: day('02-05') }]],
    [
      'after the check',
      [follow(), { type: 'CheckRenewal', ...subject, now: day('02-02') }, { ...pastDue, now: day('02-05') }],
    ],
  ] satisfies readonly (readonly [string, readonly MembershipCommand[]])[])(
    'lasts for 14 days of grace after the paid period when the failure is known %s',
    (_, commands) => {
      expect(access(day('02-14'), ...commands)).toMatchObject({ status: 'grace', until: day('02-15') });
      expect(statusAt(day('02-15'), ...commands)).toBe('Free suspended');
    },
  );

  it('returns with a payment after the grace', () => {
    const lapsed = [follow(), pastDue, { type: 'EndGrace', ...subject, now: day('02-15') } as const];
    const paid = follow({ paidUntil: day('03-01') }, day('02-16'));
    expect(statusAt(day('02-16'), ...lapsed, paid)).toBe('Pro active');
  });
});

describe('access from several sources', () => {
  const annual = { subscriptionId: 'sub_2', period: 'annual', paidUntil: day('12-01') } as const;
  const grant = (tier: 'Basic' | 'Elite', until: string | null = null): MembershipCommand =>
    grantAccess({ grantId: `grant ${tier}`, tier, until });

  it('has the highest tier', () => {
    expect(statusAt(day('01-02'), follow(), follow({ ...annual, tier: 'Elite' }))).toBe('Elite active');
  });

  it('comes from the one that lasts longest when they have the same tier', () => {
    expect(access(day('01-02'), follow(annual), follow()).source).toMatchObject({ subscriptionId: 'sub_2' });
  });

  it('falls back to what remains when the better one ends', () => {
    const elite = follow({ ...annual, tier: 'Elite' });
    const endedElite = follow({ ...annual, ...canceled, tier: 'Elite' });
    expect(statusAt(day('01-02'), follow(), elite, endedElite)).toBe('Pro active');
  });

  it('comes from a grant that is better than the subscription', () => {
    expect(statusAt(day('01-02'), follow(), grant('Elite'))).toBe('Elite complimentary');
  });

  it('comes from the subscription when a grant is lower', () => {
    expect(statusAt(day('01-02'), follow(), grant('Basic'))).toBe('Pro active');
  });

  it('comes from a grant until its time', () => {
    const granted = grant('Elite', day('01-10'));
    expect([day('01-09'), day('01-10')].map((now) => statusAt(now, granted))).toEqual([
      'Elite complimentary',
      'Free none',
    ]);
  });

  it('is over when support revokes all grants', () => {
    expect(statusAt(day('01-02'), grant('Basic'), grant('Elite'), revokeAccess())).toBe('Free none');
  });
});

describe('features', () => {
  it('include the catalogue for every member or as advertised, and the export for paid members only', () => {
    expect(featuresOf('Free', 'open')).toEqual(['explorer', 'sourceCode', 'favourites']);
    expect(featuresOf('Basic', 'open')).toContain('csvExport');
    expect(featuresOf('Free', 'advertised')).toEqual([]);
    expect(featuresOf('Pro', 'advertised')).toEqual(['csvExport', 'favourites']);
    expect(featuresOf('Elite', 'advertised')).toEqual(['explorer', 'sourceCode', 'csvExport', 'favourites']);
  });

  it('are all included for support and admins', () => {
    for (const role of ['support', 'admin'])
      expect(featuresOf('Free', 'advertised', [role])).toEqual(featuresOf('Elite', 'advertised'));
  });

  it('are refused with the plans that include them', () => {
    expect(featureMissing('csvExport')).toMatchObject({
      code: 'FEATURE_NOT_INCLUDED',
      message: `Your plan does not include the CSV export: upgrade to ${tiersWith('csvExport')}.`,
    });
  });
});

describe('the cards of the plans', () => {
  const listed = (mode: EntitlementMode): Readonly<Record<string, readonly string[]>> =>
    Object.fromEntries(
      tiers.map((tier) => [
        tier,
        cardLines(tier, featuresOf('Free', mode)).flatMap(({ feature }) => feature ?? []),
      ]),
    );

  it('list what each plan adds as advertised', () => {
    expect(listed('advertised')).toEqual({
      Free: [],
      Basic: [],
      Pro: ['csvExport', 'favourites'],
      Elite: ['explorer', 'sourceCode'],
    });
  });

  it('list for Free what every member may use, and for no plan that is paid', () => {
    expect(listed('open')).toEqual({
      Free: ['favourites', 'explorer', 'sourceCode'],
      Basic: [],
      Pro: ['csvExport'],
      Elite: [],
    });
  });
});
