import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import { buyAs, mailsTo, memberAt, tierOf, type Person } from './buyers.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;
beforeAll(async () => {
  product = await startPaymentsProduct();
}, 120_000);
afterAll(() => product.close());
afterEach(async () => {
  await product.control('/calls/clear');
  await product.control('/deliveries/rules/clear');
  await product.control('/deliveries/release');
});

const daySeconds = 86_400;
const advance = (days: number): Promise<unknown> =>
  product.control('/clock', { seconds: Math.round(days * daySeconds) });

/** A member with a subscription. After the clock has moved they have to sign in again. */
type Subscriber = Readonly<{ email: string; member: Person; subscription: string; customer: string }>;

const subscriber = async (plan = 'pro'): Promise<Subscriber> => {
  const email = `${newId().slice(-12)}@example.com`;
  const member = await memberAt(product, email);
  const sessionId = await buyAs(member, plan);
  await product.settled();
  const { subscription, customer } = await product.stripe.checkout.sessions.retrieve(sessionId);
  return { email, member, subscription: String(subscription), customer: String(customer) };
};

const expectTier = async (email: string, tier: string): Promise<void> => {
  const member = await memberAt(product, email);
  await eventually(async () => expect(await tierOf(member)).toMatch(new RegExp(`^${tier}$`)));
};

const countOf = async (subscription: string, type: string): Promise<number> => {
  const events = await product.product.store.readStream(`subscription-${subscription}`);
  return events.filter((event) => event.type === type).length;
};

const chargeOf = async (customer: string): Promise<string> =>
  (await product.stripe.charges.list({ customer, limit: 1 })).data[0]?.id ?? '';

const change = async ({ member }: Subscriber, tier: string, state: string): Promise<void> => {
  const answer = await member.send('POST', '/api/membership/change', { tier, period: 'monthly' });
  expect(answer.body).toMatchObject({ state });
};
const useCard = ({ customer }: Subscriber, card: string): Promise<unknown> =>
  product.control('/card', { customer, card });
const failRenewals = ({ subscription }: Subscriber, count: number): Promise<unknown> =>
  product.control('/fail-renewal', { subscription, count });

type Life = Readonly<{
  begins: (subscriber: Subscriber) => Promise<unknown>;
  /** The tier and status on some days. */
  tiers: Readonly<Record<number, string>>;
  /** What happens on a day, after the tier of that day. */
  acts?: Readonly<Record<number, (subscriber: Subscriber) => Promise<unknown>>>;
}>;

const lives: Readonly<Record<string, Life>> = {
  'ends with a full refund, not with a part of one, and goes on when the refund fails': {
    begins: async ({ email, customer }) => {
      const charge = await chargeOf(customer);
      await product.control('/refunds', { charge, amount: 100 });
      await product.settled();
      await expectTier(email, 'Pro active');
      await product.control('/refunds', { charge, outcome: 'fails_later' });
    },
    tiers: { 0: 'Free ended', 10: 'Pro active' },
  },
  'is in grace when its renewal fails, and active again when the new card is charged': {
    begins: (one) => failRenewals(one, 1),
    tiers: { 31.5: 'Pro grace', 34.5: 'Pro active' },
    acts: { 31.5: (one) => useCard(one, 'ok') },
  },
  'gives no access when its grace is over': {
    begins: (one) => failRenewals(one, 10),
    tiers: { 31.5: 'Pro grace', 47.5: 'Free (?:suspended|ended)' },
  },
  'changes up at once and down at the end of the period': {
    begins: async (one) => {
      await change(one, 'Elite', 'done');
      await expectTier(one.email, 'Elite active');
      await change(one, 'Pro', 'done');
    },
    tiers: { 0: 'Elite active', 34.5: 'Pro active' },
  },
  'stays as it is when the card is declined at an upgrade': {
    begins: async (one) => {
      await useCard(one, 'declined');
      await change(one, 'Elite', 'refused');
      await product.settled();
    },
    tiers: { 0: 'Pro active' },
  },
};

/** Until noon of the first of a month with 31 days: what happens after a renewal is looked at on fixed days. */
const daysToLongMonth = (now: number): number => {
  const dayMs = daySeconds * 1_000;
  const date = new Date(now);
  const firstOf = (month: number): number => Date.UTC(date.getUTCFullYear(), month, 1, 12);
  const months = [1, 2, 3].map((later) => date.getUTCMonth() + later);
  const long = months.find((month) => firstOf(month + 1) - firstOf(month) === 31 * dayMs) ?? 0;
  return (firstOf(long) - now) / dayMs;
};

