import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import {
  AnnouncedPrices,
  Billing,
  paymentRoutes,
  PricePreview,
  priceRoutes,
} from '@tapedeck/payments/contract';
import { mailsTo, memberAt, type Person, type ShownMail } from './buyers.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';
import { codeOf, newEmail, reason, staffAt, subscriberAt, type Subscriber } from './support-people.ts';

const daySeconds = 86_400;
const admins = 'admin@example.com';

let product: PaymentsProduct;
beforeAll(async () => {
  product = await startPaymentsProduct();
  await staffAt(product, 'admin', admins);
}, 120_000);
afterAll(() => product.close());

const advance = async (days: number): Promise<void> => {
  await product.control('/clock', { seconds: Math.round(days * daySeconds) });
  await product.settled();
};

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

const areTold = (subscribers: readonly Subscriber[], subject: RegExp): Promise<void> =>
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

describe('an announced price', () => {
  it('is told, shown, and charged from the renewal on that was announced', async () => {
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
    await areTold([stayer, leaver], changes);
    expect(await mails(newcomer, changes)).toEqual([]);
    const [mail] = await mails(stayer, changes);
    expect(mail?.text).toContain('Tapedeck Elite (monthly) costs you $14.99 a month today.');
    expect(mail?.text).toMatch(/\nNew price: \$19\.99 a month\nFrom: \w{3} \d+, \d{4}\n/);
    expect(mail?.html).toContain('$19.99 a month');

    const shown = await billingOf(stayer);
    expect(shown).toMatchObject({ amount: 1_499, nextAmount: 1_499, announcedPrice: { amount: 1_999 } });
    const from = shown?.announcedPrice?.from ?? '';
    expect(from >= preview.from).toBe(true);
    expect(await planOf(plan)).toMatchObject({ announcement: { state: 'announced', told: 2, changed: 0 } });

    // The renewal before the day is charged as before.
    await advance(31);
    expect((await paidBy(stayer))[0]).toBe(1_499);
    expect(await billingOf(stayer)).toMatchObject({ nextAmount: 1_999, announcedPrice: { amount: 1_999 } });
    const leaving = await memberAt(product, leaver.email);
    expect(codeOf(await leaving.send('POST', '/api/cancel-subscription'))).toMatch(/^200 done/);

    await advance((Date.parse(from) - product.clock.now()) / 86_400_000 - 0.5);
    await eventually(async () => expect(await eventTypes(stayer)).toContain('AnnouncedPriceDue'));
    await product.settled();
    expect(await billingOf(stayer)).toMatchObject({ scheduledPlan: null, nextAmount: 1_999, refused: null });
    expect(await eventTypes(leaver)).not.toContain('SubscriptionScheduled');
    const charged = (await paidBy(leaver)).length;

    await advance(1);
    expect((await paidBy(stayer)).slice(0, 2)).toEqual([1_999, 1_499]);
    expect(await billingOf(stayer)).toMatchObject({ amount: 1_999, nextAmount: 1_999, announcedPrice: null });
    expect(await paidBy(leaver)).toHaveLength(charged);
    expect(await planOf(plan)).toMatchObject({ announcement: { state: 'in-effect', told: 2, changed: 1 } });
    expect((await mails(stayer, changes)).length).toBe(1);
  }, 180_000);

  it('that is withdrawn is told, and nothing changes', async () => {
    const plan: Plan = { tier: 'Pro', period: 'monthly' };
    const one = await oldMember('pro', await formerPrice(plan, 799));
    await announce(plan);
    await advance(0.02);
    await areTold([one], changes);
    const by = await admin();
    const again = await by.send('POST', priceRoutes.preview, { ...plan, from: '2099-01-01' });
    expect(codeOf(again)).toBe('409 PRICE_ANNOUNCED');
    const announced = (await planOf(plan))?.announcement;
    const body = { ...plan, announcementId: announced?.announcementId, reason };
    expect((await by.send('POST', priceRoutes.withdraw, body)).status).toBe(204);
    await advance(0.02);
    await areTold([one], stays);
    expect(await billingOf(one)).toMatchObject({ amount: 799, nextAmount: 799, announcedPrice: null });
    await advance(70);
    expect((await paidBy(one)).slice(0, 2)).toEqual([799, 799]);
  }, 120_000);
});

describe('the announcement of a price', () => {
  it('is for admins, with enough notice, and only as it was shown', async () => {
    const plan: Plan = { tier: 'Pro', period: 'annual' };
    const former = await formerPrice(plan, 5_999);
    await oldMember('pro-annual', former).catch(() => undefined);
    const support = await staffAt(product, 'support', newEmail());
    expect((await support.get(priceRoutes.prices)).status).toBe(403);
  }, 60_000);
});
