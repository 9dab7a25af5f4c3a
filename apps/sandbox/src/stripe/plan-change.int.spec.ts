import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Stripe } from 'stripe';
import { buy, itemOf, refusalOf, startStandIn, type TestStandIn } from './testing/stand-in.ts';

let standIn: TestStandIn;

beforeAll(async () => {
  standIn = await startStandIn();
});

afterAll(async () => {
  await standIn.close();
  expect(standIn.errors).toEqual([]);
});

const nowSeconds = (): number => Math.floor(standIn.clock.now() / 1_000);

/** The instant at which half of the period is over. */
const advanceToHalf = async (subscription: Stripe.Subscription): Promise<number> => {
  const { current_period_start: start, current_period_end: end } = itemOf(subscription);
  const half = (start + end) / 2;
  await standIn.advanceTo(half);
  return half;
};

const upgrade = (subscription: Stripe.Subscription, price: string) =>
  standIn.stripe.subscriptions.update(subscription.id, {
    items: [{ id: itemOf(subscription).id, price }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
    proration_date: nowSeconds(),
    expand: ['latest_invoice'],
  });

describe('an upgrade', () => {
  it('in the reduced month credits what was paid, and charges what the preview has shown', async () => {
    const subscription = await buy(standIn, { coupon: 'pro_intro' });
    const half = await advanceToHalf(subscription);
    const preview = await standIn.stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: {
        items: [{ id: itemOf(subscription).id, price: 'price_elite_monthly' }],
        proration_behavior: 'always_invoice',
        proration_date: half,
      },
    });
    // Half of 4.99 is returned, half of 19.99 is charged.
    expect(preview.lines.data.map(({ amount }) => amount)).toEqual([-250, 1_000]);
    expect(preview.amount_due).toBe(750);
    const upgraded = await upgrade(subscription, 'price_elite_monthly');
    expect(upgraded).toMatchObject({
      status: 'active',
      pending_update: null,
      items: {
        data: [
          {
            price: { id: 'price_elite_monthly' },
            current_period_end: itemOf(subscription).current_period_end,
          },
        ],
      },
      latest_invoice: { amount_paid: 750, status: 'paid', billing_reason: 'subscription_update' },
    });
    await standIn.advanceTo(itemOf(subscription).current_period_end + 3_600);
    const renewed = await standIn.stripe.subscriptions.retrieve(subscription.id, {
      expand: ['latest_invoice'],
    });
    expect(renewed.latest_invoice).toMatchObject({ amount_paid: 1_999 });
  });

  it('to a year begins a new period now', async () => {
    const subscription = await buy(standIn);
    const half = await advanceToHalf(subscription);
    const upgraded = await upgrade(subscription, 'price_pro_annual');
    expect(upgraded).toMatchObject({
      billing_cycle_anchor: half,
      latest_invoice: { amount_paid: 7_499 - 500 },
      items: { data: [{ current_period_start: half }] },
    });
    expect(itemOf(upgraded).current_period_end - half).toBe(365 * 86_400);
  });

  it('that is declined stays pending, changes nothing, and applies when its invoice is paid', async () => {
    const subscription = await buy(standIn, { card: 'fails_at_renewal' });
    await standIn.delivered();
    const pending = await upgrade(subscription, 'price_elite_monthly');
    expect(pending).toMatchObject({
      status: 'active',
      items: { data: [{ price: { id: 'price_pro_monthly' } }] },
      pending_update: { subscription_items: [{ price: { id: 'price_elite_monthly' } }] },
      latest_invoice: { status: 'open', next_payment_attempt: null },
    });
    expect(await standIn.delivered()).toContain('invoice.payment_failed');
    await standIn.control('/card', { customer: subscription.customer, card: 'ok' });
    const { latest_invoice: invoice } = pending;
    await standIn.stripe.invoices.pay(typeof invoice === 'object' ? (invoice?.id ?? '') : '');
    expect(await standIn.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      pending_update: null,
      items: { data: [{ price: { id: 'price_elite_monthly' } }] },
    });
    expect(await standIn.delivered()).toContain('customer.subscription.pending_update_applied');
  });

  it('that is pending is replaced by a further one', async () => {
    const subscription = await buy(standIn, { card: 'fails_at_renewal' });
    const { latest_invoice: first } = await upgrade(subscription, 'price_elite_monthly');
    const again = await upgrade(subscription, 'price_elite_annual');
    expect(again.pending_update?.subscription_items).toMatchObject([{ price: { id: 'price_elite_annual' } }]);
    const replaced = await standIn.stripe.invoices.retrieve(
      typeof first === 'object' ? (first?.id ?? '') : '',
    );
    expect(replaced.status).toBe('void');
  });

  it('that is not paid lapses after 23 hours, and its invoice is void', async () => {
    const subscription = await buy(standIn, { card: 'fails_at_renewal' });
    const pending = await upgrade(subscription, 'price_elite_monthly');
    await standIn.advanceTo(pending.pending_update?.expires_at ?? 0);
    expect(
      await standIn.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] }),
    ).toMatchObject({
      pending_update: null,
      items: { data: [{ price: { id: 'price_pro_monthly' } }] },
      latest_invoice: { status: 'void' },
    });
    expect(await standIn.delivered()).toContain('customer.subscription.pending_update_expired');
  });

  it('is undone altogether when it must be paid and is not', async () => {
    const subscription = await buy(standIn, { card: 'fails_at_renewal' });
    const before = await standIn.stripe.invoices.list({ subscription: subscription.id });
    const refused = await refusalOf(
      standIn.stripe.subscriptions.update(subscription.id, {
        items: [{ id: itemOf(subscription).id, price: 'price_elite_monthly' }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
      }),
    );
    expect(refused).toMatchObject({ statusCode: 402, code: 'card_declined' });
    const after = await standIn.stripe.invoices.list({ subscription: subscription.id });
    expect(after.data.map(({ id }) => id)).toEqual(before.data.map(({ id }) => id));
  });
});

