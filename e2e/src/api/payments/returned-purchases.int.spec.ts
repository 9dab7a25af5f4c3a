import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import { Billing, moneyRoutes, paymentRoutes, queueRoutes, Queues } from '@tapedeck/payments/contract';
import type { Stripe } from 'stripe';
import {
  buyAs,
  mailsTo,
  memberAt,
  payAt,
  personAt,
  supportAt,
  tierOf,
  type Answer,
  type Person,
} from './buyers.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;
beforeAll(async () => {
  product = await startPaymentsProduct();
}, 120_000);
afterAll(() => product.close());

const newEmail = (): string => `${newId().slice(-12)}@example.com`;
const start = (person: Person, plan: string): Promise<Answer> =>
  person.send('POST', `/api/create-${plan}-subscription`);
const sessionAt = (checkoutUrl: unknown): Promise<Stripe.Checkout.Session> =>
  product.stripe.checkout.sessions.retrieve(String(checkoutUrl).split('/').at(-1) ?? '');
const statusOf = async ({ body }: Answer): Promise<string | null> =>
  (await sessionAt(body['checkoutUrl'])).status;

/** A session of the same intent beside our own, as if Stripe had not expired that in time. */
const anotherSession = async (
  intentId: string | null,
  email: string,
  price: string,
): Promise<Stripe.Checkout.Session> =>
  product.stripe.checkout.sessions.create({
    mode: 'subscription',
    client_reference_id: intentId ?? '',
    subscription_data: { metadata: { intentId: intentId ?? '' } },
    customer_email: email,
    line_items: [{ price, quantity: 1 }],
    success_url: `${product.url}/`,
    cancel_url: `${product.url}/`,
  });

/** The subscription of a paid session, and whether all that it has charged has gone back. */
const outcomeOf = async (
  sessionId: string,
): Promise<Readonly<{ status: string; isRefunded: boolean; charges: number }>> => {
  const session = await product.stripe.checkout.sessions.retrieve(sessionId);
  const { status, customer } = await product.stripe.subscriptions.retrieve(String(session.subscription));
  const { data } = await product.stripe.charges.list({ customer: String(customer) });
  return { status, isRefunded: data.every(({ refunded }) => refunded), charges: data.length };
};

const returned = { status: 'canceled', isRefunded: true, charges: 1 };
const returnMails = async (email: string): Promise<readonly string[]> =>
  (await mailsTo(product, email))
    .filter(({ subject }) => subject === 'We are refunding your payment')
    .map(({ text }) => text);

describe('a checkout', () => {
  it('ends the earlier ones of the same member or browser', async () => {
    const member = await memberAt(product, newEmail());
    const [first, second] = [await start(member, 'pro'), await start(member, 'elite')];
    expect([await statusOf(first), await statusOf(second)]).toEqual(['expired', 'open']);
    const visitor = personAt(product);
    const byEmail = (): Promise<Answer> =>
      visitor.send('POST', '/api/create-pro-subscription-anonymous', { email: newEmail() });
    const [one, other] = [await byEmail(), await byEmail()];
    expect([await statusOf(one), await statusOf(other)]).toEqual(['expired', 'open']);
  });

  it('leaves those of other buyers', async () => {
    const first = await start(await memberAt(product, newEmail()), 'pro');
    await start(await memberAt(product, newEmail()), 'pro');
    expect(await statusOf(first)).toBe('open');
  });

  it('is refused while the payment of an earlier one is not recorded yet', async () => {
    const member = await memberAt(product, newEmail());
    const { body } = await start(member, 'pro');
    await product.control('/deliveries/hold');
    await payAt(body['checkoutUrl']);
    const answer = await start(member, 'elite');
    expect([answer.status, answer.body['code']]).toEqual([409, 'CHECKOUT_PAID']);
    await product.control('/deliveries/release');
  });

  it('is refused while Stripe does not end an earlier one, and begins when it does', async () => {
    const member = await memberAt(product, newEmail());
    const earlier = await start(member, 'pro');
    await product.control('/calls/fail', { kind: 'refuse', path: '/v1/checkout/sessions/', method: 'POST' });
    const answer = await start(member, 'elite');
    expect([answer.status, answer.body['code']]).toEqual([409, 'CHECKOUT_STILL_OPEN']);
    expect(await statusOf(earlier)).toBe('open');
    expect((await start(member, 'elite')).status).toBe(201);
    expect(await statusOf(earlier)).toBe('expired');
  });

  it('is the only one that can be paid of several that begin at once', async () => {
    const member = await memberAt(product, newEmail());
    const answers = await Promise.all(['pro', 'elite', 'pro', 'elite'].map((plan) => start(member, plan)));
    const statuses = await Promise.all(
      answers.map((answer) => (answer.status === 201 ? statusOf(answer) : answer.body['code'])),
    );
    expect(statuses.filter((status) => status === 'open')).toHaveLength(1);
    expect(new Set(statuses)).not.toContain(undefined);
  });
});

