import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@tapedeck/kernel';
import { createTestClock, registerStripe } from '@tapedeck/sandbox/testing';
import { fastify, type FastifyInstance } from 'fastify';
import { Stripe } from 'stripe';
import type { StripePort } from '../port.ts';
import { paidPlans, type Plan } from '@tapedeck/plans/contract';
import { allRequests } from './all-requests.ts';
import { apiVersion } from './client.ts';
import { portalOf } from './portal.ts';
import { stripeReads } from './reads.ts';
import { stripeRequests } from './requests.ts';

const prices = paidPlans.map((plan) => ({
  ...plan,
  priceId: `price_${plan.tier.toLowerCase()}_${plan.period}`,
}));
const product = 'http://127.0.0.1:4999';
const startMs = Date.parse('2027-03-14T12:00:00Z');
const pro: Plan = { tier: 'Pro', period: 'monthly' };
const elite: Plan = { tier: 'Elite', period: 'monthly' };
const proAnnual: Plan = { tier: 'Pro', period: 'annual' };

type Checked = Readonly<{ request: string; status: number; answer: unknown }>;

const checked: Checked[] = [];
const called = new Set<string>();
let app: FastifyInstance;
let url: string;
let stripe: Stripe;
let port: StripePort;
/** With taxes. */
let taxing: Pick<StripePort, 'createSession'>;

const mockUrl = (): URL => {
  const address = process.env['TEST_STRIPE_MOCK_URL'];
  if (!address) throw new Error('TEST_STRIPE_MOCK_URL is not set: run npm run test:services.');
  return new URL(address);
};

/** The names of all parameters, and ids without their own part. */
const shapeOf = (method: string, path: string, data: unknown): string => {
  const { pathname, searchParams } = new URL(path, 'http://stripe');
  const names = new Set([
    ...searchParams.keys(),
    ...new URLSearchParams(typeof data === 'string' ? data : '').keys(),
  ]);
  return [method, pathname.replace(/(?<=\/)(?:[a-z]+_)+(?=\w*\d)\w+/g, ':id'), ...[...names].sort()].join(
    ' ',
  );
};

/** Sends each request to stripe-mock, which checks it, and then to the stand-in, whose answer counts. */
const checkingClient = (mock: URL): Stripe.HttpClient => {
  const node = Stripe.createNodeHttpClient();
  return {
    getClientName: () => node.getClientName(),
    makeRequest: async (host, ofPort, path, method, headers, data, protocol, timeoutMs) => {
      const answer = await node.makeRequest(
        mock.hostname,
        mock.port,
        path,
        method,
        headers,
        data,
        'http',
        timeoutMs,
      );
      checked.push({
        request: shapeOf(method, path, data),
        status: answer.getStatusCode(),
        answer: await answer.toJSON(),
      });
      return node.makeRequest(host, ofPort, path, method, headers, data, protocol, timeoutMs);
    },
  };
};

const recorded = (functions: StripePort): StripePort =>
  new Proxy(functions, {
    get: (target, name: keyof StripePort) => {
      called.add(name);
      return target[name];
    },
  });

const control = async (path: string, body: object = {}): Promise<Readonly<Record<string, unknown>>> => {
  const answer = await fetch(`${url}/_control/stripe${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as Readonly<Record<string, unknown>>;
};

beforeAll(async () => {
  const mock = mockUrl();
  const clock = createTestClock(startMs);
  app = fastify({ forceCloseConnections: true });
  await registerStripe(app, {
    clock,
    dataFolder: undefined,
    origins: [product],
    webhookUrl: product,
    publicUrl: product,
    seed: 'conformance',
    onError: () => undefined,
  });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
  await control('/deliveries/hold');
  const { hostname: host, port: ofPort } = new URL(url);
  stripe = new Stripe('sk_test_conformance', {
    host,
    port: ofPort,
    protocol: 'http',
    apiVersion,
    telemetry: false,
    httpClient: checkingClient(mock),
  });
  const options = { stripe, prices, clock, introCoupon: 'pro_intro' };
  port = recorded({ ...stripeReads(options), ...stripeRequests(options) });
  taxing = stripeRequests({ ...options, collectsTax: true });
});
afterAll(() => app.close());

type Bought = Readonly<{ sessionId: string; subscriptionId: string; customerId: string }>;

const sessionFor = (
  plan: Plan,
  customerId: string | null = null,
  isTaxed = false,
): ReturnType<StripePort['createSession']> => {
  const intentId = newId();
  return (isTaxed ? taxing : port).createSession({
    key: intentId,
    intentId,
    plan,
    email: `${intentId}@example.com`,
    customerId,
    intro: customerId === null && !isTaxed,
    successUrl: `${product}/done`,
    cancelUrl: `${product}/pricing`,
  });
};

const buy = async (plan: Plan): Promise<Bought> => {
  const { sessionId } = await sessionFor(plan);
  await fetch(`${url}/c/pay/${sessionId}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ card: 'ok' }),
  });
  const session = await port.readSession(sessionId);
  return {
    sessionId,
    subscriptionId: session?.subscriptionId ?? '',
    customerId: session?.customerId ?? '',
  };
};

const collected = async <T>(all: AsyncIterable<T>): Promise<readonly T[]> => {
  const items: T[] = [];
  for await (const item of all) items.push(item);
  return items;
};

