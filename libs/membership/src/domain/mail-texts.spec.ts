import { describe, expect, it } from '@jest/globals';
import { stateAfter } from '@tapedeck/eventing/core';
import { ann, day, follow, grantAccess, revokeAccess } from '../testing/entitlements.ts';
import { membershipDecider, type MembershipCommand } from './decide.ts';
import { lossText } from './mail-texts.ts';
import type { Membership, MembershipEvent } from './membership.ts';

type Told = Readonly<{ events: readonly MembershipEvent[]; subjects: readonly string[] }>;

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
const toldAfter = (...commands: readonly MembershipCommand[]): readonly string[] =>
  commands.reduce<Told>(
    ({ events, subjects }, command, index) => {
      const sent = command.type === 'FollowEntitlement' ? { ...command, version: index + 1 } : command;
      return membershipDecider.decide(sent, stateAfter(membershipDecider, events)).reduce<Told>(
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
  it('tell an end by our own deadline once, whatever Stripe says of it later', () => {
    const silent = [follow(), check(day('02-02')), endGrace];
    expect(toldAfter(...silent)).toEqual([accessEnded]);
    expect(toldAfter(...silent, ended('unpaid'), ended('canceled'))).toEqual([accessEnded]);
    expect(toldAfter(...silent, ended('refunded'))).toEqual([accessEnded, subscriptionEnded]);
  });

  it("tell an end by Stripe's word once, whatever the clock does later", () => {
    const pastDue = follow({ phase: 'past-due', pastDueSince: day('02-01') }, day('02-01'));
    expect(toldAfter(follow(), pastDue, ended('unpaid'), endGrace)).toEqual([subscriptionEnded]);
    expect(toldAfter(follow(), ended('transferred'))).toEqual([]);
    expect(toldAfter(follow({ phase: 'pending', paidUntil: null }), ended('canceled'))).toEqual([]);
  });

  it('tell a wished end that Stripe does not confirm, once', () => {
    const wished = follow({ endsAt: day('02-01') });
    expect(toldAfter(wished, check(day('02-02')), ended('canceled'))).toEqual([subscriptionEnded]);
  });

  it('tell that a grant is over when it has expired, not when it was taken away', () => {
    const granted = grantAccess({ grantId: 'g', until: day('02-01') });
    const expire = {
      type: 'EndComplimentaryAccess',
      accountId: ann,
      grantId: 'g',
      now: day('02-01'),
    } as const;
    const revoke = revokeAccess({ grantId: 'g' });
    expect(toldAfter(granted, expire, expire)).toEqual(['Your complimentary Elite access has ended']);
    expect(toldAfter(granted, revoke, expire)).toEqual([]);
  });
});
