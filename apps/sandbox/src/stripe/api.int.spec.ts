import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  buy,
  clientOf,
  openCheckout,
  refusalOf,
  startStandIn,
  type TestStandIn,
} from './testing/stand-in.ts';

let standIn: TestStandIn;

beforeAll(async () => {
  standIn = await startStandIn();
});

afterAll(async () => {
  await standIn.close();
  expect(standIn.errors).toEqual([]);
});

const create = (email: string, idempotencyKey: string) =>
  standIn.stripe.customers.create({ email }, { idempotencyKey });

describe('idempotency keys', () => {
  it('repeat the answer, and refuse other parameters', async () => {
    const first = await create('a@example.com', 'key-1');
    const again = await create('a@example.com', 'key-1');
    expect(again.id).toBe(first.id);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(await refusalOf(create('b@example.com', 'key-1'))).toMatchObject({
      statusCode: 400,
      type: 'StripeIdempotencyError',
    });
  });

  it('repeat an error too', async () => {
    const wrong = () => standIn.stripe.refunds.create({ charge: 'ch_unknown' }, { idempotencyKey: 'key-2' });
    const [first, again] = [await refusalOf(wrong()), await refusalOf(wrong())];
    expect([first.code, again.code]).toEqual(['resource_missing', 'resource_missing']);
    expect(again.headers?.['idempotent-replayed']).toBe('true');
  });

  it('refuse a second request while the first is in progress', async () => {
    await standIn.control('/calls/latency', { ms: 100 });
    const answers = await Promise.allSettled([
      create('c@example.com', 'key-3'),
      create('c@example.com', 'key-3'),
    ]);
    await standIn.control('/calls/clear', {});
    const refused = answers.find(({ status }) => status === 'rejected');
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(refused).toMatchObject({ reason: { statusCode: 409, code: 'idempotency_key_in_use' } });
  });

  it('let a client repeat a call whose answer was lost, without a second effect', async () => {
    const patient = clientOf(standIn.url, 2);
    await standIn.control('/calls/fail', { kind: 'lose_answer', path: '/v1/customers' });
    await standIn.control('/requests/reset', {});
    const customer = await patient.customers.create({ email: 'lost@example.com' });
    const { data } = await standIn.stripe.customers.list({ email: 'lost@example.com' });
    expect(data.map(({ id }) => id)).toEqual([customer.id]);
    const requests = (await standIn.control('/requests')) as { method: string; idempotencyKey: string }[];
    const posts = requests.filter(({ method }) => method === 'POST');
    expect(posts).toHaveLength(2);
    expect(new Set(posts.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });
});

describe('errors', () => {
  it('name the parameter that is unknown, missing or wrong', async () => {
    const { stripe } = standIn;
    const typo: object = { emial: 'a@example.com' };
    expect(await refusalOf(stripe.customers.create(typo))).toMatchObject({
      code: 'parameter_unknown',
      param: 'emial',
    });
    expect(await refusalOf(stripe.billingPortal.sessions.create({}))).toMatchObject({
      code: 'parameter_missing',
      param: 'customer',
    });
    expect(await refusalOf(openCheckout(standIn, { price: 'price_other' }))).toMatchObject({
      code: 'resource_missing',
      param: 'line_items[0][price]',
    });
    expect(await refusalOf(stripe.subscriptions.retrieve('sub_other'))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
    expect(await refusalOf(stripe.customers.list({ limit: 101 }))).toMatchObject({ param: 'limit' });
    expect(await refusalOf(stripe.balance.retrieve())).toMatchObject({ statusCode: 404 });
  });

  it('refuse a key that is no test key, and another version', async () => {
    const url = `${standIn.url}/v1/customers`;
    expect((await fetch(url)).status).toBe(401);
    const headers = { authorization: 'Bearer sk_live_1' };
    expect((await fetch(url, { headers })).status).toBe(401);
    const old = { authorization: 'Bearer sk_test_1', 'stripe-version': '2020-08-27' };
    expect((await fetch(url, { headers: old })).status).toBe(400);
  });

  it('come when they are asked for', async () => {
    const read = () => standIn.stripe.customers.list();
    await standIn.control('/calls/fail', { kind: 'error' });
    await standIn.control('/calls/fail', { kind: 'rate_limit' });
    expect([(await refusalOf(read())).statusCode, (await refusalOf(read())).statusCode]).toEqual([500, 429]);
    expect((await read()).object).toBe('list');
    await standIn.control('/calls/fail', { kind: 'hang' });
    const hanging = refusalOf(standIn.stripe.customers.list({}, { timeout: 50 }));
    expect((await hanging).type).toBe('StripeConnectionError');
  });
});

describe('lists', () => {
  it('are paged in both directions without a gap', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 7; n++)
      ids.push((await standIn.stripe.customers.create({ email: 'p@example.com' })).id);
    const list = (params: object) =>
      standIn.stripe.customers.list({ email: 'p@example.com', limit: 3, ...params });
    const all = await list({}).autoPagingToArray({ limit: 100 });
    expect(all.map(({ id }) => id)).toEqual(ids.toReversed());
    const before = await list({ ending_before: ids[1] });
    expect(before.data.map(({ id }) => id)).toEqual([ids[4], ids[3], ids[2]]);
    expect(before.has_more).toBe(true);
  });

  it('of subscriptions are filtered by state, customer and end of the period', async () => {
    const subscription = await buy(standIn);
    const other = await buy(standIn);
    await standIn.stripe.subscriptions.cancel(other.id);
    const idsOf = async (params: object): Promise<readonly string[]> =>
      (await standIn.stripe.subscriptions.list(params)).data.map(({ id }) => id);
    expect(await idsOf({})).not.toContain(other.id);
    expect(await idsOf({ status: 'all' })).toContain(other.id);
    expect(await idsOf({ customer: String(subscription.customer) })).toEqual([subscription.id]);
    const end = subscription.items.data[0]?.current_period_end ?? 0;
    expect(await idsOf({ status: 'all', current_period_end: { lt: end } })).toEqual([]);
    expect(await idsOf({ current_period_end: { lte: end } })).toContain(subscription.id);
  });

  it('of events are filtered by type, time and delivery', async () => {
    await standIn.control('/deliveries/rules', { action: 'drop', types: ['invoice.paid'] });
    await buy(standIn);
    await standIn.delivered();
    await standIn.control('/deliveries/rules/clear', {});
    const list = standIn.stripe.events.list.bind(standIn.stripe.events);
    const undelivered = await list({ delivery_success: false });
    expect(undelivered.data).toMatchObject([{ type: 'invoice.paid', pending_webhooks: 1 }]);
    const types = ['invoice.paid', 'invoice.created'];
    const some = await list({ types, delivery_success: true, limit: 100 });
    expect(new Set(some.data.map(({ type }) => type))).toEqual(new Set(types));
    const later = Math.floor(standIn.clock.now() / 1_000) + 1;
    expect((await list({ created: { gte: later } })).data).toEqual([]);
  });
});
