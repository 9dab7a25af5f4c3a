import { describe, expect, it } from '@jest/globals';
import { letters, subjects } from '../testing/letters.ts';
import { day, paidInvoice, record, refundOf, snapshot } from '../testing/snapshots.ts';
import { ann, bought, byAnn, byMail, claim } from '../testing/subscription-history.ts';
import type { SubscriptionCommand } from './decide-subscription.ts';

const annual = { plan: { tier: 'Pro', period: 'annual' }, amount: 7_499, periodEnd: day('12-31') } as const;
const year = { payments: [paidInvoice('in_1', [day('01-01'), day('12-31')], { plan: annual.plan })] };
const boughtByYear = record(snapshot('active', annual, year), { ...byAnn, plan: annual.plan });
const notice = (days: number, renewsAt = day('12-31'), invoiceId = 'in_1'): SubscriptionCommand => ({
  type: 'NoticeRenewal',
  subscriptionId: 'sub_1',
  invoiceId,
  days,
  renewsAt,
});
const observed = (given: Parameters<typeof snapshot>[1]): SubscriptionCommand =>
  record(snapshot('active', { ...annual, observedAt: day('11-01'), ...given }, year));
const renewsOn = 'Tapedeck Pro (annual) renews on Dec 31, 2026';

/** Without the receipt. */
const notices = (at: string, ...commands: readonly SubscriptionCommand[]): readonly string[] =>
  subjects([boughtByYear, ...commands], at).slice(1);

describe('the notice of a renewal', () => {
  it('says what is charged and when', () => {
    const [, letter] = letters([boughtByYear, notice(30)], day('12-01'));
    expect(letter?.content).toMatchObject({
      subject: renewsOn,
      paragraphs: [
        `${renewsOn}. $74.99 will be charged on Dec 31, 2026.`,
        'If you want to continue, there is nothing to do.',
      ],
    });
    expect(letter?.address).toMatchObject({ of: 'buyer', accountId: ann });
  });

  it('names the plan that it changes to', () => {
    const scheduledPlan = { tier: 'Pro', period: 'monthly', at: day('12-31') } as const;
    expect(notices(day('12-01'), observed({ scheduledPlan }), notice(30))).toEqual([
      'Your plan changes to Tapedeck Pro (monthly) on Dec 31, 2026',
    ]);
  });

  it.each([
    ['30 days before', day('12-01'), [notice(30)], [renewsOn]],
    ['late, but before the later notice', day('12-20'), [notice(30)], [renewsOn]],
    ['7 days before, when the earlier one was late too', day('12-24'), [notice(30), notice(7)], [renewsOn]],
    [
      'a second time by another invoice of the year',
      day('12-01'),
      [notice(30), notice(30, day('12-31'), 'in_2')],
      [renewsOn],
    ],
    ['when the day has passed', day('12-31'), [notice(7)], []],
    ['of a renewal on another day', day('12-01'), [notice(30, day('12-30'))], []],
    ['once it is cancelled', day('12-01'), [observed({ cancelAtPeriodEnd: true }), notice(30)], []],
    ['once it ends on a day', day('12-01'), [observed({ cancelAt: day('12-31') }), notice(30)], []],
    [
      'once it is by the month',
      day('12-01'),
      [observed({ plan: { tier: 'Pro', period: 'monthly' } }), notice(30)],
      [],
    ],
  ] as const)('is sent as it should: %s', (_when, at, commands, expected) => {
    expect(notices(at, ...commands)).toEqual(expected);
  });

  it('is not sent when all of it was refunded, or the account was deleted', () => {
    const refund = record(
      snapshot(
        'active',
        { ...annual, observedAt: day('11-01') },
        { ...year, refunds: [refundOf('in_1', 'succeeded')] },
      ),
    );
    expect(notices(day('12-01'), refund, notice(30))).not.toContain(renewsOn);
    const closed = { type: 'CloseAccount', accountId: ann, isLate: false, now: day('11-01') } as const;
    expect(notices(day('12-01'), closed, notice(30))).toEqual([]);
  });
});

const end = '2030-05-01T00:00:00.000Z';
const cardDue: SubscriptionCommand = { type: 'NoticeCard', subscriptionId: 'sub_1', expiresAt: end };
const inLastMonth = '2030-04-01T00:00:00.000Z';
const cards = (at: string, ...commands: readonly SubscriptionCommand[]): readonly string[] =>
  subjects([bought, ...commands, cardDue], at).slice(1);
const card = { brand: 'visa', last4: '4242', expMonth: 4, expYear: 2030 };

describe('the mail about a card that expires', () => {
  it('is sent in the last month of the card that pays', () => {
    expect(cards(inLastMonth)).toEqual(['Your card expires at the end of this month']);
  });

  it.each([
    ['the month is over', end, []],
    [
      'another card pays',
      inLastMonth,
      [record(snapshot('active', { card: { ...card, expYear: 2033 }, observedAt: day('01-05') }))],
    ],
    ['no card pays', inLastMonth, [record(snapshot('active', { card: null, observedAt: day('01-05') }))]],
    [
      'nothing is charged any more',
      inLastMonth,
      [record(snapshot('active', { cancelAtPeriodEnd: true, observedAt: day('01-05') }))],
    ],
  ] as const)('is not sent when %s', (_when, at, commands) => {
    expect(cards(at, ...commands)).toEqual([]);
  });

  it('is not sent to an account that has another person’s card', () => {
    const claimed = [record(snapshot(), byMail), claim(), cardDue];
    expect(subjects(claimed, inLastMonth)).toEqual(['Your receipt for Tapedeck Pro (monthly)']);
  });
});
