import { describe, expect, it } from '@jest/globals';
import { paidPlans, priceOf } from '@tapedeck/plans/contract';
import { priceText, shownPrice } from './plans.ts';

const offers = paidPlans.map((plan) => {
  const { amount, introAmount } = priceOf(plan);
  return { ...plan, amount, introAmount, currency: 'usd' };
});
const inEuros = [
  { tier: 'Pro', period: 'monthly', amount: 1_250, currency: 'eur', introAmount: null },
] as const;

describe('shownPrice', () => {
  it('says the intro price, the price after it and the terms of renewal', () => {
    expect(shownPrice({ tier: 'Pro', period: 'monthly' }, offers)).toEqual({
      original: '$9.99',
      note: null,
      now: '$4.99',
      after: 'first month, then $9.99 a month',
      button: 'Pay $4.99, then $9.99/month',
      renewal: '$4.99 is the price of a first purchase. Renews at $9.99 a month until you cancel.',
    });
  });

  it.each([
    ['Pro', 'annual', '$119.88', '$74.99', 'save 25%'],
    ['Elite', 'monthly', null, '$19.99', '$49.99 in 2026'],
    ['Elite', 'annual', '$239.88', '$179.99', 'save 25%'],
  ] as const)('says the price of %s, %s', (tier, period, original, now, note) => {
    expect(shownPrice({ tier, period }, offers)).toMatchObject({ original, now, note });
  });

  it('strikes through no price that is charged, and says nothing of the catalogue beside another price', () => {
    const returning = offers.map((offer) => ({ ...offer, introAmount: null }));
    expect(shownPrice({ tier: 'Pro', period: 'monthly' }, returning)).toMatchObject({
      original: null,
      now: '$9.99',
      after: 'a month',
      button: 'Pay $9.99/month',
      renewal: 'Renews at $9.99 a month until you cancel.',
    });
    const own = offers.map((offer) => ({ ...offer, amount: offer.amount - 500 }));
    expect(shownPrice({ tier: 'Elite', period: 'annual' }, own)).toMatchObject({
      original: null,
      now: '$174.99',
      note: null,
    });
    expect(shownPrice({ tier: 'Pro', period: 'monthly' }, inEuros)).toMatchObject({ original: null });
  });

  it('shows the amount that the server will charge', () => {
    expect(shownPrice({ tier: 'Pro', period: 'monthly' }, inEuros)?.button).toBe('Pay €12.50/month');
    expect(priceText({ tier: 'Elite', period: 'annual' }, offers)).toBe('$179.99 a year');
  });

  it('shows no price that the server has not said', () => {
    expect(shownPrice({ tier: 'Elite', period: 'annual' }, inEuros)).toBeUndefined();
    expect(priceText({ tier: 'Elite', period: 'annual' }, inEuros)).toBe('');
  });
});
