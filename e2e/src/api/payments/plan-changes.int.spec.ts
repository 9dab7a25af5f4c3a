import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import {
  Billing,
  BillingChange,
  ChangePreview,
  paymentRoutes,
  queueRoutes,
  Queues,
} from '@tapedeck/payments/contract';
import type { Plan } from '@tapedeck/plans/contract';
import { buyAs, mailsTo, memberAt, supportAt, tierOf, type Person } from './buyers.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;
beforeAll(async () => {
  product = await startPaymentsProduct();
}, 120_000);
afterAll(() => product.close());

const pro: Plan = { tier: 'Pro', period: 'monthly' };
const elite: Plan = { tier: 'Elite', period: 'monthly' };
const eliteAnnual: Plan = { tier: 'Elite', period: 'annual' };

type Subscriber = Readonly<{ email: string; member: Person; subscription: string; customer: string }>;

const subscriber = async (plan = 'pro'): Promise<Subscriber> => {
  const email = `${newId().slice(-12)}@example.com`;
  const member = await memberAt(product, email);
  const session = await product.stripe.checkout.sessions.retrieve(await buyAs(member, plan));
  await product.settled();
  const [subscription, customer] = [String(session.subscription), String(session.customer)];
  return { email, member, subscription, customer };
};
const change = async ({ member }: Subscriber, plan: object): Promise<BillingChange> =>
  BillingChange.parse((await member.send('POST', paymentRoutes.change, plan)).body);
const previewOf = async ({ member }: Subscriber, plan: Plan): Promise<ChangePreview> =>
  ChangePreview.parse((await member.send('POST', paymentRoutes.previewChange, plan)).body);
const billingOf = async ({ member }: Pick<Subscriber, 'member'>): Promise<Billing['subscription']> => {
  await product.settled();
  return Billing.parse((await member.get(paymentRoutes.billing)).body).subscription;
};
const useCard = ({ customer }: Subscriber, card: string): Promise<unknown> =>
  product.control('/card', { customer, card });