const readEverything = async ({ sessionId, subscriptionId }: Bought): Promise<void> => {
  const bought = await port.readSubscription(subscriptionId, 'all');
  const charge = bought?.payments[0]?.chargeId;
  const refund = await control('/refunds', { charge, amount: 100 });
  const dispute = await control('/disputes', { charge });
  await port.readSubscription(subscriptionId, 'newest');
  const [payment] = (await port.readSubscription(subscriptionId, 'all'))?.payments ?? [];
  const objects = [
    subscriptionId,
    sessionId,
    payment?.invoiceId,
    payment?.paymentIntentId,
    payment?.chargeId,
    refund['id'],
    dispute['id'],
  ];
  for (const id of objects) expect(await port.subscriptionOf(String(id))).toBe(subscriptionId);
  await port.previewChange(subscriptionId, elite);
  await port.readPrice('price_elite_annual');
  await port.readCoupon('pro_intro');
  const since = new Date(startMs - 86_400_000).toISOString();
  const [event] = await collected(port.listEvents({ since, undeliveredOnly: true }));
  const until = new Date(startMs + 3_650 * 86_400_000).toISOString();
  await collected(port.listEvents({ since, until, undeliveredOnly: false }));
  await port.readEvent(event?.eventId ?? '');
  await collected(port.listSubscriptions(null));
  await collected(port.listSubscriptions(subscriptionId));
};

/** As a person can do on the dashboard of Stripe. */
const switchPlansOn = async (): Promise<void> => {
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 });
  const own = data.find(({ is_default: isDefault }) => !isDefault);
  await fetch(`${url}/v1/billing_portal/configurations/${own?.id}`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_conformance' },
    body: new URLSearchParams({ 'features[subscription_update][enabled]': 'true' }),
  });
};

const requestEverything = async ({ subscriptionId, customerId }: Bought): Promise<void> => {
  const target = (): Readonly<{ key: string; subscriptionId: string }> => ({ key: newId(), subscriptionId });
  const eliteAnnual: Plan = { tier: 'Elite', period: 'annual' };
  await port.createPortalSession({ customerId, returnUrl: `${product}/` });
  await switchPlansOn();
  await portalOf(stripe)({ customerId, returnUrl: `${product}/` });
  await sessionFor(elite, null, true);
  await sessionFor(elite, customerId, true);
  const open = await sessionFor(elite, customerId);
  await port.expireSession({ key: newId(), sessionId: open.sessionId });
  await port.scheduleDowngrade({ ...target(), plan: pro });
  await port.scheduleDowngrade({ ...target(), plan: proAnnual });
  await port.keepPlan(target());
  const sold = { plan: elite, expectedAmount: 1_999, notBefore: new Date(startMs).toISOString() };
  expect((await port.schedulePrice({ ...target(), ...sold })).refused).toBeUndefined();
  await port.scheduleDowngrade({ ...target(), plan: pro });
  await port.cancelAtPeriodEnd(target());
  await port.resume(target());
  const { dueNow: expectedAmount, prorationDate } = await port.previewChange(subscriptionId, eliteAnnual);
  const shown = { plan: eliteAnnual, prorationDate, expectedAmount };
  const other = await port.upgrade({ ...target(), ...shown, expectedAmount: 1 });
  expect(other.refused?.code).toBe('AMOUNT_CHANGED');
  expect((await port.upgrade({ ...target(), ...shown })).refused).toBeUndefined();
  expect(await port.payPage(subscriptionId)).toBeNull();
  const latest = await port.readSubscription(subscriptionId, 'newest');
  const invoiceId = latest?.payments[0]?.invoiceId ?? '';
  await port.invoicePages(invoiceId);
  expect(await port.openInvoice(invoiceId)).toBeNull();
  await port.refund({ ...target(), invoiceId, amount: 1 });
  await port.refund({ ...target(), invoiceId });
  await port.endNow(target());
  const refused = await port.upgrade({ ...target(), ...shown, plan: pro });
  expect(refused.refused).toBeDefined();
  await port.setCustomerEmail({ key: newId(), customerId, email: 'new@example.com' });
  await port.forgetCustomer({ key: newId(), customerId });
};

/** An upgrade that the card has not paid leaves an open invoice. */
const payOpenInvoice = async ({ subscriptionId, customerId }: Bought): Promise<void> => {
  await control('/card', { customer: customerId, card: 'insufficient_funds' });
  const { dueNow: expectedAmount, prorationDate } = await port.previewChange(subscriptionId, elite);
  const key = newId();
  await port.upgrade({ key, subscriptionId, plan: elite, prorationDate, expectedAmount });
  const [failure] = (await port.readSubscription(subscriptionId, 'newest'))?.failures ?? [];
  const open = await port.openInvoice(failure?.invoiceId ?? '');
  const wanted = { subscriptionId, invoiceId: open?.invoiceId ?? '', expectedAmount: open?.amount ?? 0 };
  const refused = await port.payInvoice({ key: newId(), ...wanted });
  expect(refused.refused?.code).toBe('insufficient_funds');
  await control('/card', { customer: customerId, card: 'ok' });
  expect((await port.payInvoice({ key: newId(), ...wanted })).refused).toBeUndefined();
};

describe('every request of the product to Stripe', () => {
  it('is accepted by stripe-mock', async () => {
    for (const plan of [pro, proAnnual, pro, proAnnual, pro, proAnnual]) await buy(plan);
    await readEverything(await buy(pro));
    await requestEverything(await buy(elite));
    await payOpenInvoice(await buy(pro));
    expect(checked.filter(({ status }) => status !== 200)).toEqual([]);
    expect([...called].sort()).toEqual(Object.keys(port).sort());
    expect([...new Set(checked.map(({ request }) => request))].sort()).toEqual(allRequests);
  });

  it('would be refused by stripe-mock with a parameter that Stripe does not know', async () => {
    checked.splice(0);
    await stripe.subscriptions
      .update('sub_1', { cancel_at_period: true } as Stripe.SubscriptionUpdateParams)
      .catch(() => undefined);
    expect(checked.map(({ status }) => status)).toEqual([400]);
  });
});
