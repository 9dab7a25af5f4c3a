import { describe, expect, it } from '@jest/globals';
import { stateAfter } from '@tapedeck/eventing/core';
import { recordedEvent } from '@tapedeck/eventing/testing';
import * as fc from 'fast-check';
import {
  day,
  elite,
  failure,
  february,
  january,
  openedDispute,
  paidInvoice,
  record,
  refundOf,
  snapshot,
} from '../testing/snapshots.ts';
import { after, ann, bought, byAnn, byMail, claim } from '../testing/subscription-history.ts';
import { subscriptionDecider, type SubscriptionCommand } from './decide-subscription.ts';
import { letterFor, type Announced, type Letter } from './letters.ts';
import type { SubscriptionEvent } from './subscription-events.ts';

const announced: readonly string[] = [
  'PurchaseUnclaimed',
  'ClaimReminderDue',
  'PaymentRecorded',
  'PaymentFailed',
  'RefundRecorded',
  'RenewalNoticeDue',
  'CardNoticeDue',
  'PaymentTransferred',
  'PurchaseReturnBegun',
];
const isAnnounced = (event: SubscriptionEvent): event is Announced => announced.includes(event.type);

const siteUrl = 'https://tapedeck.example';

/** The letters about the events from a version on, sent at an instant, when all the commands were executed. */
const letters = (
  commands: readonly SubscriptionCommand[],
  at = day('01-02'),
  fromVersion = 1,
): readonly Letter[] => {
  const all = after(...commands).map((event, index) => recordedEvent(event, { version: index + 1 }));
  const now = stateAfter(subscriptionDecider, all);
  return all.flatMap((event) => {
    if (!isAnnounced(event) || event.version < fromVersion) return [];
    const before = stateAfter(
      subscriptionDecider,
      all.filter(({ version }) => version < event.version),
    );
    return letterFor(event, { events: all, now, before, at }, siteUrl) ?? [];
  });
};

const subjects = (...args: Parameters<typeof letters>): readonly string[] =>
  letters(...args).map(({ content }) => content.subject);

const receipt = 'Your receipt for Tapedeck Pro (monthly)';
const purchase = 'Your purchase of Tapedeck Pro (monthly)';

describe('the receipt', () => {
  it('goes to the billing address of a purchase while signed in', () => {
    const [letter] = letters([bought]);
    expect(letter?.address).toMatchObject({ of: 'billing', accountId: ann });
    expect(letter?.content).toMatchObject({
      subject: receipt,
      facts: [
        ['Amount', '$9.99'],
        ['Paid on', 'Jan 1, 2026'],
        ['Plan', 'Tapedeck Pro (monthly)'],
        ['For', 'First payment'],
        ['Period', 'Jan 1, 2026 to Feb 1, 2026'],
      ],
    });
  });

  it('of a purchase by e-mail is in the mail that says how to claim it, to the address that was typed', () => {
    const byEmail = record(snapshot(), byMail);
    const [letter, ...others] = letters([byEmail]);
    expect([letter?.content.subject, letter?.address.of, others]).toEqual([purchase, 'payer', []]);
    expect(letter?.content.facts?.[0]).toEqual(['Amount', '$9.99']);
    const [claimed, ...more] = letters([byEmail, claim()]);
    // The invoice names whoever has paid, and the account has proved to read the mail only.
    expect(claimed?.content).toMatchObject({ subject: receipt, paragraphs: ['This is your receipt.'] });
    expect(more).toEqual([]);
  });

  it('is not sent for an invoice of nothing, nor for a payment that goes back', () => {
    const free = { payments: [paidInvoice('in_1', january, { amountPaid: 0 })] };
    expect(subjects([record(snapshot('active', {}, free), byAnn)])).toEqual([]);
    const returned: SubscriptionCommand = {
      type: 'ReturnPurchase',
      reason: 'second-purchase',
      now: day('01-02'),
    };
    expect(subjects([bought, returned])).toEqual(['We are refunding your payment']);
  });
});

const failed = (attempt: number, declineCode: string | null = null): SubscriptionCommand =>
  record(
    snapshot(
      'past_due',
      { observedAt: day(`02-0${attempt}`) },
      { failures: [{ ...failure('in_2', attempt, day('02-05')), declineCode }] },
    ),
  );
const renewed = record(
  snapshot('active', { observedAt: day('02-06') }, { payments: [paidInvoice('in_2', february)] }),
);

