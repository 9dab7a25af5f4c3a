import { describe, expect, it } from '@jest/globals';
import type { ActionPreview } from '@tapedeck/payments/contract';
import {
  accessChange,
  amountFormHint,
  confirmText,
  endText,
  minorUnits,
  requestText,
  typedAmount,
} from './money-words.ts';

describe('a typed amount', () => {
  it.each([
    ['4.99', 'usd', 499],
    ['4.9', 'usd', 490],
    [' 1,200 ', 'usd', 120_000],
    ['1,200.5', 'usd', 120_050],
    ['1,234,567', 'jpy', 1_234_567],
    ['1,50', 'usd', null],
    ['1,5', 'usd', null],
    ['12,34.50', 'usd', null],
    ['1.200,50', 'usd', null],
    [',500', 'usd', null],
    ['1234,567', 'usd', null],
    ['0.001', 'usd', null],
    ['0', 'usd', null],
    ['-1', 'usd', null],
    ['', 'usd', null],
    ['1e3', 'usd', null],
    ['300', 'jpy', 300],
    ['3.5', 'jpy', null],
  ])('%s of %s is %p in minor units', (text, currency, amount) => {
    expect(minorUnits(text, currency)).toBe(amount);
  });

  it.each([
    ['1,50', 'usd', 'Write decimals with a point, such as 1.50.'],
    ['1,50', 'jpy', 'Leave out the comma.'],
    ['1,200', 'usd', ''],
    ['-1', 'usd', ''],
  ])('%s of %s has the hint "%s"', (text, currency, hint) => {
    expect(amountFormHint(text, currency)).toBe(hint);
  });

  it('is what is typed for it', () => {
    expect([typedAmount(499, 'usd'), typedAmount(300, 'jpy')]).toEqual(['4.99', '300']);
  });
});

const preview = (given: Partial<ActionPreview>): ActionPreview => ({
  subscriptionId: 'sub_1',
  action: { kind: 'refund', invoiceId: 'in_1', amount: 499 },
  currency: 'usd',
  refunds: [],
  refunded: 499,
  charged: null,
  card: null,
  endsAt: null,
  access: [],
  needsApproval: false,
  limit: 20_000,
  previewId: 'p',
  expiresAt: '2027-02-03T12:15:00.000Z',
  ...given,
});

describe('what an action does', () => {
  it('is said for the subscription', () => {
    expect(endText(preview({}))).toBe('goes on');
    expect(endText(preview({ endsAt: '2027-02-03T12:00:00.000Z' }))).toBe('ends at once');
    expect(endText(preview({ endsAt: '2027-03-01T00:00:00.000Z' }))).toBe('ends on Mar 1, 2027');
  });

  it('is said for the access', () => {
    const before = { tier: 'Pro', status: 'active', until: '2027-03-01T00:00:00.000Z' };
    const after = { tier: 'Free', status: 'ended', until: null };
    expect(accessChange({ before, after })).toBe('Pro until Mar 1, 2027, then Free');
    expect(accessChange({ before, after: before })).toBe('stays Pro until Mar 1, 2027');
  });

  it('is said by the button that does it', () => {
    expect(confirmText(preview({}))).toBe('Refund $4.99');
    expect(confirmText(preview({ needsApproval: true }))).toBe('Propose: refund $4.99');
    const end = { action: { kind: 'end', refund: 'nothing' }, refunded: 0 } as const;
    expect(confirmText(preview(end))).toBe('End now');
    const retry = { action: { kind: 'retry', invoiceId: 'in_1' }, refunded: 0, charged: 999 } as const;
    expect(confirmText(preview(retry))).toBe('Charge $9.99');
  });

  it('is said while Stripe has not done it', () => {
    const request = { requestId: 'r', kind: 'refund', amount: 200, code: null };
    expect(requestText(request, 'usd')).toBe('Refund of $2.00 is under way.');
    expect(requestText({ ...request, code: 'charge_disputed' }, 'usd')).toBe(
      'Refund of $2.00 was refused by Stripe (charge_disputed).',
    );
  });
});
