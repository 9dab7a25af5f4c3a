import { describe, expect, it } from '@jest/globals';
import {
  day,
  failure,
  intentId,
  openedDispute,
  paidInvoice,
  snapshot,
  refundOf,
  type SubscriptionSnapshot,
} from '@tapedeck/payments/testing';
import { accountId, derivedId } from '@tapedeck/kernel';
import {
  change,
  grant,
  historyOf,
  member,
  newTape,
  passTo,
  revoke,
  tell,
  type Tape,
} from '../testing/tape.ts';
import { explainAt } from './explain.ts';
import { textOf } from './sentence-parts.ts';

const ann = accountId(derivedId('ann'));

const because = (tape: Tape, at: string): Readonly<{ sentence: string; chain: readonly string[] }> => {
  const { sentence, chain } = explainAt(historyOf(tape), at);
  return { sentence: textOf(sentence), chain: chain.map(({ type }) => type) };
};
const sentence = (tape: Tape, at: string): string => because(tape, at).sentence;

const february = [day('02-01'), day('03-01')] as const;
const invoices = [paidInvoice('in_1', [day('01-01'), day('02-01')]), paidInvoice('in_2', february)];

const bought = tell(newTape, snapshot());
const inFebruary = { observedAt: day('02-01'), periodStart: february[0], periodEnd: february[1] };
const renewed = tell(bought, snapshot('active', inFebruary, { payments: invoices }));
const failed = tell(
  bought,
  snapshot('past_due', inFebruary, { failures: [failure('in_2', 1, day('02-04'))] }),
);
const on = (
  tape: Tape,
  status: SubscriptionSnapshot['subscription']['status'],
  at: string,
  given: Parameters<typeof snapshot>[1] = {},
  money: Parameters<typeof snapshot>[2] = {},
): Tape => tell(tape, snapshot(status, { ...given, observedAt: at }, money));

describe('why a member has access', () => {
  it('is the payment that has set the paid period, with the event of Stripe behind it', () => {
    expect(because(renewed, day('02-10'))).toEqual({
      sentence:
        'Pro until Mar 1, 2026, because the invoice of $9.99 was paid on Feb 1, 2026; that payment renewed the membership.',
      chain: [
        'StripeEventReceived',
        'PaymentClaimed',
        'MembershipOpened',
        'MembershipActivated',
        'StripeEventReceived',
        'PaymentRecorded',
        'MembershipRenewed',
      ],
    });
  });

  it('says when it ends by the wish of the member', () => {
    const canceled = on(bought, 'active', day('01-05'), { cancelAtPeriodEnd: true });
    expect(sentence(canceled, day('01-10'))).toBe(
      'Pro until Feb 1, 2026, because the invoice of $9.99 was paid on Jan 1, 2026; that payment activated the membership. It ends on Feb 1, 2026, because the member has cancelled it.',
    );
    const resumed = on(canceled, 'active', day('01-06'));
    expect(sentence(resumed, day('01-10'))).not.toContain('ends on');
  });

  it('is the grace after a payment has failed', () => {
    expect(because(failed, day('02-03'))).toEqual({
      sentence:
        'Pro until Feb 15, 2026, the end of the grace, 14 days after the paid period: the card failed on Feb 1, 2026 for the invoice.',
      chain: expect.arrayContaining(['PaymentFailed', 'GraceStarted']),
    });
  });

  it('is without a failed invoice that Stripe does not ask for any more', () => {
    const payments = [...invoices.slice(0, 1), paidInvoice('in_3', february)];
    const voided = on(failed, 'active', day('02-10'), inFebruary, { payments });
    expect(because(voided, day('02-12')).chain).not.toContain('PaymentFailed');
    expect(sentence(voided, day('02-12'))).toContain('because the invoice of $9.99 was paid on Feb 1, 2026');
  });

  it('is the grace while Stripe says nothing about the renewal', () => {
    const silent = passTo(bought, day('02-02'));
    expect(sentence(silent, day('02-03'))).toBe(
      'Pro until Feb 15, 2026, the end of the grace, 14 days after the paid period: Stripe has said neither that the renewal was paid nor that it has failed.',
    );
  });

  it('is what support has granted, in its own words', () => {
    const granted = grant(newTape, { id: 'g1', tier: 'Elite', until: day('02-01') }, day('01-01'));
    expect(explainAt(historyOf(granted), day('01-02')).quote).toBe('Reason of g1.');
    expect(sentence(granted, day('01-02'))).toBe(
      'Elite until Feb 1, 2026, because support granted it on Jan 1, 2026.',
    );
    const endless = grant(newTape, { id: 'g1', tier: 'Pro', until: null }, day('01-01'));
    expect(sentence(endless, day('01-02'))).toMatch(/^Pro without an end, because support granted it/);
  });

  it('is the better one of a grant and a subscription', () => {
    const both = grant(bought, { id: 'g1', tier: 'Elite', until: day('01-20') }, day('01-02'));
    expect(sentence(both, day('01-10'))).toMatch(/^Elite until Jan 20, 2026, because support granted it/);
    expect(sentence(passTo(both, day('01-21')), day('01-21'))).toMatch(
      /^Pro until Feb 1, 2026, because the invoice/,
    );
  });

  it('is the handing over of a purchase', () => {
    const unowned = tell(newTape, snapshot(), day('01-01'), null);
    const claimed = change(
      unowned,
      {
        type: 'TransferPurchase',
        toAccountId: member,
        fromEmailHash: 'hash',
        intentId,
        proof: 'mailbox',
        now: day('01-03'),
        hasOtherSubscription: false,
      },
      day('01-03'),
    );
    expect(because(claimed, day('01-04')).chain).toContain('PaymentTransferred');
    expect(sentence(claimed, day('01-02'))).toBe('No access: nothing was bought, and nothing was granted.');
  });
});