describe('an upgrade', () => {
  it('that is not paid gives back the change that was scheduled before it', async () => {
    const one = await subscriber('elite');
    expect(await change(one, pro)).toMatchObject({ state: 'done' });
    await useCard(one, 'declined');
    expect(await change(one, eliteAnnual)).toMatchObject({ state: 'refused' });
    expect(await billingOf(one)).toMatchObject({ tier: 'Elite', pendingPlan: eliteAnnual });
    await product.control('/clock', { seconds: 25 * 3_600 });
    await product.settled();
    const member = await memberAt(product, one.email);
    const { schedule } = await product.stripe.subscriptions.retrieve(one.subscription);
    expect(schedule).not.toBeNull();
    expect(await billingOf({ member })).toMatchObject({ tier: 'Elite', scheduledPlan: { tier: 'Pro' } });
  });

  it('that is not paid lists the change that Stripe refuses to schedule again, until a person repeats it', async () => {
    const one = await subscriber('elite');
    await change(one, pro);
    await product.settled();
    await useCard(one, 'declined');
    await change(one, eliteAnnual);
    await product.settled();
    const path = '/v1/subscription_schedules';
    await product.control('/calls/fail', { kind: 'refuse', code: 'price_inactive', path, method: 'POST' });
    await product.control('/clock', { seconds: 25 * 3_600 });
    await product.settled();
    const refusedOf = async (): Promise<Queues['refused']['items']> => {
      const support = await supportAt(product);
      const { refused } = Queues.parse((await support.get(queueRoutes.queues)).body);
      return refused.items.filter(({ subscriptionId }) => subscriptionId === one.subscription);
    };
    const listed = { kind: 'downgrade', code: 'price_inactive', isRepeated: false };
    await eventually(async () => expect(await refusedOf()).toMatchObject([listed]));
    const [entry] = await refusedOf();
    const body = {
      subscriptionId: one.subscription,
      requestId: entry?.requestId,
      reason: 'It is sold again.',
    };
    expect((await (await supportAt(product)).send('POST', queueRoutes.repeat, body)).status).toBeLessThan(
      300,
    );
    await eventually(async () => expect(await refusedOf()).toEqual([]));
    const member = await memberAt(product, one.email);
    expect(await billingOf({ member })).toMatchObject({ tier: 'Elite', scheduledPlan: { tier: 'Pro' } });
  }, 120_000);

  it('charges what was shown, and only for the plan that was shown', async () => {
    const one = await subscriber();
    const shown = await previewOf(one, elite);
    const answer = await one.member.send('POST', paymentRoutes.change, {
      ...eliteAnnual,
      previewId: shown.previewId,
    });
    expect([answer.status, answer.body['code']]).toEqual([409, 'PREVIEW_OF_ANOTHER_CHANGE']);
    const other = await subscriber();
    const stolen = { ...elite, previewId: (await previewOf(other, elite)).previewId };
    expect((await one.member.send('POST', paymentRoutes.change, stolen)).body).toMatchObject({
      code: 'PREVIEW_OF_ANOTHER_CHANGE',
    });
    expect(await change(one, { ...elite, previewId: shown.previewId })).toMatchObject({ state: 'done' });
    const { data } = await product.stripe.charges.list({ customer: one.customer, limit: 1 });
    expect(data[0]?.amount).toBe(shown.dueNow);
  });

  it('that is not paid is no renewal that has failed, and its page says what is paid', async () => {
    const one = await subscriber();
    await useCard(one, 'declined');
    const { dueNow } = await previewOf(one, elite);
    await change(one, elite);
    await product.settled();
    const page = await one.member.send('POST', paymentRoutes.paymentPage);
    const paid = { ...elite, amount: dueNow, currency: 'usd' };
    expect(page.body).toEqual({ url: expect.stringContaining('http'), change: paid });
    expect((await mailsTo(product, one.email)).map(({ subject }) => subject)).not.toContain(
      'Your payment has failed',
    );
  });

  it('says no more that its payment is missing once that was made', async () => {
    const one = await subscriber();
    await useCard(one, 'confirm_always');
    const answer = await change(one, elite);
    expect(answer).toMatchObject({ state: 'refused', fixUrl: expect.stringContaining('http') });
    expect((await billingOf(one))?.refused).not.toBeNull();
    await fetch(answer.fixUrl ?? '', {
      method: 'POST',
      body: new URLSearchParams({ card: 'ok' }),
      redirect: 'manual',
    });
    await eventually(async () => expect(await tierOf(one.member)).toBe('Elite active'));
    expect(await billingOf(one)).toMatchObject({ tier: 'Elite', refused: null });
  });
});

describe('a change at the end of the period', () => {
  it('keeps the discount that support has given at Stripe', async () => {
    const one = await subscriber('elite');
    const coupon = await product.stripe.coupons.create({ percent_off: 50, duration: 'forever' });
    await product.stripe.subscriptions.update(one.subscription, { discounts: [{ coupon: coupon.id }] });
    expect(await change(one, pro)).toMatchObject({ state: 'done' });
    await product.control('/clock', { seconds: Math.round(31.5 * 86_400) });
    const member = await memberAt(product, one.email);
    expect(await billingOf({ member })).toMatchObject({ tier: 'Pro' });
    const { data } = await product.stripe.invoices.list({ subscription: one.subscription, limit: 1 });
    expect(data[0]).toMatchObject({ subtotal: 999, total: 499 });
  });
});

describe('a subscription to which support has added something', () => {
  it('has its plan changed alone, now and at the end of the period', async () => {
    const one = await subscriber();
    const { id: further } = await product.stripe.products.create({ name: 'Support by telephone' });
    const addOn = await product.stripe.prices.create({
      product: further,
      currency: 'usd',
      unit_amount: 500,
      recurring: { interval: 'month' },
    });
    const items = [{ price: addOn.id }];
    await product.stripe.subscriptions.update(one.subscription, { items, proration_behavior: 'none' });
    await product.settled();
    const pricesOf = async (): Promise<readonly string[]> =>
      (await product.stripe.subscriptions.retrieve(one.subscription)).items.data.map(({ price }) => price.id);
    const { previewId } = await previewOf(one, elite);
    await change(one, { ...elite, previewId });
    await product.settled();
    expect(await pricesOf()).toEqual([addOn.id, 'price_elite_monthly']);
    await change(one, pro);
    await product.settled();
    expect(await pricesOf()).toEqual([addOn.id, 'price_elite_monthly']);

    await product.control('/clock', { seconds: Math.round(31.5 * 86_400) });
    const member = await memberAt(product, one.email);
    expect(await billingOf({ member })).toMatchObject({ tier: 'Pro', scheduledPlan: null });
    expect(await pricesOf()).toEqual([addOn.id, 'price_pro_monthly']);
    const { data } = await product.stripe.invoices.list({ subscription: one.subscription, limit: 1 });
    expect(data[0]?.amount_paid).toBe(999 + 500);
    expect(await tierOf(member)).toBe('Pro active');
  }, 120_000);
});

