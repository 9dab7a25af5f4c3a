import { describe, expect, it } from '@jest/globals';
import { annualSaving, priceText, shownPrice } from './plans.ts';

const offers = [
  { tier: 'Pro', period: 'monthly', amount: 1_250, currency: 'eur', introAmount: null },
] as const;

describe('shownPrice', () => {
  it('says the intro price, the price after it and the terms of renewal', () => {
    expect(shownPrice({ tier: 'Pro', period: 'monthly' }, [])).toEqual({
      original: '$9.99',
      note: null,
      now: '$4.99',
      after: 'first month, then $9.99 a month',
      button: 'Pay $4.99, then $9.99/month',
      renewal: '$4.99 is the price of a first purchase. Renews at $9.99 a month until you cancel.',
    });
  });

  it('shows the amount that the server will charge', () => {
    expect(shownPrice({ tier: 'Pro', period: 'monthly' }, offers).button).toBe('Pay €12.50/month');
    expect(priceText({ tier: 'Elite', period: 'annual' }, offers)).toBe('$179.99 a year');
  });
});

describe('annualSaving', () => {
  it('is the difference to twelve months in money, and unknown between two currencies', () => {
    expect(annualSaving('Pro', [])).toBe('$44.89');
    expect(annualSaving('Elite', [])).toBe('$59.89');
    expect(annualSaving('Pro', offers)).toBeNull();
  });
});
