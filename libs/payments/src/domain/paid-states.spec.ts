import { describe, expect, it } from '@jest/globals';
import { openedDispute, paidInvoice, january, subscriptionId } from '../testing/snapshots.ts';
import { disputeStates, paidStateOf } from './paid-states.ts';
import type { SubscriptionEvent } from './subscription-events.ts';

const paid: SubscriptionEvent = {
  type: 'PaymentRecorded',
  data: { subscriptionId, ...paidInvoice('in_1', january) },
};
const unread: SubscriptionEvent = {
  type: 'PaymentRecorded',
  data: { subscriptionId, ...paidInvoice('in_2', january, { chargeId: null }) },
};
const opened = (disputeId: string, given: object = {}): SubscriptionEvent => ({
  type: 'DisputeOpened',
  data: { subscriptionId, ...openedDispute(disputeId), ...given },
});
const closed = (disputeId: string, outcome: 'won' | 'lost'): SubscriptionEvent => ({
  type: 'DisputeClosed',
  data: { subscriptionId, disputeId, outcome, closedAt: '2026-01-20T00:00:00.000Z' },
});

const states = (...events: readonly SubscriptionEvent[]) => Object.fromEntries(disputeStates(events));

describe('the disputes about payments', () => {
  it('are found by the invoice, and in older events by the charge', () => {
    expect(states(paid, unread, opened('dp_1'))).toEqual({ in_1: 'open' });
    expect(states(paid, unread, opened('dp_1', { chargeId: 'ch_9', invoiceId: 'in_2' }))).toEqual({
      in_2: 'open',
    });
    expect(states(unread, opened('dp_1', { chargeId: 'ch_9' }))).toEqual({});
  });

  it('are over when they are won, also after an appeal and in another order', () => {
    expect(states(paid, opened('dp_1'), closed('dp_1', 'lost'))).toEqual({ in_1: 'lost' });
    expect(states(paid, opened('dp_1'), closed('dp_1', 'lost'), closed('dp_1', 'won'))).toEqual({
      in_1: 'over',
    });
    expect(states(closed('dp_1', 'won'), opened('dp_1'), paid)).toEqual({ in_1: 'over' });
  });

  it('count by the worst of several', () => {
    expect(states(paid, opened('dp_1'), opened('dp_2'), closed('dp_1', 'won'))).toEqual({ in_1: 'open' });
    expect(states(paid, opened('dp_1'), opened('dp_2'), closed('dp_1', 'lost'))).toEqual({ in_1: 'lost' });
  });
});

describe('the state of a payment', () => {
  it.each([
    [{ amount: 999, refunded: 0, dispute: undefined }, 'paid'],
    [{ amount: 999, refunded: 0, dispute: 'over' }, 'paid'],
    [{ amount: 0, refunded: 0, dispute: undefined }, 'paid'],
    [{ amount: 999, refunded: 100, dispute: undefined }, 'partly-refunded'],
    [{ amount: 999, refunded: 999, dispute: 'over' }, 'refunded'],
    [{ amount: 999, refunded: 999, dispute: 'open' }, 'disputed'],
    [{ amount: 999, refunded: 999, dispute: 'lost' }, 'charged-back'],
  ] as const)('of %j is %s', (payment, state) => {
    expect(paidStateOf(payment)).toBe(state);
  });
});
