import { describe, expect, it } from '@jest/globals';
import { stripePages } from './stripe-pages.ts';

describe('the page of an object of Stripe', () => {
  it('is in the dashboard of the mode of the secret key', () => {
    const live = stripePages({ STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_DASHBOARD_URL: '' });
    const test = stripePages({ STRIPE_SECRET_KEY: 'rk_test_1', STRIPE_DASHBOARD_URL: '' });
    expect(live('sub_1')).toBe('https://dashboard.stripe.com/subscriptions/sub_1');
    expect(test('evt_1')).toBe('https://dashboard.stripe.com/test/events/evt_1');
    expect(test('ch_1')).toBe('https://dashboard.stripe.com/test/payments/ch_1');
    expect(test('odd/../1')).toBe('https://dashboard.stripe.com/test/search?query=odd%2F..%2F1');
  });

  it('is the one page of a stand-in', () => {
    const pageOf = stripePages({
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_DASHBOARD_URL: 'http://127.0.0.1:1/control',
    });
    expect(pageOf('sub_1')).toBe('http://127.0.0.1:1/control');
  });
});
