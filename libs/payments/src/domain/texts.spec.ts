import { describe, expect, it } from '@jest/globals';
import { stateAfter } from '@tapedeck/eventing/core';
import { day, failure, february, record, snapshot } from '../testing/snapshots.ts';
import { after, bought } from '../testing/subscription-history.ts';
import { subscriptionDecider, type SubscriptionCommand } from './decide-subscription.ts';
import { changeMessage, processingText, withdrawalMessage } from './texts.ts';

const cancel = { kind: 'cancel', reason: null } as const;
const cancelledAfter = (...commands: readonly SubscriptionCommand[]): string =>
  changeMessage(cancel, stateAfter(subscriptionDecider, after(...commands)));

/** The second period has begun. */
const second = {
  observedAt: day('02-02'),
  periodStart: february[0],
  periodEnd: february[1],
  latestInvoiceId: 'in_2',
  cancelAtPeriodEnd: true,
};

describe('the message about a cancellation', () => {
  it('says until when access lasts where the period is paid', () => {
    const cancelled = record(snapshot('active', { cancelAtPeriodEnd: true, observedAt: day('01-03') }));
    expect(cancelledAfter(bought, cancelled)).toBe(
      'Your subscription is cancelled. Access lasts until Feb 1, 2026.',
    );
  });

  it.each([
    ['has failed', 'past_due', [failure('in_2', 1, day('02-05'))]],
    ['is about to be charged', 'active', []],
  ] as const)(
    'promises neither access nor that nothing is charged while a renewal %s',
    (_what, status, failures) => {
      expect(cancelledAfter(bought, record(snapshot(status, second, { failures })))).toBe(
        'Your subscription is cancelled. The unpaid invoice may still be charged: once it is paid, access lasts until Mar 1, 2026.',
      );
    },
  );
});

describe('what is said of a change that is under way', () => {
  it('does not say that it is done', () => {
    const plan = { tier: 'Elite', period: 'monthly' } as const;
    const upgrade = { kind: 'upgrade', plan, prorationDate: day('01-05'), expectedAmount: 900 } as const;
    const all = [
      cancel,
      { kind: 'resume' },
      upgrade,
      { kind: 'downgrade', plan },
      { kind: 'keep-plan' },
    ] as const;
    expect(all.map(processingText)).toEqual([
      'The cancellation is under way.',
      'The cancellation is being undone.',
      'The change to Elite (monthly) is under way.',
      'The change to Elite (monthly) is under way.',
      'The scheduled change of the plan is being undone.',
    ]);
  });
});

describe('the acknowledgement of a withdrawal', () => {
  it('says that money goes back only where the bank does not decide about it', () => {
    expect(withdrawalMessage(day('01-05'), false)).toContain('ended, and the payment goes back to the card.');
    expect(withdrawalMessage(day('01-05'), true)).toContain('Your bank decides about the disputed payment');
  });
});
