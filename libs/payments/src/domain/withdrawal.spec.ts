import { describe, expect, it } from '@jest/globals';
import { stateAfter } from '@tapedeck/eventing';
import {
  day,
  elite,
  january,
  openedDispute,
  paidInvoice,
  record,
  refundOf,
  snapshot,
} from '../testing/snapshots.ts';
import { after, ann, bob, bought, entitlementAfter, requestsAfter } from '../testing/subscription-history.ts';
import { type SubscriptionCommand, subscriptionDecider } from './decide-subscription.ts';
import { withdrawableOf, type WithdrawFromContract, type Withdrawable } from './withdrawal.ts';

const withdraw = (now: string, given: Partial<WithdrawFromContract> = {}): WithdrawFromContract => ({
  type: 'WithdrawFromContract',
  accountId: ann,
  days: 14,
  now,
  ...given,
});
const withdrawableAfter = (
  now: string,
  ...commands: readonly SubscriptionCommand[]
): Withdrawable | undefined =>
  withdrawableOf(stateAfter(subscriptionDecider, after(...commands)), { days: 14, now });
const endOfPeriod = '2026-01-17T00:00:00.000Z';
const lastMoment = '2026-01-16T23:59:59.999Z';

describe('a withdrawal from a contract', () => {
  it('ends it at once and gives back all that was paid, with the time at which it was received', () => {
    const now = '2026-01-05T09:05:03.123Z';
    const [begun] = after(bought, withdraw(now)).filter(({ type }) => type === 'PurchaseReturnBegun');
    expect(begun?.data).toMatchObject({ reason: 'withdrawn', accountId: ann, keeps: [], begunAt: now });
    expect(requestsAfter(bought, withdraw(now))).toEqual([
      { kind: 'refund', invoiceId: 'in_1', cause: 'withdrawn' },
      { kind: 'end-now', cause: 'withdrawn' },
    ]);
    expect(entitlementAfter(bought, withdraw(now))).toMatchObject({
      phase: 'ended',
      endReason: 'withdrawn',
      endedAt: now,
    });
  });

  it('gives back an upgrade too, also one that becomes known later', () => {
    const upgrade = paidInvoice('in_2', [day('01-03'), january[1]], { plan: elite, amountPaid: 500 });
    const upgraded = record(
      snapshot(
        'active',
        { plan: elite, observedAt: day('01-03') },
        { payments: [...snapshot().payments, upgrade] },
      ),
    );
    const refunds = (...commands: readonly SubscriptionCommand[]): readonly unknown[] =>
      requestsAfter(...commands).flatMap((one) => (one.kind === 'refund' ? [one.invoiceId] : []));
    expect(refunds(bought, upgraded, withdraw(day('01-05')))).toEqual(['in_2', 'in_1']);
    expect(refunds(bought, withdraw(day('01-03')), upgraded)).toEqual(['in_1', 'in_2']);
    expect(withdrawableAfter(day('01-05'), bought, upgraded)?.amount).toBe(1_499);
  });

  it('is possible until the end of the fourteenth day after the purchase, and a day more for every time zone', () => {
    expect(withdrawableAfter(lastMoment, bought)).toMatchObject({
      paidAt: day('01-01'),
      until: endOfPeriod,
      amount: 999,
    });
    expect(withdrawableAfter(endOfPeriod, bought)).toBeUndefined();
    expect(after(bought, withdraw(lastMoment)).length).toBeGreaterThan(after(bought).length);
    expect(() => after(bought, withdraw(endOfPeriod))).toThrow(
      expect.objectContaining({ code: 'WITHDRAWAL_NOT_POSSIBLE' }),
    );
  });

  it('counts from the first payment: a renewal is the same contract', () => {
    const renewal = paidInvoice('in_2', [day('02-01'), day('03-01')]);
    const payments = [...snapshot().payments, renewal];
    const renewed = record(snapshot('active', { observedAt: day('02-01') }, { payments }));
    expect(withdrawableAfter(day('02-02'), bought, renewed)).toBeUndefined();
  });

  it('is not possible where it is not offered', () => {
    expect(() => after(bought, withdraw(day('01-02'), { days: 0 }))).toThrow(
      expect.objectContaining({ code: 'WITHDRAWAL_NOT_POSSIBLE' }),
    );
  });

  it('is for the owner only', () => {
    for (const commands of [[withdraw(day('01-02'))], [bought, withdraw(day('01-02'), { accountId: bob })]])
      expect(() => after(...commands)).toThrow(expect.objectContaining({ code: 'SUBSCRIPTION_NOT_FOUND' }));
  });

  it('changes nothing when it is made twice, also after the period', () => {
    const once = after(bought, withdraw(day('01-02')));
    expect(after(bought, withdraw(day('01-02')), withdraw(day('01-03')), withdraw(endOfPeriod))).toEqual(
      once,
    );
  });

  it('is not possible when all of the payment is refunded, or goes back for another reason', () => {
    const refunds = [refundOf('in_1', 'succeeded')];
    const refunded = record(snapshot('active', { observedAt: day('01-03') }, { refunds }));
    const returned = { type: 'ReturnPurchase', reason: 'second-purchase', now: day('01-02') } as const;
    for (const before of [refunded, returned])
      expect(() => after(bought, before, withdraw(day('01-04')))).toThrow(
        expect.objectContaining({ code: 'WITHDRAWAL_NOT_POSSIBLE' }),
      );
  });

  it('is possible for what was cancelled, or has ended with a part of it refunded', () => {
    const cancelled = record(snapshot('active', { cancelAtPeriodEnd: true, observedAt: day('01-03') }));
    expect(withdrawableAfter(day('01-04'), bought, cancelled)).toBeDefined();
    const refunds = [refundOf('in_1', 'succeeded', 100)];
    const ended = record(
      snapshot('canceled', { endedAt: day('01-03'), observedAt: day('01-03') }, { refunds }),
    );
    expect(requestsAfter(bought, ended, withdraw(day('01-04')))).toEqual([
      { kind: 'refund', invoiceId: 'in_1', cause: 'withdrawn' },
    ]);
    expect(withdrawableAfter(day('01-04'), bought, ended)).toMatchObject({ amount: 899, hasEnded: true });
  });

  it('names what is left of a payment that was refunded in part', () => {
    const refunds = [refundOf('in_1', 'succeeded', 500)];
    const refunded = record(snapshot('active', { observedAt: day('01-03') }, { refunds }));
    expect(withdrawableAfter(day('01-04'), bought, refunded)).toMatchObject({
      amount: 499,
      hasEnded: false,
      isDisputed: false,
    });
  });
});

