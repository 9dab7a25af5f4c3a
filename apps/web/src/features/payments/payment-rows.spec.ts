import { describe, expect, it } from '@jest/globals';
import { paymentRows } from './payment-rows.ts';

describe('paymentRows', () => {
  it('has what was paid and what has failed in one list, the newest first', () => {
    const paid = {
      amount: 999,
      refunded: 0,
      currency: 'usd',
      text: 'Pro monthly, renewal',
      state: 'paid',
      hasInvoice: true,
    } as const;
    const failed = { amount: 999, currency: 'usd', text: 'Pro monthly, renewal', reason: 'It failed.' };
    const rows = paymentRows({
      payments: [
        { ...paid, invoiceId: 'in_2', at: '2026-02-06T00:00:00.000Z', state: 'disputed' },
        { ...paid, invoiceId: 'in_1', at: '2026-01-01T00:00:00.000Z', amount: 499, hasInvoice: false },
      ],
      failedPayments: [{ ...failed, invoiceId: 'in_2', attempt: 1, at: '2026-02-01T00:00:00.000Z' }],
    });
    expect(
      rows.map(({ key, amount, failure, state, invoiceId }) => [key, amount, failure, state, invoiceId]),
    ).toEqual([
      ['in_2', 999, null, 'disputed', 'in_2'],
      ['in_2 1', 999, 'It failed.', 'failed', null],
      ['in_1', 499, null, 'paid', null],
    ]);
  });
});
