import { describe, expect, it } from '@jest/globals';
import { pageOfProvider } from './provider-pages.ts';

const atStripe = pageOfProvider(undefined);
const atStandIn = pageOfProvider('http://127.0.0.1:4010');

describe('a page that a member may be sent to', () => {
  it.each(['https://invoice.stripe.com/i/acct_1/test_1?s=ap', 'https://pay.stripe.com/invoice/acct_1/pdf'])(
    'is one of Stripe: %s',
    (url) => expect(atStripe(url)).toBe(url),
  );

  it.each([
    null,
    undefined,
    '',
    'not an address',
    'http://invoice.stripe.com/i/1',
    'https://stripe.com.evil.example/i/1',
    'https://notstripe.com/i/1',
    'https://invoice.stripe.com@evil.example/i/1',
    'https://user:word@invoice.stripe.com/i/1',
    'javascript:alert(1)',
    'data:text/html,x',
    '//invoice.stripe.com/i/1',
    'http://127.0.0.1:4010/i/1',
  ])('is no other one: %s', (url) => expect(atStripe(url)).toBeNull());

  it('is one of the stand-in where that is used, and of nothing else', () => {
    expect(atStandIn('http://127.0.0.1:4010/i/in_1')).toBe('http://127.0.0.1:4010/i/in_1');
    expect(atStandIn('http://127.0.0.1:4011/i/in_1')).toBeNull();
    expect(atStandIn('https://invoice.stripe.com/i/1')).toBeNull();
  });
});
