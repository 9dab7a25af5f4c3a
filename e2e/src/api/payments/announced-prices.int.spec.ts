import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import {
  AnnouncedPrices,
  Billing,
  moneyRoutes,
  paymentRoutes,
  PricePreview,
  priceRoutes,
  queueRoutes,
  Queues,
} from '@tapedeck/payments/contract';
import { mailsTo, memberAt, type Person, type ShownMail } from './buyers.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';
import { codeOf, newEmail, reason, staffAt, subscriberAt, type Subscriber } from './support-people.ts';

const daySeconds = 86_400;
const admins = 'admin@example.com';

let product: PaymentsProduct;
beforeAll(async () => {
  // At Stripe Pro by the month has another amount than this setting says.
  product = await startPaymentsProduct({ PRO_MONTHLY_AMOUNT: '1099' });
  await staffAt(product, 'admin', admins);
}, 120_000);
afterAll(() => product.close());

const advance = async (days: number): Promise<void> => {
  await product.control('/clock', { seconds: Math.round(days * daySeconds) });
  await product.settled();
};

const daysUntil = (time: string): number => (Date.parse(time) - product.clock.now()) / (daySeconds * 1_000);

type Plan = Readonly<{ tier: 'Pro' | 'Elite'; period: 'monthly' | 'annual' }>;

/** Sold at another price than today; the plan of the specs is a different one each time. */
const formerPrice = async ({ tier, period }: Plan, amount: number): Promise<string> => {
  const { id } = await product.stripe.prices.create({
    product: `prod_${tier.toLowerCase()}`,
    currency: 'usd',
    unit_amount: amount,
    recurring: { interval: period === 'monthly' ? 'month' : 'year' },
    metadata: { tapedeck_plan: `${tier.toLowerCase()}_${period}` },
  });
  return id;
};

/** A member who has the plan since it was sold at another price. */
const oldMember = async (plan: string, price: string): Promise<Subscriber> => {
  const one = await subscriberAt(product, plan);
  const { items } = await product.stripe.subscriptions.retrieve(one.subscriptionId);
  await product.stripe.subscriptions.update(one.subscriptionId, {
    items: [{ id: items.data[0]?.id ?? '', price }],
    proration_behavior: 'none',
  });
  await product.settled();
  return one;
};

const admin = (): Promise<Person> => memberAt(product, admins);

const pricesFor = async (reader: Person): Promise<AnnouncedPrices> =>
  AnnouncedPrices.parse((await reader.get(priceRoutes.prices)).body);

const planOf = async ({ tier, period }: Plan): Promise<AnnouncedPrices['plans'][number] | undefined> =>
  (await pricesFor(await admin())).plans.find((one) => one.tier === tier && one.period === period);

const announce = async (plan: Plan, from?: string): Promise<PricePreview> => {
  const by = await admin();
  const { earliestFrom } = await pricesFor(by);
  const shown = await by.send('POST', priceRoutes.preview, { ...plan, from: from ?? earliestFrom });
  const preview = PricePreview.parse(shown.body);
  const { previewId } = preview;
  // Twice: its answer may be lost.
  for (const _ of [1, 2]) {
    const answer = await by.send('POST', priceRoutes.prices, { previewId, reason });
    expect(codeOf(answer)).toMatch(/^204 /);
  }
  return preview;
};

const mails = async ({ email }: Subscriber, subject: RegExp): Promise<readonly ShownMail[]> =>
  (await mailsTo(product, email)).filter((mail) => subject.test(mail.subject));

const changes = /^The price of .* changes on /;
const stays = /^The price of .* stays as it is$/;

const areNotified = (subscribers: readonly Subscriber[], subject: RegExp): Promise<void> =>
  eventually(async () => {
    for (const one of subscribers) expect(await mails(one, subject)).toHaveLength(1);
  });

const billingOf = async ({ email }: Subscriber): Promise<Billing['subscription']> =>
  Billing.parse((await (await memberAt(product, email)).get(paymentRoutes.billing)).body).subscription;

/** The newest first. */
const paidBy = async ({ subscriptionId }: Subscriber): Promise<readonly number[]> =>
  (await product.stripe.invoices.list({ subscription: subscriptionId })).data.map(
    ({ amount_paid: amount }) => amount,
  );

const eventTypes = async ({ subscriptionId }: Subscriber): Promise<readonly string[]> =>
  (await product.product.store.readStream(`subscription-${subscriptionId}`)).map(({ type }) => type);

const requestsOf = async ({ subscriptionId }: Subscriber): Promise<readonly unknown[]> =>
  (await product.product.store.readStream(`subscription-${subscriptionId}`))
    .filter(({ type }) => type === 'StripeWriteRequested')
    .map(({ data }) => (data['write'] as Readonly<{ kind: string }>).kind);

