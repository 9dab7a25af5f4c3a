import { describe, it } from '@jest/globals';
import { deciderSpec } from '@tapedeck/eventing/testing';
import { checkoutDecider } from './checkout.ts';
import type { CheckoutEvent } from './checkout.ts';
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
  const open = { type: 'OpenCheckoutSession', sessionId, expiresAt: '2026-01-02T00:00:00.000Z' } as const;

  it('is started once', () =>
    given(started).when({ type: 'StartCheckout', checkout: started.data }).thenNothing());
  it('opens a session', () => given(started).when(open).then(opened));
  it('opens one session only', () => given(started, opened).when(open).thenNothing());
  it('opens no session before it was started', () => given().when(open).thenRefused('CHECKOUT_NOT_FOUND'));
  it('expires', () => given(started, opened).when(expire).then(expired));
  it('expires once', () => given(started, opened, expired).when(expire).thenNothing());

  it('is paid', () => given(started, opened).when(pay).then(paid));
  it('is paid also after it seemed to have expired', () =>
    given(started, opened, expired).when(pay).then(paid));
  it('is paid once', () => given(started, opened, paid).when(pay).thenNothing());
  it('does not expire after it was paid', () => given(started, opened, paid).when(expire).thenNothing());
  it('refuses a second subscription', () =>
    given(started, opened, paid)
      .when({ ...pay, subscriptionId: 'sub_2' })
      .thenRefused('CHECKOUT_PAID_ALREADY'));

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

  it('is reserved by a checkout', () =>
    given()
      .when({ ...reserve, ...of('a') })
      .then(reserved));
  it('is not reserved by a second checkout while the first is open', () =>
    given(reserved)
      .when({ ...reserve, ...of('b') })
      .thenNothing());
  it('is reserved by a second checkout when the first has expired', () =>
    given(reserved)
      .when({ ...reserve, now: until, until: '2026-01-03T00:00:00.000Z', ...of('b') })
      .then({ type: 'IntroPriceReserved', data: { ...of('b'), until: '2026-01-03T00:00:00.000Z' } }));
  it('is not released by another checkout', () =>
    given(reserved)
      .when({ type: 'ReleaseIntroPrice', ...of('b') })
      .thenNothing());
  it('is released by the checkout that has reserved it', () =>
    given(reserved)
      .when({ type: 'ReleaseIntroPrice', ...of('a') })
      .then(released));
  it('is reserved again after it was released', () =>
    given(reserved, released)
      .when({ ...reserve, ...of('b') })
      .then({ type: 'IntroPriceReserved', data: { ...of('b'), until } }));

  it('is used by the checkout that has reserved it', () =>
    given(reserved)
      .when({ type: 'UseIntroPrice', ...of('a') })
      .then(used));
  it('is used once', () =>
    given(reserved, used)
      .when({ type: 'UseIntroPrice', ...of('b') })
      .thenNothing());
  it('is not released after it was used', () =>
    given(reserved, used)
      .when({ type: 'ReleaseIntroPrice', ...of('a') })
      .thenNothing());
  it('is not reserved after it was used, however late', () =>
    given(reserved, used)
      .when({ ...reserve, now: '2030-01-01T00:00:00.000Z', ...of('b') })
      .thenNothing());
});