describe('a further item', () => {
  const withFurther = async (): Promise<Stripe.Subscription> => {
    const { id } = await buy(standIn);
    const { id: product } = await standIn.stripe.products.create({ name: 'Support by telephone' });
    const recurring = { interval: 'month' } as const;
    const price = await standIn.stripe.prices.create({
      product,
      currency: 'usd',
      unit_amount: 500,
      recurring,
    });
    const items = [{ price: price.id }];
    return standIn.stripe.subscriptions.update(id, { items, proration_behavior: 'none' });
  };
  const amountsOf = async ({ id }: Stripe.Subscription): Promise<readonly number[]> => {
    const { data } = await standIn.stripe.invoices.list({ subscription: id, limit: 1 });
    return data[0]?.lines.data.map(({ amount }) => amount) ?? [];
  };

  it('is charged from the next period on, and neither credited nor charged by a change of the other', async () => {
    const subscription = await withFurther();
    const [further, first] = subscription.items.data;
    expect(await amountsOf(subscription)).toEqual([999]);
    await standIn.advanceTo((first?.current_period_end ?? 0) + 3_600);
    expect(await amountsOf(subscription)).toEqual([500, 999]);
    const renewed = await standIn.stripe.subscriptions.retrieve(subscription.id);
    await advanceToHalf(renewed);
    const upgraded = await standIn.stripe.subscriptions.update(subscription.id, {
      items: [{ id: first?.id ?? '', price: 'price_elite_monthly' }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'pending_if_incomplete',
    });
    expect(upgraded.items.data.map(({ price }) => price.id)).toEqual([
      further?.price.id,
      'price_elite_monthly',
    ]);
    expect(await amountsOf(subscription)).toEqual([-500, 1_000]);
  });

  it('ends at once when the current phase of a schedule does not name it', async () => {
    const subscription = await withFurther();
    const { id, phases } = await standIn.stripe.subscriptionSchedules.create({
      from_subscription: subscription.id,
    });
    expect(phases[0]?.items).toHaveLength(2);
    const { start_date = 0, end_date = 0 } = phases[0] ?? {};
    const items = [{ price: 'price_pro_monthly' }];
    await standIn.stripe.subscriptionSchedules.update(id, { phases: [{ items, start_date, end_date }] });
    const { items: left } = await standIn.stripe.subscriptions.retrieve(subscription.id);
    expect(left.data.map(({ price }) => price.id)).toEqual(['price_pro_monthly']);
  });

  it('is refused with another interval', async () => {
    const subscription = await buy(standIn);
    const items = [{ price: 'price_elite_annual' }];
    const added = standIn.stripe.subscriptions.update(subscription.id, { items, proration_behavior: 'none' });
    expect((await refusalOf(added)).message).toContain('the same interval');
  });
});

describe('a downgrade', () => {
  const schedule = async (subscription: Stripe.Subscription): Promise<Stripe.SubscriptionSchedule> => {
    const { id, phases } = await standIn.stripe.subscriptionSchedules.create({
      from_subscription: subscription.id,
    });
    const [current] = phases;
    return standIn.stripe.subscriptionSchedules.update(id, {
      end_behavior: 'release',
      proration_behavior: 'none',
      phases: [
        {
          items: [{ price: itemOf(subscription).price.id, quantity: 1 }],
          start_date: current?.start_date ?? 0,
          end_date: current?.end_date ?? 0,
        },
        {
          items: [{ price: 'price_pro_monthly', quantity: 1 }],
          start_date: current?.end_date ?? 0,
          duration: { interval: 'month', interval_count: 1 },
        },
      ],
    });
  };

  it('by a schedule applies at the end of the period, without a credit, and then releases', async () => {
    const subscription = await buy(standIn, { price: 'price_elite_annual' });
    const { id } = await schedule(subscription);
    const end = itemOf(subscription).current_period_end;
    const refused = await refusalOf(
      standIn.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }),
    );
    expect(refused.message).toContain(`managed by the subscription schedule \`${id}\``);
    await standIn.advanceTo(end + 3_600);
    const renewed = await standIn.stripe.subscriptions.retrieve(subscription.id, {
      expand: ['latest_invoice', 'schedule'],
    });
    expect(renewed).toMatchObject({
      status: 'active',
      schedule: { status: 'active', current_phase: { start_date: end } },
      items: { data: [{ price: { id: 'price_pro_monthly' }, current_period_start: end }] },
      latest_invoice: { amount_paid: 999 },
    });
    await standIn.advanceTo(itemOf(renewed).current_period_end + 3_600);
    expect(await standIn.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      schedule: null,
      status: 'active',
    });
    expect(await standIn.stripe.subscriptionSchedules.retrieve(id)).toMatchObject({
      status: 'released',
      released_subscription: subscription.id,
    });
  });

  it('that is released before its time changes nothing', async () => {
    const subscription = await buy(standIn, { price: 'price_elite_monthly' });
    const { id } = await schedule(subscription);
    expect(await standIn.stripe.subscriptionSchedules.release(id)).toMatchObject({ status: 'released' });
    await standIn.advanceTo(itemOf(subscription).current_period_end + 3_600);
    expect(await standIn.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      schedule: null,
      items: { data: [{ price: { id: 'price_elite_monthly' } }] },
    });
  });

  it('with prorations that wait is charged with the next period, as the preview shows', async () => {
    const subscription = await buy(standIn, { price: 'price_elite_monthly' });
    await advanceToHalf(subscription);
    const items = [{ id: itemOf(subscription).id, price: 'price_pro_monthly' }];
    const details = { items, proration_behavior: 'create_prorations' } as const;
    const preview = await standIn.stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: details,
    });
    const changed = await standIn.stripe.subscriptions.update(subscription.id, details);
    expect(changed.latest_invoice).toBe(subscription.latest_invoice);
    await standIn.advanceTo(itemOf(subscription).current_period_end + 3_600);
    const [invoice] = (await standIn.stripe.invoices.list({ subscription: subscription.id })).data;
    const amountsOf = (of: Stripe.Invoice | undefined) => of?.lines.data.map(({ amount }) => amount);
    expect(amountsOf(invoice)).toEqual([-1_000, 500, 999]);
    expect(amountsOf(preview)).toEqual(amountsOf(invoice));
    expect(invoice?.amount_paid).toBe(499);
  });

  it('at once leaves a credit that the next invoice uses', async () => {
    const subscription = await buy(standIn, { price: 'price_elite_monthly' });
    await advanceToHalf(subscription);
    await upgrade(subscription, 'price_pro_monthly');
    const customer = String(subscription.customer);
    expect(await standIn.stripe.customers.retrieve(customer)).toMatchObject({ balance: -500 });
    await standIn.advanceTo(itemOf(subscription).current_period_end + 3_600);
    const [invoice] = (await standIn.stripe.invoices.list({ subscription: subscription.id })).data;
    expect(invoice).toMatchObject({ total: 999, amount_paid: 499, starting_balance: -500 });
    expect(await standIn.stripe.customers.retrieve(customer)).toMatchObject({ balance: 0 });
  });
});
