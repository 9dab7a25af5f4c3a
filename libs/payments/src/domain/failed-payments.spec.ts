import { describe, expect, it } from '@jest/globals';
import { recordedEvent } from '@tapedeck/eventing/testing';
import { day, failure, february, paidInvoice, record, snapshot } from '../testing/snapshots.ts';
import { after, ann, bob, bought } from '../testing/subscription-history.ts';
import type { SubscriptionCommand } from './decide-subscription.ts';
import { failedPayments, type FailedPayment } from './failed-payments.ts';

const failedAfter = (commands: readonly SubscriptionCommand[], account = ann): readonly FailedPayment[] =>
  failedPayments(
    after(...commands).map((event, index) =>
      recordedEvent(event, { version: index + 1, metadata: { occurredAt: day('02-05') } }),
    ),
    account,
  );

const attempt = (number: number, nextAttemptAt: string | null): SubscriptionCommand =>
  record(
    snapshot(
      'past_due',
      { observedAt: day(`02-0${number}`), amount: 1_250 },
      { failures: [failure('in_2', number, nextAttemptAt)] },
    ),
  );
const paidLater = record(
  snapshot(
    'active',
    { observedAt: day('02-06'), amount: 1_250 },
    { payments: [paidInvoice('in_2', february, { amountPaid: 1_250, paidAt: day('02-06') })] },
  ),
);

describe('the failed payments of a member', () => {
  it('have amount, date, reason and what comes next', () => {
    expect(failedAfter([bought, attempt(1, day('02-04'))])).toEqual([
      {
        invoiceId: 'in_2',
        attempt: 1,
        at: day('02-01'),
        amount: 1_250,
        currency: 'usd',
        plan: { tier: 'Pro', period: 'monthly' },
        reason: 'The payment method could not be charged: we try again on Feb 4, 2026.',
      },
    ]);
  });

  it('say of each attempt only what is true of it', () => {
    const reasons = (commands: readonly SubscriptionCommand[]): readonly string[] =>
      failedAfter(commands).map(({ reason }) => reason);
    const both = [bought, attempt(1, day('02-04')), attempt(2, null)];
    expect(reasons(both)).toEqual([
      'The payment method could not be charged.',
      'The payment method could not be charged, and it is not tried again.',
    ]);
    expect(failedAfter(both).map(({ at }) => at)).toEqual([day('02-01'), day('02-05')]);
    const paid = 'The payment method could not be charged; paid on Feb 6, 2026.';
    expect(reasons([...both, paidLater])).toEqual([paid, paid]);
  });

  it('name no amount that is not recorded', () => {
    const first = snapshot('incomplete', {}, { payments: [], failures: [failure('in_1', 1, null)] });
    expect(
      failedAfter([
        record(first, { intentId: 'intent-1', accountId: ann, plan: { tier: 'Pro', period: 'monthly' } }),
      ]),
    ).toEqual([expect.objectContaining({ invoiceId: 'in_1', amount: null })]);
  });

  it('are shown to the owner alone', () => {
    expect(failedAfter([bought, attempt(1, null)], bob)).toEqual([]);
  });
});
