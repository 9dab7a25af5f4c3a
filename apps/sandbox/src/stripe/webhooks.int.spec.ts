import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openCheckout, pay, secret, startStandIn, type TestStandIn } from './testing/stand-in.ts';

let standIn: TestStandIn;

beforeEach(async () => {
  standIn = await startStandIn();
});

afterEach(async () => {
  await standIn.close();
  expect(standIn.errors).toEqual([]);
});

type Listed = Readonly<{ id: string; type: string; state: string; attempts: readonly { status: number }[] }>;

const listed = async (): Promise<readonly Listed[]> => (await standIn.control('/deliveries')) as Listed[];

const purchase = async (): Promise<void> => {
  await pay(standIn, await openCheckout(standIn));
};

describe('deliveries', () => {
  it('carry the object as it was at that time, in the pinned version', async () => {
    await purchase();
    await standIn.standIn.delivered();
    const { events } = standIn.receiver;
    const created = events.find(({ type }) => type === 'customer.subscription.created');
    const updated = events.find(({ type }) => type === 'customer.subscription.updated');
    expect(created).toMatchObject({
      api_version: '2026-10-28.endive',
      livemode: false,
      data: { object: { status: 'incomplete' } },
    });
    expect(updated).toMatchObject({
      data: { object: { status: 'active' }, previous_attributes: { status: 'incomplete' } },
    });
    expect(events.every((event) => Number.isInteger(event.created))).toBe(true);
    expect(await standIn.stripe.events.retrieve(created?.id ?? '')).toMatchObject({ pending_webhooks: 0 });
  });

  it('are dropped, doubled and delayed as the control API says', async () => {
    await standIn.control('/deliveries/rules', { action: 'drop', types: ['invoice.paid'] });
    await standIn.control('/deliveries/rules', {
      action: 'duplicate',
      types: ['invoice.created'],
      copies: 3,
    });
    await standIn.control('/deliveries/rules', {
      action: 'delay',
      types: ['charge.succeeded'],
      seconds: 600,
    });
    await purchase();
    const types = await standIn.delivered();
    expect(types).not.toContain('invoice.paid');
    expect(types).not.toContain('charge.succeeded');
    expect(types.filter((type) => type === 'invoice.created')).toHaveLength(3);
    await standIn.advanceDays(1);
    expect(await standIn.delivered()).toEqual(['charge.succeeded']);
    const dropped = (await listed()).find(({ state }) => state === 'dropped');
    await standIn.control('/events/resend', { id: dropped?.id });
    expect(await standIn.delivered()).toEqual(['invoice.paid']);
    expect((await standIn.stripe.events.list({ delivery_success: false })).data).toEqual([]);
  });

  it('are held, and released in any order and as often as wanted', async () => {
    await standIn.control('/deliveries/hold', {});
    await purchase();
    const ids = (await listed()).map(({ id }) => id);
    expect(standIn.receiver.events).toEqual([]);
    const order = [...ids.slice(-3).toReversed(), ...ids.slice(-1)];
    await standIn.control('/deliveries/release', { order, onlyThese: true });
    expect(standIn.receiver.events.map(({ id }) => id)).toEqual(order);
    await standIn.control('/deliveries/release', {});
    expect(new Set(standIn.receiver.events.map(({ id }) => id))).toEqual(new Set(ids));
  });

  it('are tried again while the receiver is down, and for three days at most', async () => {
    standIn.receiver.answer(500);
    await standIn.stripe.customers.create({ email: 'a@example.com' });
    await standIn.standIn.delivered();
    expect(await listed()).toMatchObject([{ state: 'waiting', attempts: [{ status: 500 }] }]);
    await standIn.advanceDays(4);
    expect(await listed()).toMatchObject([{ state: 'failed', nextAt: null }]);
    await standIn.stripe.customers.create({ email: 'b@example.com' });
    await standIn.standIn.delivered();
    standIn.receiver.answer(200);
    await standIn.advanceDays(1);
    expect(await standIn.delivered()).toEqual(['customer.created']);
  });

  it('are sent again in real time, without a move of the clock, when the receiver has recovered', async () => {
    standIn.receiver.answer(500);
    const arrived = standIn.receiver.arrived('customer.created');
    await standIn.stripe.customers.create({ email: 'a@example.com' });
    await standIn.standIn.delivered();
    standIn.receiver.answer(200);
    await arrived;
    await standIn.standIn.delivered();
    expect(await listed()).toMatchObject([{ state: 'delivered', nextAt: null }]);
  });

  it('are signed with both secrets during a rotation, and with the new one after it', async () => {
    const rotated = (await standIn.control('/secrets/rotate', { secret: 'whsec_next' })) as object;
    expect(rotated).toEqual({ secrets: ['whsec_next', secret] });
    await standIn.stripe.customers.create({ email: 'a@example.com' });
    // The receiver still verifies with the old secret.
    expect(await standIn.delivered()).toEqual(['customer.created']);
    await standIn.control('/secrets/retire', {});
    await standIn.stripe.customers.create({ email: 'b@example.com' });
    await standIn.standIn.delivered();
    expect(await listed()).toMatchObject([{ state: 'delivered' }, { state: 'waiting' }]);
  });

  it('never happen for an event that was not made, and may be of the wrong mode or of one second', async () => {
    await standIn.control('/events/lose', { count: 1 });
    await standIn.control('/events/wrong-livemode', { count: 1 });
    await standIn.control('/events/same-second', { on: true });
    const { id } = await standIn.stripe.customers.create({ email: 'a@example.com' });
    await standIn.stripe.customers.update(id, { name: 'A' });
    await standIn.advanceDays(1);
    await standIn.stripe.customers.update(id, { name: 'B' });
    await standIn.delivered();
    const { data } = await standIn.stripe.events.list();
    expect(data.map(({ type, livemode }) => [type, livemode])).toEqual([
      ['customer.updated', false],
      ['customer.updated', true],
    ]);
    expect(new Set(data.map(({ created }) => created)).size).toBe(1);
  });
});

describe('the signature', () => {
  it('may have a time in the future', async () => {
    await standIn.control('/deliveries/timestamp', { offsetSeconds: 3_600 });
    await purchase();
    expect(await standIn.delivered()).toContain('invoice.paid');
  });
});