describe('a withdrawal during a dispute', () => {
  const seen = { observedAt: day('01-10') };
  const disputes = [openedDispute('dp_1')];
  const disputed = record(snapshot('active', seen, { disputes }));
  const closed = (outcome: 'won' | 'lost'): SubscriptionCommand =>
    record(
      snapshot(
        'active',
        { observedAt: day('01-11') },
        { disputes, closedDisputes: [{ disputeId: 'dp_1', outcome, closedAt: day('01-11') }] },
      ),
    );

  it('is possible, and promises no money while the bank decides about it', () => {
    expect(withdrawableAfter(day('01-12'), bought, disputed)).toMatchObject({ amount: 0, isDisputed: true });
  });

  it('promises the money of another payment', () => {
    const upgrade = paidInvoice('in_2', [day('01-03'), january[1]], { plan: elite, amountPaid: 500 });
    const upgraded = record(
      snapshot('active', { plan: elite, ...seen }, { payments: [...snapshot().payments, upgrade], disputes }),
    );
    expect(withdrawableAfter(day('01-12'), bought, upgraded)).toMatchObject({
      amount: 500,
      isDisputed: true,
    });
  });

  it('gives back all of it once the bank has decided against the buyer, and nothing that was charged back', () => {
    expect(withdrawableAfter(day('01-12'), bought, disputed, closed('won'))).toMatchObject({
      amount: 999,
      isDisputed: false,
    });
    expect(withdrawableAfter(day('01-12'), bought, disputed, closed('lost'))).toBeUndefined();
  });
});
