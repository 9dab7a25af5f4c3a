import { fastify } from 'fastify';
import { Stripe } from 'stripe';
import type { SandboxClock } from '../../clock-port.ts';
import { registerStripe, type StripeOptions, type StripeStandIn } from '../register.ts';
import { createTestClock } from './clock.ts';

export const product = 'http://127.0.0.1:4999';
export const secret = 'whsec_test';
export const startOfTest = Date.parse('2026-11-22T12:00:00Z');
export const daySeconds = 86_400;

/** What the product has received; each event was verified by the SDK. */
export type Receiver = Readonly<{
  url: string;
  events: Stripe.Event[];
  /** The status that the receiver answers. */
  answer: (status: number) => void;
  /** Resolves when an event of this type arrives. */
  arrived: (type: string) => Promise<void>;
  close: () => Promise<void>;
}>;

export const startReceiver = async (now: () => number): Promise<Receiver> => {
  const app = fastify({ forceCloseConnections: true });
  const events: Stripe.Event[] = [];
  let status = 200;
  let expected: readonly Readonly<{ type: string; resolve: () => void }>[] = [];
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.post('/', (request, reply) => {
    const signature = String(request.headers['stripe-signature']);
    const event = Stripe.webhooks.constructEvent(
      String(request.body),
      signature,
      secret,
      300,
      undefined,
      now(),
    );
    if (status === 200) {
      events.push(event);
      for (const { type, resolve } of expected) if (type === event.type) resolve();
    }
    return reply.status(status).send();
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    url,
    events,
    answer: (next) => {
      status = next;
    },
    arrived: (type) =>
      new Promise((resolve) => {
        expected = [...expected, { type, resolve }];
      }),
    close: () => app.close(),
  };
};

export type TestStandIn = Readonly<{
  url: string;
  stripe: Stripe;
  clock: SandboxClock;
  receiver: Receiver;
  standIn: StripeStandIn;
  errors: readonly string[];
  advanceDays: (days: number) => Promise<void>;
  advanceTo: (seconds: number) => Promise<void>;
  /** The types that were delivered since the last call, in the order in which the events were made. */
  delivered: () => Promise<readonly string[]>;
  control: (path: string, body?: object) => Promise<unknown>;
  close: () => Promise<void>;
}>;

const listenOn = async (
  options: Omit<StripeOptions, 'publicUrl'>,
): Promise<Readonly<{ url: string; standIn: StripeStandIn; close: () => Promise<void> }>> => {
  const app = fastify({ forceCloseConnections: true });
  const publicUrl = 'http://stripe.sandbox';
  const standIn = await registerStripe(app, { ...options, publicUrl });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { url, standIn, close: () => app.close() };
};

export const clientOf = (url: string, maxNetworkRetries = 0): Stripe => {
  const { hostname, port } = new URL(url);
  return new Stripe('sk_test_sandbox', {
    host: hostname,
    port: Number(port),
    protocol: 'http',
    maxNetworkRetries,
    telemetry: false,
  });
};

export const startStandIn = async (options: Partial<StripeOptions> = {}): Promise<TestStandIn> => {
  const clock = options.clock ?? createTestClock(startOfTest);
  const receiver = await startReceiver(clock.now);
  const errors: string[] = [];
  const { url, standIn, close } = await listenOn({
    clock,
    dataFolder: undefined,
    origins: [product],
    webhookUrl: receiver.url,
    webhookSecret: secret,
    seed: 'test',
    onError: (line) => errors.push(line),
    ...options,
  });
  const stripe = clientOf(url);
  let counted = 0;
  return {
    url,
    stripe,
    clock,
    receiver,
    standIn,
    errors,
    advanceDays: (days) => clock.advanceTo(clock.now() + days * daySeconds * 1_000),
    advanceTo: (seconds) => clock.advanceTo(seconds * 1_000),
    delivered: async () => {
      await standIn.delivered();
      const fresh = receiver.events.slice(counted);
      counted = receiver.events.length;
      // Several are sent at once, so they arrive in any order.
      const { data } = await stripe.events.list({ limit: 100 });
      const made = data.map(({ id }) => id).toReversed();
      return fresh
        .toSorted((one, other) => made.indexOf(one.id) - made.indexOf(other.id))
        .map(({ type }) => type);
    },
    control: async (path, body) => {
      const sent: RequestInit =
        body === undefined
          ? {}
          : {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(body),
            };
      const answer = await fetch(`${url}/_control/stripe${path}`, sent);
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
    close: async () => {
      await close();
      await receiver.close();
    },
  };
};

export type PageAnswer = Readonly<{ status: number; location: string | null; text: string }>;

/** Sends a form of a page, as a browser does. */
export const sendForm = async (
  { url }: Pick<TestStandIn, 'url'>,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<PageAnswer> => {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams(fields),
  });
  return {
    status: answer.status,
    location: answer.headers.get('location'),
    text: await answer.text(),
  };
};

export type Purchase = Readonly<{
  price?: string;
  coupon?: string;
  customer?: string;
  email?: string;
  card?: string;
}>;

export const openCheckout = (
  { stripe }: TestStandIn,
  { price = 'price_pro_monthly', coupon, customer }: Purchase = {},
): Promise<Stripe.Checkout.Session> =>
  stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price, quantity: 1 }],
    client_reference_id: 'intent_1',
    metadata: { intent: 'intent_1' },
    subscription_data: { metadata: { intent: 'intent_1' } },
    success_url: `${product}/done?session={CHECKOUT_SESSION_ID}`,
    cancel_url: `${product}/pricing`,
    ...(coupon === undefined ? {} : { discounts: [{ coupon }] }),
    ...(customer === undefined ? {} : { customer }),
  });

export const pay = (
  standIn: TestStandIn,
  session: Stripe.Checkout.Session,
  card = 'ok',
  email = 'buyer@example.com',
): Promise<PageAnswer> => sendForm(standIn, `/c/pay/${session.id}`, { do: 'pay', email, card });

/** A paid purchase. */
export const buy = async (standIn: TestStandIn, purchase: Purchase = {}): Promise<Stripe.Subscription> => {
  const session = await openCheckout(standIn, purchase);
  await pay(standIn, session, purchase.card, purchase.email);
  const after = await standIn.stripe.checkout.sessions.retrieve(session.id, {
    expand: ['subscription'],
  });
  if (typeof after.subscription !== 'object' || after.subscription === null)
    throw new Error('The purchase was not paid.');
  return after.subscription;
};

export const itemOf = ({ items }: Stripe.Subscription): Stripe.SubscriptionItem => {
  const [item] = items.data;
  if (!item) throw new Error('A subscription has an item.');
  return item;
};

/** The error of a call that must fail. */
export const refusalOf = async (call: Promise<unknown>): Promise<Stripe.errors.StripeError> => {
  try {
    await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error('The call was not refused.');
};
