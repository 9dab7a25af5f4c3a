import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { propertyRuns, sampleEvent, testSeed } from '@tapedeck/eventing/testing';
import { accountId, newId, type AccountId } from '@tapedeck/kernel';
import { checkoutStream } from '@tapedeck/payments/events';
import type { Stripe } from 'stripe';
import { payAt } from './buyers.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;

/** The events of a purchase that change something. */
const effective = [
  'customer.subscription.created',
  'customer.subscription.updated',
  'invoice.paid',
  'checkout.session.completed',
] as const;

const permutationsOf = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  items.length <= 1
    ? [items]
    : items.flatMap((item, at) =>
        permutationsOf([...items.slice(0, at), ...items.slice(at + 1)]).map((rest) => [item, ...rest]),
      );

/** Numbers from 0 to 1, the same for the same seed. */
const randomFrom = (start: number): (() => number) => {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
};

const inParallel = async <T>(items: readonly T[], lanes: number, work: (item: T) => Promise<void>) => {
  const queue = [...items];
  const lane = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
};

const buyers = 'buyer-of-orders-';

/** Buys Pro on the checkout page, as an account that has begun the checkout; nobody signs in for that. */
const buy = async (account: AccountId, at: number): Promise<void> => {
  const { stripe, config, product: opened, url } = product;
  const [intentId, email] = [newId(), `${buyers}${at}@example.com`];
  const started = {
    intentId,
    accountId: account,
    email,
    emailHash: email,
    tier: 'Pro',
    period: 'monthly',
    intro: false,
    claimSecretHash: null,
    personalSubject: account,
  } as const;
  await opened.store.append(checkoutStream(intentId), 'NO_STREAM', [sampleEvent('CheckoutStarted', started)]);
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    client_reference_id: intentId,
    subscription_data: { metadata: { intentId } },
    customer_email: email,
    line_items: [{ price: config.STRIPE_PRICE_PRO_MONTHLY, quantity: 1 }],
    success_url: `${url}/`,
    cancel_url: `${url}/`,
  });
  expect(await payAt(session.url)).not.toBeNull();
};

type Purchase = ReadonlyMap<string, Stripe.Event>;

const isOfOrders = (purchase: Purchase): boolean => {
  const session = purchase.get('checkout.session.completed')?.data.object as
    | Stripe.Checkout.Session
    | undefined;
  return session?.customer_details?.email?.startsWith(buyers) ?? false;
};

/** The events of each purchase by type, by the customer. */
const listPurchases = async (): Promise<readonly Purchase[]> => {
  const byCustomer = new Map<string, Map<string, Stripe.Event>>();
  for await (const event of product.stripe.events.list({ limit: 100 })) {
    const { customer } = event.data.object as { customer?: string };
    if (typeof customer !== 'string') continue;
    const events = byCustomer.get(customer) ?? new Map<string, Stripe.Event>();
    byCustomer.set(customer, events);
    if (!events.has(event.type)) events.set(event.type, event);
  }
  return [...byCustomer.values()].filter(isOfOrders);
};

type Membership = Readonly<Record<string, unknown>>;

const memberships = async (accounts: readonly AccountId[]): Promise<readonly Membership[]> =>
  (
    await product.product.databases.tapedeck.query<Membership>(
      `select phase, tier, period, ends_at, end_reason, extract(day from grace_until - paid_until)::int as grace_days,
              paid_until > opened_at as is_paid, count(*) as accounts
         from memberships where account_id = any($1) group by 1, 2, 3, 4, 5, 6, 7`,
      [accounts],
    )
  ).rows;

const eventsPerStream = async (
  type: string,
  accounts: readonly AccountId[],
): Promise<Readonly<{ streams: number; events: number }>> => {
  const { rows } = await product.product.databases.tapedeck.query<{ streams: number; events: number }>(
    `select count(distinct stream)::int as streams, count(*)::int as events from tape_events
      where type = $1 and stream in (
        select unnest(array['membership-' || account_id, 'subscription-' || subscription_id])
          from memberships where account_id = any($2))`,
    [type, accounts],
  );
  return rows[0] ?? { streams: 0, events: 0 };
};

describe('the webhooks of a purchase', () => {
  beforeAll(async () => {
    product = await startPaymentsProduct();
  }, 120_000);
  afterAll(() => product.close());

  const orders = permutationsOf(effective);
  /** Purchases for each order. */
  const copies = propertyRuns(21, 1);

  it('lead to one membership in every order and any number of repetitions', async () => {
    const random = randomFrom(testSeed());
    await product.control('/deliveries/hold');
    const cases = Array.from({ length: orders.length * copies }, (_, at) => at);
    const accounts = cases.map(() => accountId(newId()));
    await inParallel(cases, 8, async (at) => {
      await buy(accounts[at] ?? accountId(newId()), at);
    });
    const purchases = await listPurchases();
    expect(purchases).toHaveLength(cases.length);
    await inParallel(cases, 16, async (at) => {
      const purchase = purchases[at];
      const order = orders[at % orders.length] ?? [];
      const deliveries = order.flatMap((type) =>
        Array.from({ length: 1 + Math.floor(random() * 3) }, () => purchase?.get(type)),
      );
      for (const event of deliveries) if (event) expect(await product.sendWebhook(event)).toBe(200);
    });
    await product.settled();
    expect(await eventsPerStream('MembershipActivated', accounts)).toEqual({
      streams: cases.length,
      events: cases.length,
    });
    expect(await eventsPerStream('PaymentRecorded', accounts)).toEqual({
      streams: cases.length,
      events: cases.length,
    });
    expect(await memberships(accounts)).toEqual([
      {
        phase: 'active',
        tier: 'Pro',
        period: 'monthly',
        grace_days: 14,
        ends_at: null,
        end_reason: null,
        is_paid: true,
        accounts: String(cases.length),
      },
    ]);
  }, 300_000);
});