describe('the mail about a failed renewal', () => {
  it('is sent once, however often it fails, with a link to pay', () => {
    const [, letter, ...others] = letters([bought, failed(1), failed(2), failed(3)]);
    expect(letter?.content).toMatchObject({
      subject: 'Your payment has failed',
      button: { url: 'https://tapedeck.example/pay' },
    });
    expect([letter?.address.of, others]).toEqual(['buyer', []]);
  });

  it('says why, when it is tried again and how it can be paid', () => {
    const [, letter] = letters([bought, failed(1, 'expired_card')]);
    expect(letter?.content.paragraphs).toEqual([
      'The renewal of your Tapedeck subscription could not be charged: the card has expired. You keep your access for some days.',
      'We try again on Feb 5, 2026. Pay it now with any card, and nothing changes for you.',
    ]);
  });

  it('says nothing of the card of another person', () => {
    const letter = letters([record(snapshot(), byMail), claim(), failed(1, 'insufficient_funds')]).at(-1);
    expect(letter?.content.paragraphs[0]).toContain('could not be charged: the card was declined.');
  });

  it('is not sent once the renewal is paid', () => {
    expect(subjects([bought, failed(1), renewed])).toEqual([receipt, receipt]);
  });

  const failing = (reason?: string) => ({
    failures: [{ ...failure('in_2', 1, null), ...(reason === undefined ? {} : { reason }) }],
  });
  const pendingPlan = { ...elite, expiresAt: day('01-06') };

  it.each([
    ['an upgrade that is declined', {}, 'subscription_update'],
    ['an upgrade that the bank wants confirmed', { pendingPlan }, 'subscription_update'],
    ['an upgrade of an older event', { pendingPlan }, undefined],
  ] as const)('is not sent for %s', (_, given, reason) => {
    const declined = record(snapshot('active', { observedAt: day('01-05'), ...given }, failing(reason)));
    expect(subjects([bought, declined])).toEqual([receipt]);
  });

  it.each([
    ['has a reason', 'active', 'subscription_cycle'],
    ['has none, as older events', 'past_due', undefined],
    ['begins a period with a change of the plan', 'past_due', 'subscription_update'],
  ] as const)('is sent for a renewal that %s', (_, status, reason) => {
    const unpaid = record(snapshot(status, { observedAt: day('02-01') }, failing(reason)));
    expect(subjects([bought, unpaid])).toEqual([receipt, 'Your payment has failed']);
  });
});

const refunded = (status: Parameters<typeof refundOf>[1], amount?: number): SubscriptionCommand =>
  record(snapshot('active', { observedAt: day('01-21') }, { refunds: [refundOf('in_1', status, amount)] }));

describe('the mail about a refund', () => {
  it.each([
    ['all', undefined, 'We are refunding $9.99', 'All of your payment of Jan 1, 2026'],
    ['a part', 100, 'We are refunding $1.00', 'A part of your payment of Jan 1, 2026'],
  ])('says that %s of a payment goes back', (_what, amount, subject, text) => {
    const [, letter] = letters([bought, refunded('pending', amount), refunded('succeeded', amount)]);
    expect(letter?.content.subject).toBe(subject);
    expect(letter?.content.paragraphs[0]).toContain(text);
    expect(letter?.address.of).toBe('billing');
  });

  it('is sent once, and another one when it did not arrive', () => {
    const steps = [bought, refunded('pending'), refunded('succeeded')];
    expect(subjects(steps)).toEqual([receipt, 'We are refunding $9.99']);
    expect(subjects([...steps, refunded('failed')], day('01-30'), after(...steps).length + 1)).toEqual([
      'Your refund did not arrive',
    ]);
    expect(subjects([bought, refunded('failed')])).toEqual([receipt]);
    expect(subjects([bought, refunded('pending'), refunded('canceled')])).toEqual([receipt]);
  });
});

describe('the acknowledgement of a withdrawal', () => {
  const withdraw: SubscriptionCommand = {
    type: 'WithdrawFromContract',
    accountId: ann,
    days: 30,
    now: day('01-25'),
  };
  const textAfter = (...commands: readonly SubscriptionCommand[]): string =>
    letters([bought, ...commands, withdraw], day('01-25'))
      .at(-1)
      ?.content.paragraphs.join(' ') ?? '';

  it('says how much goes back: what was not refunded before', () => {
    expect(textAfter()).toContain('All of the payment goes back to your card: $9.99.');
    expect(textAfter(refunded('succeeded', 500))).toContain(
      'The rest of the payment goes back to your card: $4.99.',
    );
  });

  it('promises nothing of what the bank decides about', () => {
    const disputes = [openedDispute('dp_1')];
    const disputed = record(snapshot('active', { observedAt: day('01-20') }, { disputes }));
    expect(textAfter(disputed)).toMatch(
      /The subscription has ended\. A payment is disputed: your bank decides about it\.$/,
    );
  });
});

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
    expect(subjects(claimed, inLastMonth)).toEqual([receipt]);
  });
});

describe('mails about the same', () => {
  const steps = [
    bought,
    failed(1),
    failed(2),
    renewed,
    refunded('pending'),
    refunded('succeeded'),
    refunded('failed'),
  ];

  it('are never sent twice, in whichever order it becomes known and whenever they are sent', () => {
    const order = fc.shuffledSubarray([...steps.keys()], { minLength: 1 });
    fc.assert(
      fc.property(order, fc.boolean(), (indexes, isSentAtOnce) => {
        const commands = indexes.map((index) => steps[index] ?? bought);
        const batches = isSentAtOnce ? commands.map((_, index) => index + 1) : [commands.length];
        let seen = 0;
        const sent = batches.flatMap((size) => {
          const some = commands.slice(0, size);
          const found = subjects(some, day('02-10'), seen + 1);
          seen = after(...some).length;
          return found;
        });
        const counts = new Map<string, number>();
        for (const subject of sent) counts.set(subject, (counts.get(subject) ?? 0) + 1);
        // There are two invoices.
        expect(counts.get(receipt) ?? 0).toBeLessThanOrEqual(2);
        counts.delete(receipt);
        expect([...counts.values()].every((count) => count === 1)).toBe(true);
      }),
    );
  });
});
