import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@tapedeck/kernel';
import type { Plan } from '@tapedeck/plans/contract';
import { createTestClock, registerStripe } from '@tapedeck/sandbox/testing';
import { fastify, type FastifyInstance } from 'fastify';
import { Stripe } from 'stripe';
import type { PriceList, StripePort } from '../port.ts';
import { apiVersion } from './client.ts';
import { stripeReads } from './reads.ts';
import { stripeRequests } from './requests.ts';

const site = 'http://127.0.0.1:4999';
const pro: Plan = { tier: 'Pro', period: 'monthly' };
const elite: Plan = { tier: 'Elite', period: 'monthly' };
const clock = createTestClock(Date.parse('2027-03-14T12:00:00Z'));
const renewsAt = '2027-04-14T12:00:00.000Z';
const recurring = { interval: 'month' } as const;

let app: FastifyInstance;
let url: string;
let stripe: Stripe;
let port: StripePort;
let newPrice: string;

const portWith = (prices: PriceList): StripePort => ({
  ...stripeReads({ stripe, prices, clock }),
  ...stripeRequests({ stripe, prices, clock, introCoupon: undefined }),
});
const former: PriceList = [
  { ...pro, priceId: 'price_pro_monthly' },
  { ...elite, priceId: 'price_elite_monthly' },
];

beforeAll(async () => {
  app = fastify({ forceCloseConnections: true });
  await registerStripe(app, {
    clock,
    dataFolder: undefined,
    origins: [site],
    webhookUrl: site,
    publicUrl: site,
    seed: 'prices',
    onError: () => undefined,
  });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
  await control('/deliveries/hold');
  const { hostname: host, port: ofPort } = new URL(url);
  stripe = new Stripe('sk_test_prices', {
    host,
    port: ofPort,
    protocol: 'http',
    apiVersion,
    telemetry: false,
  });
  const created = { product: 'prod_pro', currency: 'usd', unit_amount: 1_499, recurring };
  newPrice = (await stripe.prices.create(created)).id;
  port = portWith([{ ...pro, priceId: newPrice }, ...former]);
});
afterAll(() => app.close());

const control = async (path: string, body: object = {}): Promise<void> => {
  await fetch(`${url}/_control/stripe${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
};

/** At the price of before. */
const buy = async (): Promise<string> => {
  const intentId = newId();
  const { sessionId } = await portWith(former).createSession({
    key: intentId,
    intentId,
    plan: pro,
    email: `${intentId}@example.com`,
    customerId: null,
    intro: false,
    successUrl: `${site}/done`,
    cancelUrl: `${site}/pricing`,
  });
  await fetch(`${url}/c/pay/${sessionId}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ card: 'ok' }),
  });
  return (await port.readSession(sessionId))?.subscriptionId ?? '';
};

type Wanted = Parameters<StripePort['schedulePrice']>[0];
const schedule = async (subscriptionId: string, given: Partial<Wanted> = {}): Promise<string | undefined> => {
  const wanted = { key: newId(), subscriptionId, plan: pro, expectedAmount: 1_499, notBefore: renewsAt };
  return (await port.schedulePrice({ ...wanted, ...given })).refused?.code;
};
const read = async (subscriptionId: string) =>
  (await port.readSubscription(subscriptionId, 'newest'))?.subscription;

describe('the price of the next renewal', () => {
  it('changes with the period, and is no change of the plan', async () => {
    const id = await buy();
    expect(await read(id)).not.toHaveProperty('scheduledPrice');
    expect(await schedule(id)).toBeUndefined();
    // The answer was lost.
    expect(await schedule(id)).toBeUndefined();
    const scheduledPrice = { priceId: newPrice, at: renewsAt };
    expect(await read(id)).toMatchObject({ amount: 999, scheduledPlan: null, scheduledPrice });
    await port.keepPlan({ key: newId(), subscriptionId: id });
    expect(await read(id)).not.toHaveProperty('scheduledPrice');
  });

  it('keeps the discounts of the subscription', async () => {
    const id = await buy();
    const { id: coupon } = await stripe.coupons.create({ percent_off: 10, duration: 'forever' });
    await stripe.subscriptions.update(id, { discounts: [{ coupon }] });
    const { discounts } = await stripe.subscriptions.retrieve(id);
    expect(await schedule(id)).toBeUndefined();
    const subscription = await stripe.subscriptions.retrieve(id, { expand: ['schedule'] });
    const phases = typeof subscription.schedule === 'object' ? subscription.schedule?.phases : [];
    expect(phases?.map((phase) => phase.discounts.map(({ discount }) => discount))).toEqual([
      discounts,
      discounts,
    ]);
  });

  it('stays when another amount is sold than was announced', async () => {
    const id = await buy();
    expect(await schedule(id, { expectedAmount: 1_299 })).toBe('AMOUNT_CHANGED');
    expect(await read(id)).toMatchObject({ scheduledPlan: null });
    expect(await read(id)).not.toHaveProperty('scheduledPrice');
  });

  it('stays when the renewal is before the one that was announced', async () => {
    const id = await buy();
    expect(await schedule(id, { notBefore: '2027-04-14T12:00:01.000Z' })).toBe('RENEWS_EARLIER');
    expect(await read(id)).not.toHaveProperty('scheduledPrice');
  });

  it('stays when the subscription ends, or has or gets another plan', async () => {
    const [ends, changes, other] = [await buy(), await buy(), await buy()];
    await port.cancelAtPeriodEnd({ key: newId(), subscriptionId: ends });
    expect(await schedule(ends)).toBe('SUBSCRIPTION_ENDS');
    await port.scheduleDowngrade({ key: newId(), subscriptionId: changes, plan: elite });
    expect(await schedule(changes)).toBe('OTHER_PRICE_SCHEDULED');
    expect((await read(changes))?.scheduledPlan).toMatchObject(elite);
    const { items } = await stripe.subscriptions.retrieve(other);
    const [item] = items.data;
    await stripe.subscriptions.update(other, {
      items: [{ id: item?.id ?? '', price: 'price_elite_monthly' }],
    });
    expect(await schedule(other)).toBe('OTHER_PLAN');
  });

  it('is nothing to change where it is charged already', async () => {
    const id = await buy();
    const { items } = await stripe.subscriptions.retrieve(id);
    const [item] = items.data;
    await stripe.subscriptions.update(id, { items: [{ id: item?.id ?? '', price: newPrice }] });
    expect(await schedule(id)).toBeUndefined();
    expect(await read(id)).toMatchObject({ amount: 1_499, scheduledPlan: null });
  });
});

