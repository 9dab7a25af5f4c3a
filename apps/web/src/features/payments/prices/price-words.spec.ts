import { describe, expect, it } from '@jest/globals';
import { canAnnounce, formerText, progressText, type Announcement, type PlanPrice } from './price-words.ts';

const announcement: Announcement = {
  announcementId: '2b1e6679-7425-40de-944b-e07fc1f90ae7',
  state: 'announced',
  amount: 1_999,
  currency: 'usd',
  from: '2027-03-01T00:00:00.000Z',
  announcedAt: '2027-01-10T09:00:00.000Z',
  announcedBy: 'admin@example.com',
  reason: 'Costs.',
  notified: 1,
  changed: 0,
  withdrawableUntil: '2027-02-28T23:00:00.000Z',
};
const plan: PlanPrice = {
  tier: 'Elite',
  period: 'monthly',
  amount: 1_999,
  currency: 'usd',
  formerAmounts: [
    { amount: 1_499, currency: 'usd', subscriptions: 1 },
    { amount: 1_299, currency: 'usd', subscriptions: 1_200 },
  ],
  announcement: null,
};

describe('the price of a plan', () => {
  it('says who pays another one', () => {
    expect(formerText(plan)).toBe(
      'Renewing at another price: 1 subscription at $14.99, 1,200 subscriptions at $12.99.',
    );
    expect(formerText({ formerAmounts: [] })).toBe('All of its subscriptions renew at this price.');
  });

  it('can be announced while somebody pays another one, and nothing is announced', () => {
    const given = (of: Partial<Announcement>): boolean =>
      canAnnounce({ ...plan, announcement: { ...announcement, ...of } });
    expect([canAnnounce(plan), canAnnounce({ ...plan, formerAmounts: [] })]).toEqual([true, false]);
    expect([given({}), given({ state: 'withdrawn' })]).toEqual([false, true]);
    expect([given({ state: 'in-effect' }), given({ state: 'in-effect', amount: 1_799 })]).toEqual([
      false,
      true,
    ]);
  });
});

describe('an announcement', () => {
  it('says how far it has come', () => {
    expect(progressText(announcement)).toBe('1 subscription notified, none of them charged by now.');
    expect(progressText({ ...announcement, notified: 12, changed: 3 })).toBe(
      '12 subscriptions notified, 3 of them charged by now.',
    );
    expect(progressText({ ...announcement, state: 'withdrawn' })).toBe(
      '1 subscription still to be notified of the withdrawal.',
    );
  });
});
