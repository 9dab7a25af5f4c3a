import { describe, expect, it } from '@jest/globals';
import { deciderSpec } from '@tapedeck/eventing/testing';
import {
  day,
  elite,
  february,
  january,
  paidInvoice,
  record,
  refundOf,
  snapshot,
} from '../testing/snapshots.ts';
import { transfer } from '../testing/price-notices.ts';
import {
  after,
  ann,
  bob,
  bought,
  byAnn,
  byMail,
  claim,
  entitlementAfter,
  requestsAfter,
  typesAfter,
} from '../testing/subscription-history.ts';
import { subscriptionDecider } from './decide-subscription.ts';

const { given } = deciderSpec(subscriptionDecider);

const second = { type: 'ReturnPurchase', reason: 'second-purchase', now: day('01-02') } as const;
const close = { type: 'CloseAccount', accountId: ann, isLate: false, now: day('01-02') } as const;
const canceled = { endedAt: day('01-02'), observedAt: day('01-03') };
const refunded = (status: 'pending' | 'succeeded') =>
  record(snapshot('canceled', canceled, { refunds: [refundOf('in_1', status)] }));
const renewed = record(
  snapshot('active', { observedAt: day('02-01') }, { payments: [paidInvoice('in_2', february)] }),
);

describe('a second purchase of an account', () => {
  it('is refunded and ended, once, and gives no access any more', () => {
    expect(requestsAfter(bought, second, second)).toEqual([
      { kind: 'refund', invoiceId: 'in_1', cause: 'second-purchase' },
      { kind: 'end-now', cause: 'second-purchase' },
    ]);
    expect(entitlementAfter(bought, second)).toMatchObject({
      phase: 'ended',
      endReason: 'second-purchase',
      endedAt: day('01-02'),
    });
  });

  it('is ended by one request, also when its refund arrives first', () => {
    const refundFirst = record(
      snapshot('active', { observedAt: day('01-03') }, { refunds: [refundOf('in_1', 'succeeded')] }),
    );
    expect(requestsAfter(bought, second, refundFirst)).toHaveLength(2);
  });

  it('is completed when the money has arrived and the subscription has ended', () => {
    expect(typesAfter(bought, second, refunded('pending'))).not.toContain('PurchaseReturnCompleted');
    const done = after(bought, second, refunded('pending'), refunded('succeeded'), refunded('succeeded'));
    expect(done.filter(({ type }) => type === 'PurchaseReturnCompleted')).toMatchObject([
      { data: { reason: 'second-purchase', accountId: ann, amount: 999, currency: 'usd' } },
    ]);
  });

  it('that is charged again before it ends is refunded that, too', () => {
    expect(requestsAfter(bought, second, renewed).slice(2)).toEqual([
      { kind: 'refund', invoiceId: 'in_2', cause: 'second-purchase' },
    ]);
  });

  it('that has ended already is left as it is', () => {
    given(...after(bought, record(snapshot('canceled', canceled))))
      .when(second)
      .thenNothing();
  });
});

describe('a purchase at another price than that of its checkout', () => {
  const forElite = { ...byAnn, plan: elite };

  it('belongs to nobody, and goes back', () => {
    const other = record(snapshot(), forElite);
    expect(typesAfter(other, other)).toEqual([
      'SubscriptionObserved',
      'PaymentRecorded',
      'PurchaseReturnBegun',
      'StripeWriteRequested',
      'StripeWriteRequested',
    ]);
    expect(requestsAfter(other)).toEqual([
      { kind: 'refund', invoiceId: 'in_1', cause: 'other-price' },
      { kind: 'end-now', cause: 'other-price' },
    ]);
  });

  it('goes back also when the price belongs to no plan', () => {
    const [payment] = [paidInvoice('in_1', january, { plan: null, reason: 'subscription_create' })];
    const unknown = record(snapshot('active', { plan: null }, { payments: [payment] }), byAnn);
    expect(requestsAfter(unknown)).toHaveLength(2);
  });

  it('cannot be claimed', () => {
    given(...after(record(snapshot(), { ...byMail, plan: elite })))
      .when({ ...claim(), plan: elite })
      .thenRefused('PURCHASE_ENDED');
  });

  it.each([
    ['while it is an attempt to pay', snapshot('incomplete', {}, { payments: [] })],
    [
      'when only a later invoice is known',
      snapshot('active', {}, { payments: [paidInvoice('in_2', february)] }),
    ],
  ])('is not given back %s', (_, read) => {
    expect(requestsAfter(record(read, forElite))).toEqual([]);
  });
});

describe('a subscription of a deleted account', () => {
  it('is ended; what was paid before stays paid, and what is paid later goes back', () => {
    expect(requestsAfter(bought, close, close)).toEqual([{ kind: 'end-now', cause: 'account-closed' }]);
    expect(requestsAfter(bought, close, renewed).slice(1)).toEqual([
      { kind: 'refund', invoiceId: 'in_2', cause: 'account-closed' },
    ]);
  });

  it('goes back as a whole when it became known after the deletion', () => {
    expect(requestsAfter(bought, { ...close, isLate: true })).toEqual([
      { kind: 'refund', invoiceId: 'in_1', cause: 'account-closed' },
      { kind: 'end-now', cause: 'account-closed' },
    ]);
  });

  it('that has ended before is forgotten, and nothing else', () => {
    const ended = record(snapshot('canceled', canceled));
    expect(typesAfter(bought, ended, close).slice(-1)).toEqual(['BuyerForgotten']);
  });
});

describe('a subscription that a deleted account pays for another one', () => {
  const closeBob = { ...close, accountId: bob } as const;

  it('ends with its period, and its owner keeps it until then', () => {
    expect(typesAfter(bought, transfer, close, close).slice(-2)).toEqual([
      'BuyerForgotten',
      'StripeWriteRequested',
    ]);
    expect(requestsAfter(bought, transfer, close)).toEqual([{ kind: 'cancel', reason: null }]);
    expect(entitlementAfter(bought, transfer, close)).toMatchObject({ accountId: bob, phase: 'active' });
  });

  it('is forgotten only where it ends anyway', () => {
    const ending = record(snapshot('active', { cancelAtPeriodEnd: true, observedAt: day('01-13') }));
    expect(typesAfter(bought, transfer, ending, close).at(-1)).toBe('BuyerForgotten');
  });

  it('is ended at once when its owner deletes the account, too, whichever of them is first', () => {
    for (const closings of [
      [close, closeBob],
      [closeBob, close],
    ]) {
      const events = after(bought, transfer, ...closings);
      expect(events.filter(({ type }) => type === 'BuyerForgotten')).toHaveLength(2);
      expect(requestsAfter(bought, transfer, ...closings)).toContainEqual({
        kind: 'end-now',
        cause: 'account-closed',
      });
    }
  });

  it('does not concern a former owner that has paid nothing', () => {
    const byBrowser = { ...claim(bob), proof: 'browser' } as const;
    const taken = [record(snapshot(), byMail), claim(), byBrowser] as const;
    expect(typesAfter(...taken, close)).toEqual(typesAfter(...taken));
  });
});
