import { describe, expect, it } from '@jest/globals';
import { stateAfter } from '@tapedeck/eventing/core';
import { ann, day, follow, grantAccess, revokeAccess } from '../testing/entitlements.ts';
import { membershipDecider, type MembershipCommand } from './decide.ts';
import { lossText } from './mail-texts.ts';
import type { Membership, MembershipEvent } from './membership.ts';

type Sent = Readonly<{ events: readonly MembershipEvent[]; subjects: readonly string[] }>;

const subjectsIn = (event: MembershipEvent, before: Membership): readonly string[] => {
  switch (event.type) {
    case 'MembershipSuspended':
    case 'MembershipEnded':
    case 'ComplimentaryAccessEnded': {
      const text = lossText(event, before, 'https://tapedeck.example');
      return text ? [text.subject] : [];
    }
    default:
      return [];
  }
};

/** The subjects of all mails that the commands cause. */
const subjectsAfter = (...commands: readonly MembershipCommand[]): readonly string[] =>
  commands.reduce<Sent>(
    ({ events, subjects }, command, index) => {
      const sent = command.type === 'FollowEntitlement' ? { ...command, version: index + 1 } : command;
      return membershipDecider.decide(sent, stateAfter(membershipDecider, events)).reduce<Sent>(
        (before, event) => ({
          events: [...before.events, event],
          subjects: [...before.subjects, ...subjectsIn(event, stateAfter(membershipDecider, before.events))],
        }),
        { events, subjects },
      );
    },
    { events: [], subjects: [] },
  ).subjects;

const subject = { accountId: ann, subscriptionId: 'sub_1' };
const check = (now: string): MembershipCommand => ({ type: 'CheckRenewal', ...subject, now });
const endGrace: MembershipCommand = { type: 'EndGrace', ...subject, now: day('02-15') };
const ended = (endReason: 'unpaid' | 'canceled' | 'refunded' | 'transferred'): MembershipCommand =>
  follow({ phase: 'ended', endReason }, day('02-16'));
const accessEnded = 'Your access has ended';
const subscriptionEnded = 'Your subscription has ended';

describe('the mails about the end of an access', () => {
  it('are sent once for an end by our own deadline, whatever Stripe says later', () => {
    const silent = [follow(), check(day('02-02')), endGrace];
    expect(subjectsAfter(...silent)).toEqual([accessEnded]);
    expect(subjectsAfter(...silent, ended('unpaid'), ended('canceled'))).toEqual([accessEnded]);
    expect(subjectsAfter(...silent, ended('refunded'))).toEqual([accessEnded, subscriptionEnded]);
  });

  it('are sent once for an end by Stripe, also when our own deadline passes later', () => {
    const pastDue = follow({ phase: 'past-due', pastDueSince: day('02-01') }, day('02-01'));
    expect(subjectsAfter(follow(), pastDue, ended('unpaid'), endGrace)).toEqual([subscriptionEnded]);
    expect(subjectsAfter(follow(), ended('transferred'))).toEqual([]);
    expect(subjectsAfter(follow({ phase: 'pending', paidUntil: null }), ended('canceled'))).toEqual([]);
  });

  it('are sent once for a chosen end that Stripe does not confirm', () => {
    const wished = follow({ endsAt: day('02-01') });
    expect(subjectsAfter(wished, check(day('02-02')), ended('canceled'))).toEqual([subscriptionEnded]);
  });

  it('are sent for a grant that has expired, not for one that was revoked', () => {
    const granted = grantAccess({ grantId: 'g', until: day('02-01') });
    const expire = {
      type: 'EndComplimentaryAccess',
      accountId: ann,
      grantId: 'g',
      now: day('02-01'),
    } as const;
    const revoke = revokeAccess({ grantId: 'g' });
    expect(subjectsAfter(granted, expire, expire)).toEqual(['Your complimentary Elite access has ended']);
    expect(subjectsAfter(granted, revoke, expire)).toEqual([]);
  });
});