describe('an announced price', () => {
  it('is notified, shown, and charged from the renewal on that was announced', async () => {
    const plan: Plan = { tier: 'Elite', period: 'monthly' };
    const former = await formerPrice(plan, 1_499);
    const stayer = await oldMember('elite', former);
    const leaver = await oldMember('elite', former);
    const newcomer = await subscriberAt(product, 'elite');
    expect(await planOf(plan)).toMatchObject({
      amount: 1_999,
      formerAmounts: [{ amount: 1_499, currency: 'usd', subscriptions: 2 }],
      announcement: null,
    });
    const preview = await announce(plan);
    expect(preview).toMatchObject({ amount: 1_999, noticeDays: 30 });
    await advance(0.02);
    await areNotified([stayer, leaver], changes);
    expect(await mails(newcomer, changes)).toEqual([]);
    const [mail] = await mails(stayer, changes);
    expect(mail?.text).toContain('Tapedeck Elite (monthly) costs you $14.99 a month today.');
    expect(mail?.text).toMatch(/\nNew price: \$19\.99 a month\nFrom: \w{3} \d+, \d{4}\n/);
    expect(mail?.html).toContain('$19.99 a month');

    const shown = await billingOf(stayer);
    expect(shown).toMatchObject({ amount: 1_499, nextAmount: 1_499, announcedPrice: { amount: 1_999 } });
    const from = shown?.announcedPrice?.from ?? '';
    expect(from >= preview.from).toBe(true);
    expect(await planOf(plan)).toMatchObject({
      announcement: { state: 'announced', notified: 2, changed: 0 },
    });

    // The renewal before the day is charged as before.
    await advance(31);
    expect((await paidBy(stayer))[0]).toBe(1_499);
    expect(await billingOf(stayer)).toMatchObject({ nextAmount: 1_999, announcedPrice: { amount: 1_999 } });
    const leaving = await memberAt(product, leaver.email);
    expect(codeOf(await leaving.send('POST', '/api/cancel-subscription'))).toMatch(/^200 done/);

    await advance(daysUntil(from) - 0.5);
    await eventually(async () => expect(await eventTypes(stayer)).toContain('AnnouncedPriceDue'));
    await product.settled();
    expect(await billingOf(stayer)).toMatchObject({ scheduledPlan: null, nextAmount: 1_999, refused: null });
    expect(await requestsOf(leaver)).toEqual(['cancel']);
    expect(await requestsOf(stayer)).toEqual(['announced-price']);
    const charged = (await paidBy(leaver)).length;

    await advance(1);
    expect((await paidBy(stayer)).slice(0, 2)).toEqual([1_999, 1_499]);
    expect(await billingOf(stayer)).toMatchObject({ amount: 1_999, nextAmount: 1_999, announcedPrice: null });
    expect(await paidBy(leaver)).toHaveLength(charged);
    expect(await planOf(plan)).toMatchObject({
      announcement: { state: 'in-effect', notified: 2, changed: 1 },
    });
    expect((await mails(stayer, changes)).length).toBe(1);
  }, 180_000);

  it('that is withdrawn is notified, and nothing changes', async () => {
    const plan: Plan = { tier: 'Pro', period: 'monthly' };
    const one = await oldMember('pro', await formerPrice(plan, 799));
    await announce(plan);
    await advance(0.02);
    await areNotified([one], changes);
    const by = await admin();
    const again = await by.send('POST', priceRoutes.preview, { ...plan, from: '2099-01-01' });
    expect(codeOf(again)).toBe('409 PRICE_ANNOUNCED');
    const announced = (await planOf(plan))?.announcement;
    const body = { ...plan, announcementId: announced?.announcementId, reason };
    expect((await by.send('POST', priceRoutes.withdraw, body)).status).toBe(204);
    await advance(0.02);
    await areNotified([one], stays);
    expect(await billingOf(one)).toMatchObject({ amount: 799, nextAmount: 799, announcedPrice: null });
    await advance(70);
    expect((await paidBy(one)).slice(0, 2)).toEqual([799, 799]);
  }, 120_000);
});

