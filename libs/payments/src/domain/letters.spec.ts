import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { letters, subjects } from '../testing/letters.ts';
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
import type { SubscriptionCommand } from './decide-subscription.ts';

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
