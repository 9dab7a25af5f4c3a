import { describe, expect, it } from '@jest/globals';
import { newId } from '@tapedeck/kernel';
import type { Plan } from '@tapedeck/plans/contract';
import { openStripeInProcess } from '@tapedeck/sandbox/testing';
import { stripeReads } from './reads.ts';
import { stripeRequests } from './requests.ts';

const plan: Plan = { tier: 'Pro', period: 'monthly' };
const prices = [{ ...plan, priceId: 'price_pro_monthly' }];

/** A subscription that has been paid for some years. */
const paidFor = async (years: number) => {
  const { stripe, now, pay, advance } = openStripeInProcess(Date.parse('2021-01-15T12:00:00Z'));
  const options = { stripe, prices, clock: { now } };
  const reads = stripeReads(options);
  const { sessionId } = await stripeRequests({ ...options, introCoupon: undefined }).createSession({
    key: newId(),
    intentId: newId(),
    plan,
    email: 'x@example.com',
    customerId: null,
    intro: false,
    successUrl: 'http://127.0.0.1/done',
    cancelUrl: 'http://127.0.0.1/pricing',
  });
  pay(sessionId);
  const id = (await reads.readSession(sessionId))?.subscriptionId ?? '';
  advance(Date.UTC(2021 + years, 0, 16));
  const requests: string[] = [];
  stripe.on('request', ({ path }: Readonly<{ path: string }>) => requests.push(path));
  return { reads, id, requests };
};

describe('a snapshot of a subscription', () => {
  it.each(['newest', 'all'] as const)(
    'is three requests at most, however many payments there are (%s)',
    async (scope) => {
      const { reads, id, requests } = await paidFor(5);
      const snapshot = await reads.readSubscription(id, scope);
      expect(snapshot?.payments).toHaveLength(scope === 'all' ? 61 : 1);
      expect(requests.length).toBeLessThanOrEqual(3);
    },
  );
});
