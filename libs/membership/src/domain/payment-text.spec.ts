import { describe, expect, it } from '@jest/globals';
import { recordedEvent } from '@tapedeck/eventing/testing';
import { accountId, derivedId } from '@tapedeck/kernel';
import type { SubscriptionEvent } from '@tapedeck/payments/events';
import { ann, day } from '../testing/entitlements.ts';
import { paymentLines } from './payment-text.ts';

const bob = accountId(derivedId('bob'));
const about = { subscriptionId: 'sub_1' };
const pro = { tier: 'Pro', period: 'monthly' } as const;
const money = { currency: 'usd', chargeId: 'ch_1' };

const payment = (invoiceId: string, amountPaid: number, reason: string): SubscriptionEvent => ({
  type: 'PaymentRecorded',
  data: {
    ...about,
    ...money,
    invoiceId,
    amountPaid,
    reason,
    plan: pro,
    periodStart: day('01-01'),
    periodEnd: day('02-01'),
    paymentIntentId: null,
    paidAt: day('01-01'),
  },
});
const refund = (status: 'pending' | 'succeeded' | 'failed'): SubscriptionEvent => ({
  type: 'RefundRecorded',
  data: {
    ...about,
    ...money,
    refundId: 're_1',
    invoiceId: 'in_1',
    amount: 499,
    status,
    refundedAt: day('01-05'),
  },
});
const failure = (nextAttemptAt: string | null): SubscriptionEvent => ({
  type: 'PaymentFailed',
  data: {
    ...about,
    invoiceId: 'in_2',
    attempt: 1,
    nextAttemptAt,
    needsAction: false,
    failedAt: day('02-01'),
  },
});

const linesFor = (account: typeof ann, events: readonly SubscriptionEvent[]): readonly string[] => {
  const metadata = { occurredAt: day('03-01') };
  const stream = events.map((event, index) => recordedEvent(event, { version: index + 1, metadata }));
  return paymentLines(stream, account).map(({ text }) => text);
};

const claimed: SubscriptionEvent = {
  type: 'PaymentClaimed',
  data: { ...about, intentId: 'intent-1', accountId: ann, proof: 'mailbox' },
};
const transferred: SubscriptionEvent = {
  type: 'PaymentTransferred',
  data: {
    ...about,
    intentId: 'intent-1',
    fromAccountId: ann,
    fromEmailHash: 'hash',
    toAccountId: bob,
    proof: 'mailbox',
  },
};

describe('the lines of payments', () => {
  it('say what was paid, failed, refunded, disputed and claimed', () => {
    const dispute = {
      disputeId: 'dp_1',
      chargeId: 'ch_1',
      amount: 1_999,
      currency: 'usd',
      reason: 'fraudulent',
      evidenceDueBy: null,
      openedAt: day('01-10'),
    };
    const closed = { ...about, disputeId: 'dp_1', outcome: 'won', closedAt: day('01-20') } as const;
    expect(
      linesFor(ann, [
        payment('in_1', 499, 'subscription_create'),
        claimed,
        refund('pending'),
        refund('succeeded'),
        refund('failed'),
        { type: 'DisputeOpened', data: { ...about, ...dispute } },
        { type: 'DisputeClosed', data: closed },
        failure(day('02-04')),
        failure(null),
        payment('in_3', 0, 'subscription_update'),
      ]),
    ).toEqual([
      'Paid $4.99 for Pro (monthly), first payment',
      'You claimed your purchase by the code that was sent to its address',
      'A refund of $4.99 for Pro (monthly) is on its way',
      'Refunded $4.99 for Pro (monthly)',
      'The refund of $4.99 for Pro (monthly) failed: the payment stands',
      'Your bank was asked to take back a payment of $19.99',
      'The dispute is closed: the payment stands',
      'A payment failed: it is tried again on Feb 4, 2026',
      'A payment failed, and it is not tried again',
      'Nothing to pay for Pro (monthly), change of plan',
    ]);
  });

  it('show each owner the time in which they have owned the subscription', () => {
    const stream = [
      payment('in_1', 499, 'subscription_create'),
      claimed,
      transferred,
      payment('in_2', 999, 'subscription_cycle'),
    ];
    expect(linesFor(ann, stream)).toEqual([
      'Paid $4.99 for Pro (monthly), first payment',
      'You claimed your purchase by the code that was sent to its address',
    ]);
    expect(linesFor(bob, stream)).toEqual([
      'You took over a purchase that was paid by another account',
      'Paid $9.99 for Pro (monthly), renewal',
    ]);
  });
});
