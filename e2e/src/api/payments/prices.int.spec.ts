import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import { Billing, paymentRoutes, queueRoutes, Queues } from '@tapedeck/payments/contract';
import { buyAs, memberAt, supportAt, tierOf, type Person } from './buyers.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;
beforeAll(async () => {
  product = await startPaymentsProduct();
}, 120_000);
afterAll(() => product.close());

type Subscriber = Readonly<{ member: Person; subscription: string }>;

const subscriber = async (): Promise<Subscriber> => {
  const member = await memberAt(product, `${newId().slice(-12)}@example.com`);
  const sessionId = await buyAs(member);
  await product.settled();
  const { subscription } = await product.stripe.checkout.sessions.retrieve(sessionId);
  return { member, subscription: String(subscription) };
};

const newPrice = async (metadata: Readonly<Record<string, string>> = {}): Promise<string> => {
  const price = await product.stripe.prices.create({
    product: 'prod_pro',
    currency: 'usd',
    unit_amount: 1_499,
    recurring: { interval: 'month' },
    metadata,
  });
  return price.id;
};

/** As support would do it at Stripe: the next invoice is the first one at this price. */
const moveTo = async (subscription: string, price: string): Promise<void> => {
  const { items } = await product.stripe.subscriptions.retrieve(subscription);
  await product.stripe.subscriptions.update(subscription, {
    items: [{ id: items.data[0]?.id ?? '', price }],
    proration_behavior: 'none',
  });
  await product.settled();
};

const billingOf = async ({ member }: Subscriber): Promise<Billing['subscription']> =>
  Billing.parse((await member.get(paymentRoutes.billing)).body).subscription;

const unknownPrices = async (): Promise<Queues['unknownPrices']> => {
  const support = await supportAt(product);
  return Queues.parse((await support.get(queueRoutes.queues)).body).unknownPrices;
};

describe('a subscription at another price than the one that is sold', () => {
  it('has the plan that its price names, and shows what it charges', async () => {
    const one = await subscriber();
    await moveTo(one.subscription, await newPrice({ tapedeck_plan: 'pro_monthly' }));
    expect(await tierOf(one.member)).toBe('Pro active');
    expect(await billingOf(one)).toMatchObject({ tier: 'Pro', period: 'monthly', nextAmount: 1_499 });
    expect((await unknownPrices()).count).toBe(0);
  });

  it('keeps its plan while its price names none, and is listed for support until it does', async () => {
    const one = await subscriber();
    const price = await newPrice();
    await moveTo(one.subscription, price);
    expect(await tierOf(one.member)).toBe('Pro active');
    expect(await billingOf(one)).toMatchObject({ tier: 'Pro', period: 'monthly', nextAmount: 1_499 });
    const { count, items } = await unknownPrices();
    expect(count).toBe(1);
    expect(items[0]).toMatchObject({ subscriptionId: one.subscription, priceId: price, amount: 1_499 });

    await product.control('/clock', { seconds: 32 * 86_400 });
    await product.settled();
    await product.stripe.prices.update(price, { metadata: { tapedeck_plan: 'pro_monthly' } });
    await product.control('/clock', { seconds: 86_400 });
    await eventually(async () => expect((await unknownPrices()).count).toBe(0));
  });
});

describe('a price that is archived', () => {
  it('is charged further, and cannot be bought', async () => {
    const one = await subscriber();
    await product.stripe.prices.update('price_pro_monthly', { active: false });
    const answer = await (
      await memberAt(product, `${newId()}@example.com`)
    ).send('POST', '/api/create-pro-subscription');
    expect([answer.status, answer.body['code']]).toEqual([409, 'PLAN_NOT_SOLD']);
    await product.control('/clock', { seconds: 32 * 86_400 });
    await product.settled();
    await product.stripe.prices.update('price_pro_monthly', { active: true });
    const { data } = await product.stripe.invoices.list({ subscription: one.subscription });
    expect(data.map(({ status }) => status)).toEqual(['paid', 'paid']);
  });
});
