import { describe, it } from '@jest/globals';
import { deciderSpec } from '@tapedeck/eventing/testing';
import { checkoutDecider } from './checkout.ts';
import type { CheckoutEvent } from './checkout-events.ts';
import { introPriceDecider } from './intro-price.ts';

const { given } = deciderSpec(checkoutDecider);
const intentId = 'intent-1';
const started: CheckoutEvent = {
  type: 'CheckoutStarted',
  data: {
    intentId,
    accountId: null,
    email: 'ann@example.com',
    emailHash: 'h',
    tier: 'Pro',
    period: 'monthly',
    intro: true,
    claimSecretHash: 's',
    personalSubject: `checkout:${intentId}`,
  },
};
const sessionId = 'cs_1';
const opened: CheckoutEvent = {
  type: 'CheckoutSessionOpened',
  data: { intentId, sessionId, expiresAt: '2026-01-02T00:00:00.000Z' },
};
const expired: CheckoutEvent = { type: 'CheckoutExpired', data: { intentId, sessionId } };
const bought = {
  sessionId,
  subscriptionId: 'sub_1',
  customerId: 'cus_1',
  paidAt: '2026-01-01T00:00:00.000Z',
};
const paid: CheckoutEvent = { type: 'CheckoutPaid', data: { intentId, ...bought } };
const pay = { type: 'RecordCheckoutPaid', ...bought, plan: { tier: 'Pro', period: 'monthly' } } as const;
const expire = { type: 'ExpireCheckout' } as const;

describe('a checkout', () => {
  it('begins, opens and ends once each', () => {
    given(started).when({ type: 'StartCheckout', checkout: started.data }).thenNothing();
    const open = { type: 'OpenCheckoutSession', sessionId, expiresAt: '2026-01-02T00:00:00.000Z' } as const;
    given(started).when(open).then(opened);
    given(started, opened).when(open).thenNothing();
    given(started, opened).when(expire).then(expired);
    given(started, opened, expired).when(expire).thenNothing();
    given().when(open).thenRefused('CHECKOUT_NOT_FOUND');
  });

  it('is paid once, also after it seemed to have expired, and then does not expire', () => {
    given(started, opened).when(pay).then(paid);
    given(started, opened, expired).when(pay).then(paid);
    given(started, opened, paid).when(pay).thenNothing();
    given(started, opened, paid).when(expire).thenNothing();
    given(started, opened, paid)
      .when({ ...pay, subscriptionId: 'sub_2' })
      .thenRefused('CHECKOUT_PAID_ALREADY');
  });

  it.each([
    [null],
    [{ tier: 'Elite', period: 'monthly' } as const],
    [{ tier: 'Pro', period: 'annual' } as const],
  ])('grants nothing when %j was paid instead of its plan', (plan) => {
    given(started, opened)
      .when({ ...pay, plan })
      .then({
        type: 'CheckoutRefused',
        data: { intentId, sessionId, subscriptionId: 'sub_1', reason: 'other-price' },
      });
  });
});

describe('the introductory price of one person', () => {
  const { given } = deciderSpec(introPriceDecider);
  const until = '2026-01-02T00:00:00.000Z';
  const now = '2026-01-01T00:00:00.000Z';
  const of = (intentId: string) => ({ personHash: 'h', intentId });
  const reserved = { type: 'IntroPriceReserved', data: { ...of('a'), until } } as const;
  const released = { type: 'IntroPriceReleased', data: of('a') } as const;
  const used = { type: 'IntroPriceUsed', data: of('a') } as const;
  const reserve = { type: 'ReserveIntroPrice', until, now } as const;

  it('belongs to one open checkout at a time', () => {
    given()
      .when({ ...reserve, ...of('a') })
      .then(reserved);
    given(reserved)
      .when({ ...reserve, ...of('b') })
      .thenNothing();
    const later = { ...reserve, now: until, until: '2026-01-03T00:00:00.000Z', ...of('b') };
    given(reserved)
      .when(later)
      .then({ type: 'IntroPriceReserved', data: { ...of('b'), until: '2026-01-03T00:00:00.000Z' } });
    given(reserved)
      .when({ type: 'ReleaseIntroPrice', ...of('b') })
      .thenNothing();
    given(reserved)
      .when({ type: 'ReleaseIntroPrice', ...of('a') })
      .then(released);
    given(reserved, released)
      .when({ ...reserve, ...of('b') })
      .then({ type: 'IntroPriceReserved', data: { ...of('b'), until } });
  });

  it('is used once and for ever', () => {
    given(reserved)
      .when({ type: 'UseIntroPrice', ...of('a') })
      .then(used);
    given(reserved, used)
      .when({ type: 'UseIntroPrice', ...of('b') })
      .thenNothing();
    given(reserved, used)
      .when({ type: 'ReleaseIntroPrice', ...of('a') })
      .thenNothing();
    given(reserved, used)
      .when({ ...reserve, now: '2030-01-01T00:00:00.000Z', ...of('b') })
      .thenNothing();
  });
});
