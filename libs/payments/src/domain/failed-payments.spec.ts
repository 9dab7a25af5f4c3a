import { describe, expect, it } from '@jest/globals';
import { recordedEvent } from '@tapedeck/eventing/testing';
import { day, failure, february, paidInvoice, record, snapshot } from '../testing/snapshots.ts';
import { after, ann, bob, bought, byMail, claim } from '../testing/subscription-history.ts';
import type { SubscriptionCommand } from './decide-subscription.ts';
import { failedPayments, unpaidReason, type FailedPayment } from './failed-payments.ts';

const failedAfter = (commands: readonly SubscriptionCommand[], account = ann): readonly FailedPayment[] =>
  failedPayments(
    after(...commands).map((event, index) =>
      recordedEvent(event, { version: index + 1, metadata: { occurredAt: day('02-05') } }),
    ),
    account,
  );

const attempt = (
  number: number,
  nextAttemptAt: string | null,
  declineCode: string | null = null,
): SubscriptionCommand =>
  record(
    snapshot(
      'past_due',
      { observedAt: day(`02-0${number}`), amount: 1_250 },
      { failures: [{ ...failure('in_2', number, nextAttemptAt), declineCode }] },
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
    expect(failedAfter([bought, attempt(1, day('02-04'), 'expired_card')])).toEqual([
      {
        invoiceId: 'in_2',
        attempt: 1,
        at: day('02-01'),
        amount: 1_250,
        billingReason: 'subscription_cycle',
        currency: 'usd',
        plan: { tier: 'Pro', period: 'monthly' },
        reason: 'The card has expired: we try again on Feb 4, 2026.',
      },
    ]);
  });

  it('say of each attempt only what is true of it', () => {
    const reasons = (commands: readonly SubscriptionCommand[]): readonly string[] =>
      failedAfter(commands).map(({ reason }) => reason);
    const both = [bought, attempt(1, day('02-04'), 'insufficient_funds'), attempt(2, null)];
    expect(reasons(both)).toEqual([
      'The card does not have enough money on it.',
      'The card was declined, and it is not tried again.',
    ]);
    expect(failedAfter(both).map(({ at }) => at)).toEqual([day('02-01'), day('02-05')]);
    expect(reasons([...both, paidLater])).toEqual([
      'The card does not have enough money on it; paid on Feb 6, 2026.',
      'The card was declined; paid on Feb 6, 2026.',
    ]);
  });

  it('name what was to be charged, with discounts and taxes, and for what', () => {
    const reason = 'subscription_update';
    const declined = { ...failure('in_2', 1, null), amount: 1_498, reason };
    const taxed = snapshot('past_due', { amount: 1_250 }, { failures: [declined] });
    expect(failedAfter([bought, record(taxed)])).toMatchObject([{ amount: 1_498, billingReason: reason }]);
  });

  it('name no amount that is not recorded', () => {
    const first = snapshot('incomplete', {}, { payments: [], failures: [failure('in_1', 1, null)] });
    expect(
      failedAfter([
        record(first, { intentId: 'intent-1', accountId: ann, plan: { tier: 'Pro', period: 'monthly' } }),
      ]),
    ).toEqual([expect.objectContaining({ invoiceId: 'in_1', amount: null })]);
  });

  it('say nothing of the card of another person', () => {
    const byCode = [record(snapshot(), byMail), claim(), attempt(1, null, 'insufficient_funds')];
    expect(failedAfter(byCode)).toMatchObject([
      { reason: 'The card was declined, and it is not tried again.' },
    ]);
  });

  it('are shown to the owner alone', () => {
    expect(failedAfter([bought, attempt(1, null)], bob)).toEqual([]);
  });
});

describe('the reason why a subscription is unpaid', () => {
  const reasonAfter = (...commands: readonly SubscriptionCommand[]): string | null =>
    unpaidReason(after(...commands));

  it('is that of the newest attempt, until it is paid', () => {
    expect(reasonAfter(bought)).toBeNull();
    const first = attempt(1, day('02-04'), 'insufficient_funds');
    expect(reasonAfter(bought, first)).toBe('the card does not have enough money on it');
    const second = attempt(2, null, 'expired_card');
    expect(reasonAfter(bought, first, second)).toBe('the card has expired');
    expect(reasonAfter(bought, first, second, paidLater)).toBeNull();
  });
});