describe('the announcement of a price', () => {
  it('is for admins, and for those who have seen it', async () => {
    const plan: Plan = { tier: 'Pro', period: 'monthly' };
    await oldMember('pro', await formerPrice(plan, 899));
    const support = await staffAt(product, 'support', newEmail());
    const shown = { ...plan, from: '2099-01-01' };
    const refused = [
      await support.get(priceRoutes.prices),
      await support.send('POST', priceRoutes.preview, shown),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403]);

    const by = await admin();
    const { earliestFrom } = await pricesFor(by);
    const tooEarly = new Date(Date.parse(earliestFrom) - 86_400_000).toISOString().slice(0, 10);
    const early = await by.send('POST', priceRoutes.preview, { ...plan, from: tooEarly });
    expect(codeOf(early)).toBe('400 NOTICE_TOO_SHORT');
    expect(codeOf(await by.send('POST', priceRoutes.preview, shown))).toBe('400 PRICE_TOO_LATE');
    const { body } = await by.send('POST', priceRoutes.preview, { ...plan, from: earliestFrom });
    const { previewId } = PricePreview.parse(body);
    const other = await staffAt(product, 'admin', newEmail());
    const byOther = await other.send('POST', priceRoutes.prices, { previewId, reason });
    expect(codeOf(byOther)).toBe('409 PREVIEW_CHANGED');
    await oldMember('pro', await formerPrice(plan, 899));
    const changed = await by.send('POST', priceRoutes.prices, { previewId, reason });
    expect(codeOf(changed)).toBe('409 PREVIEW_CHANGED');
    expect((await planOf(plan))?.announcement?.state).toBe('withdrawn');
  }, 60_000);
});

describe('an announced price that is not sold when it is due', () => {
  it('is not charged, and waits for a person', async () => {
    const plan: Plan = { tier: 'Pro', period: 'monthly' };
    const one = await subscriberAt(product);
    await announce(plan);
    await advance(0.02);
    await areNotified([one], changes);
    const from = (await billingOf(one))?.announcedPrice?.from ?? '';
    await advance(daysUntil(from) - 0.5);
    const refusedOf = async (): Promise<Queues['refused']['items']> =>
      Queues.parse((await (await admin()).get(queueRoutes.queues)).body).refused.items.filter(
        ({ subscriptionId }) => subscriptionId === one.subscriptionId,
      );
    await eventually(async () =>
      expect(await refusedOf()).toMatchObject([
        { kind: 'announced-price', code: 'AMOUNT_CHANGED', amount: 1_099, isRepeated: false },
      ]),
    );
    expect(await billingOf(one)).toMatchObject({ nextAmount: 999, announcedPrice: null, refused: null });
    await advance(1);
    expect((await paidBy(one))[0]).toBe(999);
    const [entry] = await refusedOf();
    const abandoned = { subscriptionId: one.subscriptionId, requestId: entry?.requestId, reason };
    const answer = await (await admin()).send('POST', moneyRoutes.abandon, abandoned);
    expect(answer.status).toBe(204);
    await eventually(async () => expect(await refusedOf()).toEqual([]));
  }, 180_000);
});

describe('an announced price that is withdrawn when Stripe has it, and announced again at once', () => {
  beforeAll(async () => {
    await product.close();
    product = await startPaymentsProduct({ PRICE_NOTICE_DAYS: '7' });
    await staffAt(product, 'admin', admins);
    // It is requested a day before the renewal, and can be withdrawn until an hour before the day of it.
    const tomorrow = new Date(product.clock.now() + daySeconds * 1_000).toISOString().slice(0, 10);
    await advance(daysUntil(`${tomorrow}T06:00:00.000Z`));
  }, 120_000);

  it('is charged from the new day on, and not before', async () => {
    const plan: Plan = { tier: 'Pro', period: 'monthly' };
    const one = await oldMember('pro', await formerPrice(plan, 799));
    const { items } = await product.stripe.subscriptions.retrieve(one.subscriptionId);
    const renewsAt = new Date((items.data[0]?.current_period_end ?? 0) * 1_000).toISOString();
    await announce(plan, renewsAt.slice(0, 10));
    await advance(0.02);
    await areNotified([one], changes);
    await advance(daysUntil(renewsAt) - 0.9);
    const isScheduled = async (): Promise<boolean> =>
      (await product.stripe.subscriptions.retrieve(one.subscriptionId)).schedule !== null;
    await eventually(async () => expect(await isScheduled()).toBe(true));

    const by = await admin();
    const first = (await planOf(plan))?.announcement?.announcementId;
    const body = { ...plan, announcementId: first, reason };
    expect((await by.send('POST', priceRoutes.withdraw, body)).status).toBe(204);
    const { from } = await announce(plan);
    expect(from > renewsAt).toBe(true);
    await advance(0.02);
    await areNotified([one], stays);
    await eventually(async () => expect(await isScheduled()).toBe(false));
    await advance(daysUntil(renewsAt) + 0.1);
    expect((await paidBy(one))[0]).toBe(799);
    await eventually(async () => expect(await mails(one, changes)).toHaveLength(2));
    expect(await billingOf(one)).toMatchObject({ amount: 799, announcedPrice: { amount: 999 } });
  }, 180_000);
});
