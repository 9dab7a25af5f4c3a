import { describe, expect, it } from '@jest/globals';
import { answered, given, notice, observed, renewed, transfer, apply } from '../testing/price-notices.ts';
import { day, elite, failure, pro, record, refundOf, snapshot } from '../testing/snapshots.ts';
import {
  ann,
  bob,
  bought,
  byAnn,
  byMail,
  claim,
  request,
  typesAfter,
} from '../testing/subscription-history.ts';
import type { SubscriptionCommand } from './decide-subscription.ts';

describe('the notice of a price', () => {
  it('is recorded once, with both amounts and the first renewal from the day on', () => {
    expect(given(bought, notice(), notice({}, day('01-11')))).toEqual([
      {
        subscriptionId: 'sub_1',
        accountId: ann,
        announcementId: 'raise',
        announcedAt: day('01-10'),
        plan: pro,
        fromAmount: 999,
        toAmount: 1_499,
        currency: 'usd',
        renewsAt: day('03-01'),
        givenAt: day('01-10'),
      },
    ]);
  });

  it('that is late is for a later renewal, as many days after it as were promised', () => {
    const renewsAt = (now: string): string | undefined =>
      given(bought, renewed, notice({}, now))[0]?.renewsAt;
    expect(renewsAt(day('01-30'))).toBe(day('03-01'));
    expect(renewsAt('2026-01-30T00:00:00.001Z')).toBe(day('04-01'));
  });

  it.each<readonly [string, readonly SubscriptionCommand[]]>([
    ['costs this already', [record(snapshot('active', { amount: 1_499 }), byAnn)]],
    ['has another currency', [record(snapshot('active', { currency: 'eur' }), byAnn)]],
    ['has no owner', [record(snapshot(), byMail)]],
    ['is cancelled', [bought, observed('01-05', { cancelAtPeriodEnd: true })]],
    ['has another plan', [bought, observed('01-05', { plan: elite, amount: 1_999 })]],
    [
      'changes to another plan',
      [bought, observed('01-05', { scheduledPlan: { ...elite, at: day('02-01') } })],
    ],
    [
      'waits for an upgrade',
      [bought, observed('01-05', { pendingPlan: { ...elite, expiresAt: day('02-01') } })],
    ],
    [
      'is not paid',
      [
        bought,
        record(snapshot('past_due', { observedAt: day('02-02') }, { failures: [failure('in_2', 1, null)] })),
      ],
    ],
    [
      'is given back',
      [
        bought,
        record(
          snapshot('active', { observedAt: day('01-20') }, { refunds: [refundOf('in_1', 'succeeded')] }),
        ),
      ],
    ],
    [
      'belongs to a deleted account',
      [bought, { type: 'CloseAccount', accountId: ann, isLate: false, now: day('01-05') }],
    ],
  ])('is not given of a subscription that %s', (_, history) => {
    expect(given(...history, notice())).toEqual([]);
  });

  it('is not given while a change of the plan is under way', () => {
    expect(given(bought, request({ kind: 'cancel', reason: null }), notice())).toEqual([]);
  });

  it('is given once a scheduled change is undone', () => {
    const downgrade = observed('01-05', {
      scheduledPlan: { ...elite, at: day('02-01') },
    });
    const kept = observed('01-12', {});
    expect(given(bought, downgrade, notice(), kept, notice({}, day('01-13')))).toHaveLength(1);
  });

  it('is given again to an account that gets the purchase', () => {
    const mine = record(snapshot(), byMail);
    expect(given(mine, claim(), notice(), transfer, notice()).map(({ accountId }) => accountId)).toEqual([
      ann,
      bob,
    ]);
  });

  it('of a later announcement replaces it, and an earlier one does not', () => {
    const later = notice({ announcementId: 'more', amount: 1_999, announcedAt: day('01-20') }, day('01-20'));
    expect(given(bought, notice(), later, notice()).map(({ toAmount }) => toAmount)).toEqual([1_499, 1_999]);
    expect(typesAfter(bought, notice(), later, renewed, apply())).not.toContain('AnnouncedPriceDue');
  });

  it('of a later announcement waits while Stripe is asked for the price of the earlier one', () => {
    const later = notice({ announcementId: 'more', amount: 1_999, announcedAt: day('02-20') }, day('02-28'));
    const due = [bought, notice(), renewed, apply()] as const;
    expect(given(...due, later)).toHaveLength(1);
    expect(given(...due, answered('AMOUNT_CHANGED', ...due), later)).toHaveLength(2);
  });
});
