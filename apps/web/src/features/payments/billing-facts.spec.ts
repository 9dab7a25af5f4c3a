import { describe, expect, it } from '@jest/globals';
import { announcedText, billingFacts, isCardExpiring, type Subscription } from './billing-facts.ts';

const subscription: Subscription = {
  subscriptionId: 'sub_1',
  tier: 'Pro',
  period: 'monthly',
  amount: 999,
  currency: 'usd',
  addsTaxes: false,
  nextAmount: 1_999,
  nextChargeAt: '2027-03-03T00:00:00.000Z',
  endsAt: null,
  isPeriodPaid: true,
  isDue: false,
  scheduledPlan: null,
  announcedPrice: null,
  pendingPlan: null,
  card: { brand: 'visa', last4: '4242', expMonth: 2, expYear: 2027 },
  pastDueSince: null,
  nextAttemptAt: null,
  isDisputed: false,
  isPaidByAnother: false,
  needsConfirmation: false,
  processing: null,
  refused: null,
};

describe('billingFacts', () => {
  it('says the price now and the next one, and no next charge after a cancellation', () => {
    expect(billingFacts(subscription)).toEqual([
      ['Plan', 'Pro, monthly'],
      ['Price', '$9.99 a month'],
      ['Next charge', '$19.99 on Mar 3, 2027'],
      ['Card', 'Visa ending in 4242, expires 2/2027'],
    ]);
    const ending = billingFacts({ ...subscription, endsAt: '2027-03-03T00:00:00.000Z' });
    expect(ending.map(([name]) => name)).toEqual(['Plan', 'Price', 'Card']);
  });

  it('says no next charge while a renewal is unpaid', () => {
    const unpaid = billingFacts({ ...subscription, isDue: true });
    expect(unpaid.map(([name]) => name)).toEqual(['Plan', 'Price', 'Card']);
  });

  it('says that taxes are added to both amounts, where they are', () => {
    expect(billingFacts({ ...subscription, addsTaxes: true }).slice(1, 3)).toEqual([
      ['Price', '$9.99 a month plus taxes'],
      ['Next charge', '$19.99 plus taxes on Mar 3, 2027'],
    ]);
  });
});

describe('announcedText', () => {
  it('says both prices and from when, and nothing while the price stays', () => {
    const announcedPrice = { amount: 1_499, from: '2027-03-01T09:30:00.000Z' };
    expect(announcedText({ ...subscription, announcedPrice })).toBe(
      'Your plan costs $9.99 a month. From Mar 1, 2027 it costs $14.99.',
    );
    expect(announcedText(subscription)).toBeUndefined();
    expect(announcedText({ ...subscription, announcedPrice, addsTaxes: true }, 'This subscription')).toBe(
      'This subscription costs $9.99 a month plus taxes. From Mar 1, 2027 it costs $14.99 plus taxes.',
    );
  });
});

describe('isCardExpiring', () => {
  it('is true when the card is valid no longer on the day of the next charge', () => {
    expect(isCardExpiring(subscription)).toBe(true);
    expect(isCardExpiring({ ...subscription, nextChargeAt: '2027-02-28T23:00:00.000Z' })).toBe(false);
  });
});
