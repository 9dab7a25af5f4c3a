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
const subscriber = async (
  plan = 'pro',
): Promise<Readonly<{ email: string; member: Person; subscription: string; customer: string }>> => {
  const email = `${newId().slice(-12)}@example.com`;
  const member = await memberAt(product, email);
  const sessionId = await buyAs(member, plan);
  await product.settled();
  const { subscription, customer } = await product.stripe.checkout.sessions.retrieve(sessionId);
  return { email, member, subscription: String(subscription), customer: String(customer) };
};

const expectTier = async (email: string, tier: string): Promise<void> => {
  const member = await memberAt(product, email);
  await eventually(async () => expect(await tierOf(member)).toBe(tier));
};

const countOf = async (subscription: string, type: string): Promise<number> => {
  const events = await product.product.store.readStream(`subscription-${subscription}`);
  return events.filter((event) => event.type === type).length;
};

const chargeOf = async (customer: string): Promise<string> =>
  (await product.stripe.charges.list({ customer, limit: 1 })).data[0]?.id ?? '';

describe('a subscription', () => {
  it('is extended by a renewal whose webhooks are all lost, by the reconciliation', async () => {
    const { email, subscription } = await subscriber();
    await product.control('/deliveries/rules', { action: 'drop' });
    await advance(32);
    await eventually(async () => expect(await countOf(subscription, 'PaymentRecorded')).toBe(2));
    await expectTier(email, 'Pro active');
  });

  it('is extended by a renewal of which Stripe has made no events, and the mismatch is recorded', async () => {
    const { email, subscription } = await subscriber();
    await advance(29);
    await product.control('/events/lose', { count: 50 });
    await advance(4);
    await eventually(async () => expect(await countOf(subscription, 'DriftDetected')).toBeGreaterThan(0));
    await eventually(async () => expect(await countOf(subscription, 'PaymentRecorded')).toBe(2));
    await expectTier(email, 'Pro active');
  });

  it('is in grace when its renewal fails, and active again when the new card is charged', async () => {
    const { email, customer, subscription } = await subscriber();
    await product.control('/fail-renewal', { subscription, count: 1 });
    await advance(31.5);
    await expectTier(email, 'Pro grace');
    await product.control('/card', { customer, card: 'ok' });
    await advance(3);
    await expectTier(email, 'Pro active');
  });

  it('gives no access when its grace is over', async () => {
    const { email, subscription } = await subscriber();
    await product.control('/fail-renewal', { subscription, count: 10 });
    await advance(31.5);
    await expectTier(email, 'Pro grace');
    await advance(16);
    const member = await memberAt(product, email);
    await eventually(async () => expect(await tierOf(member)).toMatch(/^Free (?:suspended|ended)$/));
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

  it('ends with a full refund, not with a part of one, and goes on when the refund fails', async () => {
    const { email, customer } = await subscriber();
    const charge = await chargeOf(customer);
    await product.control('/refunds', { charge, amount: 100 });
    await product.settled();
    await expectTier(email, 'Pro active');
    await product.control('/refunds', { charge, outcome: 'fails_later' });
    await expectTier(email, 'Free ended');
    await advance(10);
    await expectTier(email, 'Pro active');
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

  it('changes up at once and down at the end of the period', async () => {
    const { email, member } = await subscriber();
    const change = (tier: string): ReturnType<Person['send']> =>
      member.send('POST', '/api/membership/change', { tier, period: 'monthly' });
    expect((await change('Elite')).body).toMatchObject({ state: 'done' });
    await expectTier(email, 'Elite active');
    expect((await change('Pro')).body).toMatchObject({ state: 'done' });
    await expectTier(email, 'Elite active');
    await advance(33);
    await expectTier(email, 'Pro active');
  });

  it('stays as it is when the card is declined at an upgrade', async () => {
    const { email, member, customer } = await subscriber();
    await product.control('/card', { customer, card: 'declined' });
    const answer = await member.send('POST', '/api/membership/change', { tier: 'Elite', period: 'monthly' });
    expect(answer.body).toMatchObject({ state: 'refused' });
    await product.settled();
    await expectTier(email, 'Pro active');
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