describe('why a member has no access', () => {
  it('is that nothing was bought', () => {
    expect(because(newTape, day('01-01'))).toEqual({
      sentence: 'No access: nothing was bought, and nothing was granted.',
      chain: [],
    });
  });

  it.each(['incomplete', 'incomplete_expired'] as const)(
    'is that the first payment is not complete (%s)',
    (status) => {
      const tape = on(newTape, status, day('01-01'), {}, { payments: [] });
      expect(sentence(tape, day('01-02'))).toBe(
        status === 'incomplete'
          ? 'No access yet: the first payment of the subscription is not complete.'
          : 'No access: nothing was bought, and nothing was granted.',
      );
    },
  );

  it('is the failed card, when the grace has passed without a word from Stripe', () => {
    expect(because(passTo(failed, day('02-15')), day('02-20'))).toEqual({
      sentence:
        'No access since Feb 15, 2026: the card failed on Feb 1, 2026 for the invoice, and 14 days of grace passed.',
      chain: expect.arrayContaining(['PaymentFailed', 'GraceStarted']),
    });
  });

  it.each(['unpaid', 'paused'] as const)('is that Stripe has suspended the subscription (%s)', (status) => {
    const tape = on(failed, status, day('02-10'), inFebruary);
    expect(sentence(tape, day('02-11'))).toBe(
      'No access since Feb 10, 2026: Stripe has suspended the subscription, which is unpaid.',
    );
  });

  it('is that Stripe has ended it because it was unpaid', () => {
    const tape = on(failed, 'canceled', day('02-12'), { ...inFebruary, endedAt: day('02-12') });
    expect(sentence(tape, day('02-13'))).toBe(
      'No access since Feb 12, 2026: the card failed on Feb 1, 2026 for the invoice, and Stripe has ended the subscription.',
    );
  });

  it('is that it was cancelled', () => {
    const tape = on(bought, 'canceled', day('02-01'), { endedAt: day('02-01') });
    expect(sentence(tape, day('02-03'))).toBe('No access since Feb 1, 2026: the subscription was cancelled.');
  });

  it('is the refund', () => {
    const tape = on(bought, 'active', day('01-20'), {}, { refunds: [refundOf('in_1', 'succeeded')] });
    expect(because(tape, day('01-21'))).toEqual({
      sentence: 'No access since Jan 20, 2026: the payment of $9.99 was refunded on Jan 20, 2026.',
      chain: expect.arrayContaining(['RefundRecorded', 'MembershipEnded']),
    });
  });

  it('is the lost dispute; an open one changes nothing', () => {
    const open = on(bought, 'active', day('01-10'), {}, { disputes: [openedDispute('dp_1')] });
    expect(sentence(open, day('01-11'))).toMatch(/^Pro until/);
    const lost = on(
      open,
      'active',
      day('01-15'),
      {},
      {
        disputes: [openedDispute('dp_1')],
        closedDisputes: [{ disputeId: 'dp_1', outcome: 'lost', closedAt: day('01-14') }],
      },
    );
    expect(because(lost, day('01-16'))).toEqual({
      sentence: 'No access since Jan 14, 2026: the dispute was lost on Jan 14, 2026.',
      chain: expect.arrayContaining(['DisputeClosed', 'MembershipEnded']),
    });
  });

  it('is without a dispute that was lost afterwards', () => {
    const ended = on(bought, 'canceled', day('01-12'), { endedAt: day('01-12') });
    const closed = { disputeId: 'dp_1', outcome: 'lost', closedAt: day('01-14') } as const;
    const money = { disputes: [openedDispute('dp_1')], closedDisputes: [closed] };
    const lost = on(ended, 'canceled', day('01-15'), { endedAt: day('01-12') }, money);
    expect(because(lost, day('01-16'))).toEqual({
      ...because(ended, day('01-13')),
      chain: expect.not.arrayContaining(['DisputeClosed']),
    });
  });

  it('is that the purchase was handed over to another account', () => {
    const tape = change(
      bought,
      {
        type: 'TransferPurchase',
        toAccountId: ann,
        fromEmailHash: 'hash',
        intentId,
        proof: 'support',
        now: day('01-03'),
        hasOtherSubscription: false,
      },
      day('01-03'),
    );
    expect(sentence(tape, day('01-04'))).toBe(
      `No access since Jan 3, 2026: the subscription was handed over to account ${ann}.`,
    );
    expect(sentence(tape, day('01-02'))).toMatch(/^Pro until/);
  });

  it.each(['expired', 'revoked'] as const)('is that granted access is over (%s)', (cause) => {
    const granted = grant(newTape, { id: 'g1', tier: 'Pro', until: day('01-05') }, day('01-01'));
    const over = cause === 'expired' ? passTo(granted, day('01-05')) : revoke(granted, day('01-05'));
    const { quote } = explainAt(historyOf(over), day('01-06'));
    expect([sentence(over, day('01-06')), quote]).toEqual(
      cause === 'expired'
        ? ['No access since Jan 5, 2026: the access that support had granted has expired.', null]
        : ['No access since Jan 5, 2026: support has revoked the access that it had granted.', 'By mistake.'],
    );
  });
});
