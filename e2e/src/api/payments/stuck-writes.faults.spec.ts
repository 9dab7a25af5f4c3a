import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { pendingEvents } from '@tapedeck/eventing/reactions';
import { eventually } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import { operationsRoutes } from '@tapedeck/operations/contract';
import { queueRoutes, Queues } from '@tapedeck/payments/contract';
import { buyAs, memberAt, supportAt, type Answer, type Person } from './buyers.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;
beforeAll(async () => {
  product = await startPaymentsProduct({}, { maxAttempts: 1 });
}, 120_000);
afterAll(() => product.close());
afterEach(async () => {
  await product.control('/calls/clear');
  await product.control('/deliveries/release');
});

type Subscriber = Readonly<{ member: Person; stream: string; subscription: string; customer: string }>;

const subscriber = async (plan = 'pro'): Promise<Subscriber> => {
  const member = await memberAt(product, `${newId().slice(-12)}@example.com`);
  const sessionId = await buyAs(member, plan);
  await product.settled();
  const session = await product.stripe.checkout.sessions.retrieve(sessionId);
  const [subscription, customer] = [String(session.subscription), String(session.customer)];
  return { member, subscription, customer, stream: `subscription-${subscription}` };
};

const cancel = (member: Person): Promise<Answer> => member.send('POST', '/api/cancel-subscription');
const resume = (member: Person): Promise<Answer> => member.send('POST', '/api/membership/resume');
const billingOf = async (member: Person): Promise<unknown> =>
  (await member.get('/api/membership/billing')).body['subscription'];

const parkedOf = async (stream: string): Promise<number> =>
  (await pendingEvents(product.product.databases.tapedeck, { stream, states: ['parked'] })).length;

/** Every change of a subscription, or every end of one, is answered with an error. */
const failWrites = (method: 'POST' | 'DELETE'): Promise<unknown> =>
  product.control('/calls/fail', { kind: 'error', count: 100, path: '/v1/subscriptions', method });

const isParked = (stream: string): Promise<void> =>
  eventually(async () => expect(await parkedOf(stream)).toBe(1), 20_000);

/** The clock moves on until the reconciliation has run. */
const reconcile = async (stream: string): Promise<void> => {
  await product.control('/calls/clear');
  await product.control('/clock', { seconds: 600 });
  await eventually(async () => expect(await parkedOf(stream)).toBe(0), 20_000);
};

const positionOf = async (stream: string): Promise<string> =>
  String((await pendingEvents(product.product.databases.tapedeck, { stream }))[0]?.position);

const decide = async (decision: 'ignore' | 'restore', position: string): Promise<void> => {
  const body = { consumer: 'stripe-writes', position, reason: 'It is not wanted.' };
  const answer = await (await supportAt(product)).send('POST', operationsRoutes[decision], body);
  expect(answer.status).toBeLessThan(300);
};

const heldAnswers = async (): Promise<unknown> =>
  (await fetch(`${product.sandbox}/_control/stripe/calls/held`)).json();