describe('a subscription to which support has added something', () => {
  const pricesOf = async (id: string): Promise<readonly string[]> =>
    (await stripe.subscriptions.retrieve(id)).items.data.map(({ price }) => price.id);
  /** What was added is the first item. */
  const withAddOn = async (): Promise<Readonly<{ id: string; addOn: string }>> => {
    const id = await buy();
    const { id: product } = await stripe.products.create({ name: 'A further screen' });
    const { id: addOn } = await stripe.prices.create({
      product,
      currency: 'usd',
      unit_amount: 500,
      recurring,
    });
    await stripe.subscriptions.update(id, { items: [{ price: addOn }], proration_behavior: 'none' });
    expect(await pricesOf(id)).toEqual([addOn, 'price_pro_monthly']);
    return { id, addOn };
  };
  const upgrade = async (subscriptionId: string) => {
    const { dueNow: expectedAmount, prorationDate } = await port.previewChange(subscriptionId, elite);
    const change = { key: newId(), subscriptionId, plan: elite, prorationDate, expectedAmount };
    return { dueNow: expectedAmount, refused: (await port.upgrade(change)).refused };
  };

  it('has another plan after an upgrade, and keeps the rest', async () => {
    const { id, addOn } = await withAddOn();
    expect(await upgrade(id)).toEqual({ dueNow: 1_000, refused: undefined });
    expect(await pricesOf(id)).toEqual([addOn, 'price_elite_monthly']);
    expect(await read(id)).toMatchObject({ plan: elite, amount: 1_999 });
  });

  it('says which plan waits for its payment', async () => {
    const { id } = await withAddOn();
    const { customer } = await stripe.subscriptions.retrieve(id);
    await control('/card', { customer, card: 'declined' });
    expect((await upgrade(id)).refused).toBeDefined();
    expect(await read(id)).toMatchObject({ plan: pro, pendingPlan: elite });
  });

  it('is not changed when none of its prices is that of a plan', async () => {
    const { id, addOn } = await withAddOn();
    const { items } = await stripe.subscriptions.retrieve(id);
    const foreign = await stripe.prices.create({
      product: 'prod_pro',
      currency: 'usd',
      unit_amount: 1,
      recurring,
    });
    const plan = items.data.find(({ price }) => price.id !== addOn)?.id ?? '';
    const moved = [{ id: plan, price: foreign.id }];
    await stripe.subscriptions.update(id, { items: moved, proration_behavior: 'none' });
    await expect(port.previewChange(id, elite)).rejects.toMatchObject({ code: 'PLAN_UNKNOWN' });
    const downgrade = await port.scheduleDowngrade({ key: newId(), subscriptionId: id, plan: elite });
    expect(downgrade.refused?.code).toBe('PLAN_UNKNOWN');
  });

  it('keeps the rest when the plan changes with the period, or its price does', async () => {
    const [price, plan] = [await withAddOn(), await withAddOn()];
    expect(await schedule(price.id)).toBeUndefined();
    // Its answer was lost.
    expect(await schedule(price.id)).toBeUndefined();
    await port.scheduleDowngrade({ key: newId(), subscriptionId: plan.id, plan: elite });
    expect(await pricesOf(price.id)).toEqual([price.addOn, 'price_pro_monthly']);
    expect(await pricesOf(plan.id)).toEqual([plan.addOn, 'price_pro_monthly']);
    expect(await read(price.id)).toMatchObject({ plan: pro, scheduledPrice: { priceId: newPrice } });
    expect(await read(plan.id)).toMatchObject({ plan: pro, scheduledPlan: elite });

    await clock.advanceTo(Date.parse(renewsAt) + 2 * 3_600_000);
    expect(await pricesOf(price.id)).toEqual([price.addOn, newPrice]);
    expect(await pricesOf(plan.id)).toEqual([plan.addOn, 'price_elite_monthly']);
    const payments = (await port.readSubscription(plan.id, 'newest'))?.payments;
    expect(payments).toMatchObject([{ amountPaid: 1_999 + 500, plan: elite, periodStart: renewsAt }]);
  });
});