describe('on one calendar, a subscription', () => {
  const subscribers = new Map<string, Subscriber>();
  const failures = new Map<string, unknown>();
  const perform = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    if (!failures.has(name)) await work().catch((error: unknown) => failures.set(name, error));
  };

  const liveThrough = async (day: number): Promise<void> => {
    for (const [name, { tiers, acts }] of Object.entries(lives)) {
      const [one, tier, act] = [subscribers.get(name), tiers[day], acts?.[day]];
      if (!one || tier === undefined) continue;
      await perform(name, async () => {
        await expectTier(one.email, tier);
        await act?.(one);
      });
    }
  };

  // A day costs the same for one subscription as for all of them.
  beforeAll(async () => {
    await advance(daysToLongMonth(product.clock.now()));
    for (const [name, { begins }] of Object.entries(lives)) {
      const one = await subscriber();
      subscribers.set(name, one);
      await perform(name, () => begins(one));
    }
    const days = new Set(Object.values(lives).flatMap(({ tiers }) => Object.keys(tiers).map(Number)));
    let today = 0;
    for (const day of [...days].toSorted((a, b) => a - b)) {
      if (day > today) await advance(day - today);
      await product.settled();
      today = day;
      await liveThrough(day);
    }
  }, 180_000);

  it.each(Object.keys(lives))('%s', (name) => {
    expect(failures.get(name)).toBeUndefined();
  });
});

describe('the reactions', () => {
  it('change nothing when all events are handled again, and ask nothing of Stripe', async () => {
    await subscriber('elite');
    await product.settled();
    const head = await product.product.store.head();
    await product.control('/requests/reset');
    await product.replayReactions();
    const { rows } = await product.product.databases.tapedeck.query<{ stream: string; type: string }>(
      'select stream, type from tape_events where position > $1',
      [String(head)],
    );
    expect(rows).toEqual([]);
    const log = await fetch(`${product.sandbox}/_control/stripe/requests`);
    expect(await log.json()).toEqual([]);
  });
});

describe('a subscription', () => {
  it('is extended by a renewal whose webhooks are all lost, by the reconciliation', async () => {
    const { email, subscription } = await subscriber();
    await product.control('/deliveries/rules', { action: 'drop' });
    await advance(32);
    await eventually(async () => expect(await countOf(subscription, 'PaymentRecorded')).toBe(2));
    await expectTier(email, 'Pro active');
  });

  it('whose grace ends while Stripe is silent learns it once, also when Stripe speaks later', async () => {
    const { email, subscription } = await subscriber();
    await product.control('/deliveries/hold');
    await product.control('/fail-renewal', { subscription, count: 10 });
    await product.control('/calls/fail', { kind: 'error', count: 100_000, method: 'GET' });
    await advance(33);
    await expectTier(email, 'Pro grace');
    await advance(14);
    await expectTier(email, 'Free suspended');
    const ends = async (): Promise<readonly string[]> =>
      (await mailsTo(product, email)).map(({ subject }) => subject).filter((text) => /ended/.test(text));
    await eventually(async () => expect(await ends()).toEqual(['Your access has ended']));
    await product.control('/calls/clear');
    await product.control('/deliveries/release');
    await expectTier(email, 'Free ended');
    await product.settled();
    expect(await ends()).toEqual(['Your access has ended']);
  });

  it('keeps its access during a dispute, in which nothing new can be bought, and ends when that is lost', async () => {
    const { email, customer } = await subscriber();
    const dispute = (await product.control('/disputes', { charge: await chargeOf(customer) })) as {
      id: string;
    };
    const member = await memberAt(product, email);
    await eventually(async () => {
      const { body } = await member.get('/api/membership/billing');
      expect(body).toMatchObject({ subscription: { isDisputed: true } });
    });
    expect(await tierOf(member)).toBe('Pro active');
    const change = { tier: 'Elite', period: 'monthly' };
    expect((await member.send('POST', '/api/membership/change', change)).body).toMatchObject({
      code: 'PAYMENT_DISPUTED',
    });
    await product.control('/disputes/close', { id: dispute.id, outcome: 'lost' });
    await expectTier(email, 'Free ended');
  });
});
