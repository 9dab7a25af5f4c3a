import { describe, expect, it } from '@jest/globals';
import { stateAfter } from '@tapedeck/eventing/core';
import { DomainError } from '@tapedeck/kernel';
import { ann, day, follow, grantAccess, revokeAccess } from '../testing/entitlements.ts';
import { accessAt } from './access.ts';
import { membershipDecider, type MembershipCommand } from './decide.ts';
import { featureMissing, featuresOf } from './entitlements.ts';
import type { MembershipEvent } from './membership-events.ts';

const after = (...commands: readonly MembershipCommand[]): readonly MembershipEvent[] =>
  commands.reduce<readonly MembershipEvent[]>((events, command, index) => {
    // In the order in which the subscription's stream has them.
    const sent = command.type === 'FollowEntitlement' ? { ...command, version: index + 1 } : command;
    return [...events, ...membershipDecider.decide(sent, stateAfter(membershipDecider, events))];
  }, []);
const typesAfter = (...commands: readonly MembershipCommand[]): readonly string[] =>
  after(...commands)
    .map(({ type }) => type)
    .filter((type) => type !== 'EntitlementNoted');
const access = (now: string, ...commands: readonly MembershipCommand[]): ReturnType<typeof accessAt> =>
  accessAt(stateAfter(membershipDecider, after(...commands)), now);
const statusAt = (now: string, ...commands: readonly MembershipCommand[]): string => {
  const { tier, status } = access(now, ...commands);
  return `${tier} ${status}`;
};

const subject = { accountId: ann, subscriptionId: 'sub_1' };
const check = (now: string): MembershipCommand => ({ type: 'CheckRenewal', ...subject, now });
const endGrace = (now: string): MembershipCommand => ({ type: 'EndGrace', ...subject, now });
const pastDue = follow({ phase: 'past-due', pastDueSince: day('02-01') }, day('02-01'));
const february = { paidUntil: day('03-01') };
const canceled = { phase: 'ended', endReason: 'canceled' } as const;

describe('a membership that reads an entitlement again', () => {
  it('does not apply it over a later one, nor over what a due date has done since', () => {
    const history = after(follow(), follow({ isDisputed: true }), check(day('02-02')));
    const state = stateAfter(membershipDecider, history);
    expect(history.at(-1)?.type).toBe('GraceStarted');
    for (const version of [1, 2])
      expect(membershipDecider.decide(follow({}, day('02-03'), version), state)).toEqual([]);
  });
});