describe('a second purchase of an account', () => {
  it('is refunded and ended by itself, with a mail, and the first one stays', async () => {
    const email = newEmail();
    const member = await memberAt(product, email);
    const first = await sessionAt((await start(member, 'pro')).body['checkoutUrl']);
    const second = await start(member, 'elite');
    await payAt(second.body['checkoutUrl']);
    await product.settled();
    const late = await anotherSession(
      first.client_reference_id,
      email,
      product.config.STRIPE_PRICE_PRO_MONTHLY,
    );
    await payAt(late.url);
    await product.settled();
    await eventually(async () => expect(await outcomeOf(late.id)).toEqual(returned));
    expect(await tierOf(member)).toBe('Elite active');
    expect((await sessionAt(second.body['checkoutUrl'])).payment_status).toBe('paid');
    await eventually(async () => expect(await returnMails(email)).toHaveLength(1));
    expect((await returnMails(email))[0]).toContain('You have a Tapedeck subscription already');
    const billing = Billing.parse((await member.get(paymentRoutes.billing)).body);
    expect(billing.subscription).toMatchObject({ tier: 'Elite' });
    const { body } = await member.get(paymentRoutes.verify(first.id));
    expect(body).toMatchObject({ state: 'returned', success: false });
  });
});

describe('a purchase at another price than that of its checkout', () => {
  it('is refunded and ended by itself, with a mail, and the page after the payment says so', async () => {
    const email = newEmail();
    const member = await memberAt(product, email);
    const own = await sessionAt((await start(member, 'elite')).body['checkoutUrl']);
    const cheap = await anotherSession(
      own.client_reference_id,
      email,
      product.config.STRIPE_PRICE_PRO_MONTHLY,
    );
    await payAt(cheap.url);
    await product.settled();
    await eventually(async () => expect(await outcomeOf(cheap.id)).toEqual(returned));
    expect(await tierOf(member)).toBe('Free none');
    await eventually(async () => expect(await returnMails(email)).toHaveLength(1));
    expect((await member.get(paymentRoutes.verify(own.id))).body).toMatchObject({ state: 'returned' });
  });
});