describe('a change at Stripe', () => {
  it('that Stripe refuses for good ends as refused with the reason, and can be tried again', async () => {
    const { member } = await subscriber('elite');
    const toPro = (): Promise<Answer> =>
      member.send('POST', '/api/membership/change', { tier: 'Pro', period: 'monthly' });
    await product.control('/calls/fail', { kind: 'refuse', path: '/v1/subscription_schedules' });
    const message = 'The payment provider did not accept the change: reload the page, then try again.';
    expect((await toPro()).body).toMatchObject({ state: 'refused', message });
    expect(await billingOf(member)).toMatchObject({ processing: null, refused: { message } });
    expect((await toPro()).body).toMatchObject({ state: 'done' });
    expect(await billingOf(member)).toMatchObject({ refused: null, scheduledPlan: { tier: 'Pro' } });
  });

  it('whose answers were all lost is done when the reconciliation finds it at Stripe', async () => {
    const { member, stream } = await subscriber();
    await product.control('/deliveries/hold');
    await product.control('/calls/fail', {
      kind: 'lose_answer',
      count: 100,
      path: '/v1/subscriptions',
      method: 'POST',
    });
    const begun = cancel(member);
    await isParked(stream);
    expect((await resume(member)).body).toMatchObject({ code: 'CHANGE_UNDER_WAY' });
    await reconcile(stream);
    await begun;
    expect(await billingOf(member)).toMatchObject({
      processing: null,
      refused: null,
      endsAt: expect.any(String),
    });
    expect((await resume(member)).body).toMatchObject({ state: 'done' });
  }, 120_000);

  it('that never reached Stripe is refused by the reconciliation, and can be tried again', async () => {
    const { member, stream } = await subscriber();
    await failWrites('POST');
    const begun = cancel(member);
    await isParked(stream);
    await reconcile(stream);
    await begun;
    expect(await billingOf(member)).toMatchObject({
      processing: null,
      endsAt: null,
      refused: { message: 'The payment provider did not answer, and nothing was changed: try again.' },
    });
    expect((await cancel(member)).body).toMatchObject({ state: 'done' });
  }, 120_000);

  it('that ends what is not paid any more is tried until it is done', async () => {
    const { stream, subscription, customer } = await subscriber();
    const { data } = await product.stripe.charges.list({ customer, limit: 1 });
    await failWrites('DELETE');
    await product.control('/refunds', { charge: data[0]?.id });
    await isParked(stream);
    await reconcile(stream);
    await eventually(async () =>
      expect((await product.stripe.subscriptions.retrieve(subscription)).status).toBe('canceled'),
    );
  }, 120_000);

  it('that somebody ignores is over, and the member can make another one', async () => {
    const { member, stream } = await subscriber();
    await failWrites('POST');
    const begun = cancel(member);
    await isParked(stream);
    await product.control('/calls/clear');
    await decide('ignore', await positionOf(stream));
    await begun;
    await eventually(async () =>
      expect(await billingOf(member)).toMatchObject({
        processing: null,
        endsAt: null,
        refused: {
          message: 'Support has stopped the change before it was made: reload the page, then try again.',
        },
      }),
    );
    expect((await cancel(member)).body).toMatchObject({ state: 'done' });
  }, 120_000);

  it('that the product owes stands among the refused ones when somebody ignores it, until it is restored', async () => {
    const { stream, subscription, customer } = await subscriber();
    const { data } = await product.stripe.charges.list({ customer, limit: 1 });
    await failWrites('DELETE');
    await product.control('/refunds', { charge: data[0]?.id });
    await isParked(stream);
    await product.control('/calls/clear');
    const position = await positionOf(stream);
    const refused = async (): Promise<Queues['refused']['items']> => {
      await product.settled();
      const { body } = await (await supportAt(product)).get(queueRoutes.queues);
      return Queues.parse(body).refused.items.filter((item) => item.subscriptionId === subscription);
    };
    await decide('ignore', position);
    await eventually(async () =>
      expect(await refused()).toMatchObject([{ kind: 'end-now', code: 'IGNORED', isRepeated: false }]),
    );
    await decide('restore', position);
    await eventually(async () =>
      expect((await product.stripe.subscriptions.retrieve(subscription)).status).toBe('canceled'),
    );
    expect(await refused()).toEqual([]);
  }, 120_000);

  it('that takes long is followed with a handful of reads of its stream', async () => {
    const [{ member, stream }, other] = [await subscriber(), await subscriber()];
    const path = '/v1/subscriptions';
    await product.control('/calls/fail', { kind: 'hold_answer', path, method: 'POST' });
    const { store } = product.product;
    const readStream = jest.spyOn(store, 'readStream');
    const begun = cancel(member);
    await eventually(async () => expect(await heldAnswers()).toEqual({ held: 1 }));
    for (const change of [cancel, resume, cancel, resume])
      expect((await change(other.member)).body).toMatchObject({ state: 'done' });
    await product.control('/calls/release');
    expect((await begun).body).toMatchObject({ state: 'done' });
    const reads = readStream.mock.calls.filter(([name]) => name === stream).length;
    readStream.mockRestore();
    // Those of the effect, which runs in this process here, are among them.
    expect(reads).toBeLessThanOrEqual(12);
  });

  it('that is undone while it is read is not the last word, although it is recorded last', async () => {
    const { member, subscription } = await subscriber();
    // Its query distinguishes the reading after the change from the one before it.
    const reading = `/v1/subscriptions/${subscription}?`;
    await product.control('/calls/fail', { kind: 'hold_answer', path: reading, method: 'GET' });
    const begun = cancel(member);
    await eventually(async () => expect(await heldAnswers()).toEqual({ held: 1 }));
    await product.stripe.subscriptions.update(subscription, { cancel_at_period_end: false });
    await product.control('/deliveries/idle');
    await eventually(async () => {
      const { tapedeck } = product.product.databases;
      expect(await pendingEvents(tapedeck, { reaction: 'stripe-events' })).toEqual([]);
    });
    await product.control('/calls/release');
    expect((await begun).body).toMatchObject({ state: 'done' });
    await eventually(async () => expect(await billingOf(member)).toMatchObject({ endsAt: null }));
  });
});