describe('a membership by subscription', () => {
  it('is activated once, and follows each change once', () => {
    const withPeriod = { endsAt: day('03-01'), ...february };
    expect(
      typesAfter(
        follow({ phase: 'pending', paidUntil: null }),
        follow(),
        follow(),
        follow(february),
        follow({ ...february, tier: 'Elite' }),
        follow({ ...withPeriod, tier: 'Elite' }),
        follow({ ...withPeriod, tier: 'Elite' }),
        follow({ ...february, tier: 'Elite' }),
        follow({ ...canceled, ...february, tier: 'Elite' }),
        follow({ ...canceled, ...february, tier: 'Elite' }),
      ),
    ).toEqual([
      'MembershipOpened',
      'MembershipActivated',
      'MembershipRenewed',
      'TierChanged',
      'CancellationScheduled',
      'CancellationWithdrawn',
      'MembershipEnded',
    ]);
  });

  it.each([
    ['pending', { phase: 'pending', paidUntil: null }, 'Free pending'],
    ['unpaid at Stripe', { phase: 'suspended' }, 'Free pending'],
    ['abandoned', { phase: 'abandoned', paidUntil: null }, 'Free none'],
    ['at a foreign price', { phase: 'ended', tier: null, endReason: 'other-price' }, 'Free ended'],
  ] as const)('grants nothing while it is %s', (_, given, status) => {
    expect(statusAt(day('01-02'), follow(given))).toBe(status);
  });

  it('loses access at once when it is suspended, refunded or handed over, and gets it back', () => {
    expect(statusAt(day('01-02'), follow(), follow({ phase: 'suspended' }))).toBe('Free suspended');
    expect(statusAt(day('01-02'), follow(), follow({ phase: 'ended', endReason: 'refunded' }))).toBe(
      'Free ended',
    );
    expect(
      typesAfter(follow(), follow({ phase: 'ended', endReason: 'refunded' }), follow()).slice(2),
    ).toEqual(['MembershipEnded', 'MembershipReinstated']);
  });

  it('has a grace of 14 days after the paid period, from its end on, whatever Stripe says when', () => {
    const late = follow({ phase: 'past-due', pastDueSince: day('02-01') }, day('02-05'));
    for (const steps of [
      [follow(), pastDue],
      [follow(), check(day('02-02')), late],
      [follow(), late],
    ]) {
      expect(statusAt(day('02-14'), ...steps)).toBe('Pro grace');
      expect(access(day('02-14'), ...steps).until).toBe(day('02-15'));
      expect(statusAt(day('02-15'), ...steps)).toBe('Free suspended');
      expect(typesAfter(...steps).filter((type) => type === 'GraceStarted')).toHaveLength(1);
    }
  });

  it('never lasts longer than the grace after what was paid, also when Stripe says nothing at all', () => {
    expect(statusAt(day('02-01'), follow())).toBe('Pro active');
    expect(statusAt(day('02-02'), follow())).toBe('Pro grace');
    expect(statusAt(day('02-15'), follow())).toBe('Free suspended');
    expect(typesAfter(follow(), check(day('02-01')), check(day('02-02')), check(day('02-03')))).toEqual([
      'MembershipOpened',
      'MembershipActivated',
      'GraceStarted',
    ]);
  });

  it('is suspended by its own deadline, which only a payment lifts', () => {
    const lapsed = [follow(), pastDue, endGrace(day('02-14')), endGrace(day('02-15'))];
    expect(typesAfter(...lapsed).slice(2)).toEqual(['GraceStarted', 'MembershipSuspended']);
    const retried = follow(
      { phase: 'past-due', pastDueSince: day('02-01'), nextAttemptAt: day('02-20') },
      day('02-16'),
    );
    expect(typesAfter(...lapsed, retried, follow({}, day('02-16'))).slice(4)).toEqual([]);
    expect(typesAfter(...lapsed, follow(february, day('02-16'))).slice(4)).toEqual(['MembershipRenewed']);
    expect(statusAt(day('02-16'), ...lapsed, follow(february, day('02-16')))).toBe('Pro active');
  });

  it('ends without grace at the time that the member has chosen', () => {
    const ending = follow({ endsAt: day('02-01') });
    expect(statusAt(day('01-31'), ending)).toBe('Pro active');
    expect(statusAt(day('02-01'), ending)).toBe('Free ended');
    expect(after(ending, check(day('02-02'))).at(-1)).toMatchObject({
      type: 'MembershipEnded',
      data: { reason: 'canceled', endedAt: day('02-01') },
    });
  });
});