describe('a refund that Stripe refuses', () => {
  const refuse = (code: string): Promise<unknown> =>
    product.control('/calls/fail', { kind: 'refuse', code, count: 1, path: '/v1/refunds', method: 'POST' });
  const queues = async (): Promise<Queues> => {
    await product.settled();
    return Queues.parse((await (await supportAt(product)).get(queueRoutes.queues)).body);
  };
  const paidAtOtherPrice = async (): Promise<Stripe.Checkout.Session> => {
    const email = newEmail();
    const started = await start(await memberAt(product, email), 'elite');
    const { client_reference_id: intentId } = await sessionAt(started.body['checkoutUrl']);
    const cheap = await anotherSession(intentId, email, product.config.STRIPE_PRICE_PRO_MONTHLY);
    await payAt(cheap.url);
    return cheap;
  };

  it('stands in the queue, is repeated by a person, and the return is over when it has arrived', async () => {
    await refuse('charge_disputed');
    const { id } = await paidAtOtherPrice();
    await eventually(async () => expect((await queues()).refused.count).toBe(1));
    const { refused, returns } = await queues();
    expect(refused.items[0]).toMatchObject({ kind: 'refund', code: 'charge_disputed', amount: 999 });
    expect(refused.items[0]).toMatchObject({ isRepeated: false, cause: 'other-price' });
    expect(returns.items).toMatchObject([{ reason: 'other-price', amount: 999, refunded: 0, isEnded: true }]);
    const { subscriptionId, requestId } = refused.items[0] ?? {};
    const body = { subscriptionId, requestId, reason: 'The dispute was withdrawn.' };
    const support = await supportAt(product);
    expect((await support.send('POST', queueRoutes.repeat, body)).status).toBe(204);
    expect((await support.send('POST', queueRoutes.repeat, body)).status).toBe(204);
    await eventually(async () => expect((await queues()).returns.count).toBe(0));
    expect((await queues()).refused.count).toBe(0);
    expect(await outcomeOf(id)).toEqual(returned);
  });

  it('leaves the queue when a person has made it at Stripe', async () => {
    await refuse('charge_disputed');
    const { id } = await paidAtOtherPrice();
    await eventually(async () => expect((await queues()).refused.count).toBe(1));
    const session = await product.stripe.checkout.sessions.retrieve(id);
    const { data } = await product.stripe.charges.list({ customer: String(session.customer) });
    await product.stripe.refunds.create({ charge: data[0]?.id ?? '' });
    await eventually(async () => expect((await queues()).refused.count).toBe(0));
    expect((await queues()).returns.count).toBe(0);
  });

  const chargeOf = async (sessionId: string): Promise<string> => {
    const { customer } = await product.stripe.checkout.sessions.retrieve(sessionId);
    const { data } = await product.stripe.charges.list({ customer: String(customer) });
    return data[0]?.id ?? '';
  };

  it('since the payment is disputed is owed no more when the bank takes the money', async () => {
    await refuse('charge_disputed');
    const charge = await chargeOf((await paidAtOtherPrice()).id);
    await eventually(async () => expect((await queues()).refused.count).toBe(1));
    const { id } = (await product.control('/disputes', { charge })) as { id: string };
    await product.control('/disputes/close', { id, outcome: 'lost' });
    await eventually(async () =>
      expect(await queues()).toMatchObject({ refused: { count: 0 }, returns: { count: 0 } }),
    );
  });

  it('because the bank sends it back weeks later waits for a person, who settles it with a reason', async () => {
    const { id } = await paidAtOtherPrice();
    await eventually(async () => expect(await outcomeOf(id)).toEqual(returned));
    await eventually(async () => expect((await queues()).returns.count).toBe(0));
    await product.control('/clock', { seconds: 40 * 86_400 });
    const { data } = await product.stripe.refunds.list({ charge: await chargeOf(id) });
    await product.control('/refunds/fail', { id: data[0]?.id });
    await eventually(async () =>
      expect((await queues()).refused.items).toMatchObject([
        { kind: 'refund', code: 'refund_failed', amount: 999, isRepeated: false, mayAbandon: true },
      ]),
    );
    const { subscriptionId, requestId } = (await queues()).refused.items[0] ?? {};
    const body = { subscriptionId, requestId, reason: 'Paid to the account that she named.' };
    const support = await supportAt(product);
    expect((await support.send('POST', moneyRoutes.abandon, body)).status).toBe(204);
    expect((await queues()).refused.count).toBe(0);
  });

  it('for a reason that may pass is repeated by itself', async () => {
    await refuse('balance_insufficient');
    const { id } = await paidAtOtherPrice();
    await eventually(async () => expect((await queues()).refused.items[0]?.isRepeated).toBe(true));
    await product.control('/clock', { seconds: 7 * 3_600 });
    await eventually(async () => expect((await queues()).returns.count).toBe(0));
    expect(await outcomeOf(id)).toEqual(returned);
  });
});

describe('an account that is deleted', () => {
  it('leaves no checkout that can be paid, and gets back what is paid all the same', async () => {
    const email = newEmail();
    const member = await memberAt(product, email);
    const { body } = await start(member, 'pro');
    const open = await sessionAt(body['checkoutUrl']);
    expect((await member.send('DELETE', '/api/account', { confirmation: email })).status).toBe(204);
    await product.settled();
    await eventually(async () => expect((await sessionAt(body['checkoutUrl'])).status).toBe('expired'));
    const late = await anotherSession(
      open.client_reference_id,
      email,
      product.config.STRIPE_PRICE_PRO_MONTHLY,
    );
    await payAt(late.url);
    await product.settled();
    await eventually(async () => expect(await outcomeOf(late.id)).toEqual(returned));
  });

  it('gets nothing back of what was paid before', async () => {
    const email = newEmail();
    const member = await memberAt(product, email);
    const sessionId = await buyAs(member);
    await product.settled();
    expect((await member.send('DELETE', '/api/account', { confirmation: email })).status).toBe(204);
    await eventually(async () =>
      expect(await outcomeOf(sessionId)).toEqual({ status: 'canceled', isRefunded: false, charges: 1 }),
    );
  });
});
