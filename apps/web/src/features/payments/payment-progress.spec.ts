import { describe, expect, it } from '@jest/globals';
import { paymentProgress, pollIntervalMs, type PaymentFacts } from './payment-progress.ts';

const facts: PaymentFacts = {
  sessionId: 'cs_1',
  verification: { state: 'paid', claimed: true, canTakeOver: false, isOwner: true, grantedTier: 'Pro' },
  hasError: false,
  membership: { tier: 'Pro', active: true },
  waitedMs: 0,
};

type Said = NonNullable<PaymentFacts['verification']>;

const said = (verification: Partial<Said>): Pick<PaymentFacts, 'verification'> => ({
  verification: {
    state: 'paid',
    claimed: false,
    canTakeOver: false,
    isOwner: false,
    grantedTier: null,
    ...verification,
  },
});
const unpaid = said({ state: 'processing' });
const free = { tier: 'Free', active: true } as const;

describe('paymentProgress', () => {
  it.each<[string, Partial<PaymentFacts>, string]>([
    ['without a session in the address', { sessionId: null }, 'error'],
    ['before the first answer', { verification: undefined }, 'loading'],
    ['when the payment cannot be verified', { verification: undefined, hasError: true }, 'error'],
    ['while it is not paid', unpaid, 'processing'],
    ['while it is not paid for long', { ...unpaid, waitedMs: 30_001 }, 'delayed'],
    ['after a refused payment', said({ state: 'failed' }), 'failed'],
    ['after an abandoned checkout', said({ state: 'expired' }), 'failed'],
    ['after one that goes back', said({ state: 'returned', claimed: true }), 'returned'],
    [
      'when another account has claimed what this browser paid',
      said({ claimed: true, canTakeOver: true }),
      'taken',
    ],
    ['without an owner', said({}), 'paid'],
    ['when it has an owner who is not signed in', said({ claimed: true }), 'owned'],
    ['before the membership is known', { membership: undefined }, 'processing'],
    ['while the membership follows', { membership: free }, 'processing'],
    ['while the membership follows for long', { membership: free, waitedMs: 30_001 }, 'received'],
    ['once the membership is there', {}, 'active'],
    ['with a higher tier from elsewhere', { membership: { tier: 'Elite', active: true } }, 'active'],
    ['with a tier that is not active', { membership: { tier: 'Pro', active: false } }, 'processing'],
    [
      'when the purchase gives nothing any more',
      { ...said({ claimed: true, isOwner: true }), membership: free },
      'received',
    ],
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
