import { describe, expect, it } from '@jest/globals';
import { paymentProgress, pollIntervalMs, type PaymentFacts } from './payment-progress.ts';

const facts: PaymentFacts = {
  sessionId: 'cs_1',
  verification: { state: 'paid', claimed: true, canTakeOver: false },
  hasError: false,
  isSignedIn: true,
  hasAccess: true,
  waitedMs: 0,
};

const unpaid = { state: 'processing', claimed: false, canTakeOver: false } as const;

describe('paymentProgress', () => {
  it.each<[string, Partial<PaymentFacts>, string]>([
    ['without a session in the address', { sessionId: null }, 'error'],
    ['before the first answer', { verification: undefined }, 'loading'],
    ['when the payment cannot be verified', { verification: undefined, hasError: true }, 'error'],
    ['while it is not paid', { verification: unpaid }, 'processing'],
    ['while it is not paid for long', { verification: unpaid, waitedMs: 30_001 }, 'delayed'],
    [
      'after a refused payment',
      { verification: { state: 'failed', claimed: false, canTakeOver: false } },
      'failed',
    ],
    [
      'after an abandoned checkout',
      { verification: { state: 'expired', claimed: false, canTakeOver: false } },
      'failed',
    ],
    [
      'after one that goes back',
      { verification: { state: 'returned', claimed: true, canTakeOver: false } },
      'returned',
    ],
    [
      'when another account has it',
      { verification: { state: 'paid', claimed: true, canTakeOver: true } },
      'taken',
    ],
    ['for a visitor', { isSignedIn: false, hasAccess: false }, 'paid'],
    ['without an owner', { verification: { state: 'paid', claimed: false, canTakeOver: false } }, 'paid'],
    ['while the membership follows', { hasAccess: false }, 'processing'],
    ['while the membership follows for long', { hasAccess: false, waitedMs: 40_000 }, 'delayed'],
    ['once the membership is there', {}, 'active'],
    ['when a later poll fails', { hasError: true }, 'active'],
  ])('%s', (_when, changed, expected) => {
    expect(paymentProgress({ ...facts, ...changed })).toBe(expected);
  });
});

describe('pollIntervalMs', () => {
  it('grows with the time waited', () => {
    expect([0, 10_000, 60_000].map(pollIntervalMs)).toEqual([1_000, 3_000, 15_000]);
  });
});
