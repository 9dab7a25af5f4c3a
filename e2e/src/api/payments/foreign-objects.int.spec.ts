import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pendingEvents } from '@tapedeck/eventing/reactions';
import { newId } from '@tapedeck/kernel';
import { Billing, paymentRoutes } from '@tapedeck/payments/contract';
import type { Stripe } from 'stripe';
import { buyAs, memberAt, payAt, tierOf, type Person } from './buyers.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;
let foreignPrice: string;
beforeAll(async () => {
  product = await startPaymentsProduct();
  const { id } = await product.stripe.products.create({ name: 'Another product' });
  const price = await product.stripe.prices.create({
    product: id,
    currency: 'usd',
    unit_amount: 500,
    recurring: { interval: 'month' },
  });
  foreignPrice = price.id;
}, 120_000);
afterAll(() => product.close());

/** A session of another product that sells on the same account at Stripe. */
const foreignSession = (reference: string): Promise<Stripe.Checkout.Session> =>
  product.stripe.checkout.sessions.create({
    mode: 'subscription',
    client_reference_id: reference,
    subscription_data: { metadata: { intentId: reference } },
    customer_email: 'somebody@example.com',
    line_items: [{ price: foreignPrice, quantity: 1 }],
    success_url: `${product.url}/`,
  });

const parked = async (): Promise<number> => {
  await product.settled();
  return (await pendingEvents(product.product.databases.tapedeck, { states: ['parked'] })).length;
};
const subscriptionStreams = async (): Promise<number> => {
  const { rows } = await product.product.databases.tapedeck.query<{ count: number }>(
    `select count(distinct stream)::integer as count from tape_events where stream like 'subscription-%'`,
  );
  return rows[0]?.count ?? 0;
};

describe('objects of another product on the same account at Stripe', () => {
  it.each([
    ['an id of its own form', () => 'order-4711'],
    ['an id of our form', () => newId()],
    ['a very long text', () => 'x'.repeat(200)],
  ])('park nothing and record nothing, with %s as reference', async (_, reference) => {
    const streams = await subscriptionStreams();
    const [expired, paid] = [await foreignSession(reference()), await foreignSession(reference())];
    await product.stripe.checkout.sessions.expire(expired.id);
    await payAt(paid.url);
    expect(await parked()).toBe(0);
    expect(await subscriptionStreams()).toBe(streams);
  });
});

type Subscriber = Readonly<{ member: Person; subscription: string; customer: string }>;

const subscriber = async (): Promise<Subscriber> => {
  const member = await memberAt(product, `${newId().slice(-12)}@example.com`);
  const session = await product.stripe.checkout.sessions.retrieve(await buyAs(member));
  await product.settled();
  return { member, subscription: String(session.subscription), customer: String(session.customer) };
};
const billingOf = async ({ member }: Subscriber): Promise<Billing['subscription']> =>
  Billing.parse((await member.get(paymentRoutes.billing)).body).subscription;

describe('an object of ours that was changed at Stripe', () => {
  it('is followed further when its metadata name another intent', async () => {
    const one = await subscriber();
    await product.stripe.subscriptions.update(one.subscription, { metadata: { intentId: newId() } });
    await product.stripe.subscriptions.update(one.subscription, { cancel_at_period_end: true });
    await product.settled();
    expect((await billingOf(one))?.endsAt).not.toBeNull();
  });

  it('shows the card that is charged, also when that is the default of its customer', async () => {
    const one = await subscriber();
    const attached = await product.stripe.paymentMethods.attach('pm_card_fails_at_renewal', {
      customer: one.customer,
    });
    await product.stripe.customers.update(one.customer, {
      invoice_settings: { default_payment_method: attached.id },
    });
    await product.stripe.subscriptions.update(one.subscription, { default_payment_method: '' });
    await product.settled();
    expect((await billingOf(one))?.card?.last4).toBe(attached.card?.last4);
  });

  it('that was the customer and is deleted leaves a member who can buy again', async () => {
    const one = await subscriber();
    await product.stripe.customers.del(one.customer);
    await product.settled();
    expect(await tierOf(one.member)).toBe('Free ended');
    const again = await product.stripe.checkout.sessions.retrieve(await buyAs(one.member, 'elite'));
    await product.settled();
    expect(await tierOf(one.member)).toBe('Elite active');
    expect(again.customer).not.toBe(one.customer);
  });
});