describe('several sources of access', () => {
  const grant = (tier: 'Basic' | 'Pro' | 'Elite', until: string | null): MembershipCommand =>
    grantAccess({ grantId: `grant ${tier}`, tier, until });
  const expire = (now: string): MembershipCommand => ({
    type: 'EndComplimentaryAccess',
    accountId: ann,
    grantId: 'grant Elite',
    now,
  });
  const revoke = (grantId: string): MembershipCommand => revokeAccess({ grantId });

  it('count by tier, then by how long they last', () => {
    const annual = { subscriptionId: 'sub_2', period: 'annual', paidUntil: day('12-01') } as const;
    expect(access(day('01-02'), follow(), follow({ ...annual, tier: 'Elite' })).tier).toBe('Elite');
    expect(access(day('01-02'), follow(annual), follow()).source).toMatchObject({ subscriptionId: 'sub_2' });
    const elite = follow({ ...annual, tier: 'Elite' });
    const endedElite = follow({ ...annual, ...canceled, tier: 'Elite' });
    expect(statusAt(day('01-02'), follow(), elite, endedElite)).toBe('Pro active');
    expect(statusAt(day('01-02'), follow(), grant('Elite', null))).toBe('Elite complimentary');
    expect(statusAt(day('01-02'), follow(), grant('Basic', null))).toBe('Pro active');
  });

  it('end when a grant expires or is revoked, each once', () => {
    const granted = grant('Elite', day('01-10'));
    expect(statusAt(day('01-09'), granted)).toBe('Elite complimentary');
    expect(statusAt(day('01-10'), granted)).toBe('Free none');
    expect(
      typesAfter(granted, granted, expire(day('01-09')), expire(day('01-10')), expire(day('01-11'))),
    ).toEqual(['ComplimentaryAccessGranted', 'ComplimentaryAccessEnded']);
    expect(typesAfter(granted, revoke('grant Elite'), revoke('grant Elite'), granted)).toHaveLength(2);
  });

  it('end when a subscription starts that includes them; a better one stays', () => {
    const grants = [grant('Basic', null), grant('Pro', null), grant('Elite', day('06-01'))];
    const ended = after(...grants, follow(), follow()).flatMap(({ type, data }) =>
      type === 'ComplimentaryAccessEnded' ? [`${data.grantId} ${data.cause}`] : [],
    );
    expect(ended).toEqual(['grant Basic paid', 'grant Pro paid']);
    expect(statusAt(day('01-02'), ...grants, follow())).toBe('Elite complimentary');
    const unpaid = follow({ phase: 'pending', paidUntil: null });
    expect(typesAfter(grant('Pro', null), unpaid)).not.toContain('ComplimentaryAccessEnded');
  });

  it('end together when support takes them away without naming one', () => {
    const all = revokeAccess();
    const grants = [grant('Pro', null), grant('Elite', null)];
    expect(typesAfter(...grants, all).slice(2)).toEqual([
      'ComplimentaryAccessEnded',
      'ComplimentaryAccessEnded',
    ]);
    expect(statusAt(day('01-02'), ...grants, all)).toBe('Free none');
  });

  it.each([
    ['GRANT_WITHOUT_REASON', { ...grant('Pro', null), reason: '  ' }],
    ['GRANT_ENDS_IN_THE_PAST', grant('Pro', day('01-01'))],
    ['GRANT_NOT_FOUND', revoke('grant Pro')],
  ])('are refused with %s', (code, command) => {
    expect(() => after(command)).toThrow(DomainError);
    expect(() => after(command)).toThrow(expect.objectContaining({ code }));
  });
});

it('opens the catalogue to everybody or as advertised, and the export to paid members only', () => {
  expect(featuresOf('Free', 'open')).toEqual(['explorer', 'sourceCode', 'favourites']);
  expect(featuresOf('Basic', 'open')).toContain('csvExport');
  expect(featuresOf('Free', 'advertised')).toEqual([]);
  expect(featuresOf('Pro', 'advertised')).toEqual(['csvExport', 'favourites']);
  expect(featuresOf('Elite', 'advertised')).toEqual(['explorer', 'sourceCode', 'csvExport', 'favourites']);
});

it('opens everything to support and admins', () => {
  for (const role of ['support', 'admin'])
    expect(featuresOf('Free', 'advertised', [role])).toEqual(featuresOf('Elite', 'advertised'));
});

it.each([
  ['explorer', 'Your plan does not include the Strategy Explorer: upgrade to Elite.'],
  ['sourceCode', 'Your plan does not include the source code of strategies: upgrade to Elite.'],
  ['favourites', 'Your plan does not include favourites: upgrade to Pro or Elite.'],
  ['csvExport', 'Your plan does not include the CSV export: upgrade to Pro or Elite.'],
] as const)('names the plans that include %s', (feature, message) => {
  expect(featureMissing(feature, 'advertised')).toMatchObject({ code: 'FEATURE_NOT_INCLUDED', message });
});
