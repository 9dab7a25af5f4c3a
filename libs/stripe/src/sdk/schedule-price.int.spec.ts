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

let app: FastifyInstance;
let url: string;
let stripe: Stripe;
let port: StripePort;
let newPrice: string;

const portWith = (prices: PriceList): StripePort => ({
  ...stripeReads({ stripe, prices, clock }),
  ...stripeRequests({ stripe, prices, introCoupon: undefined }),
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
  const recurring = { interval: 'month' } as const;
  const created = { product: 'prod_pro', currency: 'usd', unit_amount: 1_499, recurring };
  newPrice = (await stripe.prices.create(created)).id;
  port = portWith([{ ...pro, priceId: newPrice }, ...former]);
});
afterAll(() => app.close());

const control = async (path: string): Promise<void> => {
  await fetch(`${url}/_control/stripe${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
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