describe('a cancellation that was made on the pages of Stripe', () => {
  it('for a certain day is withdrawn as a whole', async () => {
    const one = await subscriber();
    const now = Math.floor(product.clock.now() / 1_000);
    await product.stripe.subscriptions.update(one.subscription, { cancel_at: now + 5 * 86_400 });
    expect((await billingOf(one))?.endsAt).not.toBeNull();
    expect((await one.member.send('POST', paymentRoutes.resume)).body).toMatchObject({ state: 'done' });
    expect((await billingOf(one))?.endsAt).toBeNull();
    const { cancel_at: cancelAt } = await product.stripe.subscriptions.retrieve(one.subscription);
    expect(cancelAt).toBeNull();
  });
});

describe('the pages of Stripe', () => {
  it('let a member change the card and cancel, and no plan, whatever the account at Stripe allows', async () => {
    const one = await subscriber();
    const { body } = await one.member.send('POST', '/api/create-billing-portal');
    const url = String(body['url']);
    const page = await (await fetch(url)).text();
    expect(page).toContain('Use this card');
    expect(page).toContain('Cancel at the end of the period');
    expect(page).not.toContain('Change plan');
    const wish = { do: 'plan', subscription: one.subscription, price: 'price_elite_monthly' };
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(wish), redirect: 'manual' });
    expect(answer.status).toBe(400);
    await one.member.send('POST', '/api/create-billing-portal');
    const { data } = await product.stripe.billingPortal.configurations.list({ active: true });
    expect(data.filter(({ is_default: isDefault }) => !isDefault)).toHaveLength(1);
  });
});

describe('a renewal for which the bank wants a confirmation', () => {
  it('says so, and leads to the page on which it is given', async () => {
    const one = await subscriber();
    await useCard(one, 'confirm_always');
    await product.control('/clock', { seconds: Math.round(31.5 * 86_400) });
    const member = await memberAt(product, one.email);
    expect(await billingOf({ member })).toMatchObject({ needsConfirmation: true });
    const page = await member.send('POST', paymentRoutes.paymentPage);
    expect(page.status).toBe(201);
    const invoices = await product.stripe.invoices.list({ subscription: one.subscription, limit: 1 });
    expect(page.body).toEqual({ url: invoices.data[0]?.hosted_invoice_url, change: null });
    const mails = await mailsTo(product, one.email);
    expect(mails.filter(({ subject }) => subject === 'Your payment has failed')).toHaveLength(1);
  });

  it('is none for a member who has nothing to pay', async () => {
    const { member } = await subscriber();
    const answer = await member.send('POST', paymentRoutes.paymentPage);
    expect([answer.status, answer.body]).toEqual([201, { url: null, change: null }]);
  });
});

describe('the introductory price', () => {
  it('whose coupon was deleted is not given, says so once, and the plan can be bought without it', async () => {
    const member = await memberAt(product, `${newId()}@example.com`);
    await product.stripe.coupons.del('pro_intro');
    const path = paymentRoutes.checkout('Pro');
    const refused = await member.send('POST', path);
    expect([refused.status, refused.body['code']]).toEqual([409, 'INTRO_PRICE_REFUSED']);
    const { offers } = Billing.parse((await member.get(paymentRoutes.billing)).body);
    expect(offers.every(({ introAmount }) => introAmount === null)).toBe(true);
    await buyAs(member);
    await product.settled();
    expect(await tierOf(member)).toBe('Pro active');
  });
});
