import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@tapedeck/kernel';
import type { Billing } from '@tapedeck/payments/contract';
import { paidPlans, type Plan } from '@tapedeck/plans/contract';
import { buyAs, buyByEmail, memberAt, personAt, type Person } from './buyers.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;
beforeAll(async () => {
  product = await startPaymentsProduct();
}, 120_000);
afterAll(() => product.close());

const newEmail = (): string => `offers-${newId()}@example.com`;
const proMonthly: Plan = { tier: 'Pro', period: 'monthly' };

const billingOf = async (member: Person): Promise<Billing> => {
  const { status, body } = await member.get('/api/membership/billing');
  expect(status).toBe(200);
  // The server strips its answers to this schema.
  return body as Billing;
};

/** The first charge that is shown for a plan. */
const shownCharge = async (member: Person, plan: Plan): Promise<number> => {
  const { offers } = await billingOf(member);
  const offer = offers.find(({ tier, period }) => tier === plan.tier && period === plan.period);
  return offer?.introAmount ?? offer?.amount ?? Number.NaN;
};

const sessionOf = async (member: Person, { tier, period }: Plan): Promise<string> => {
  const path = `/api/create-${tier.toLowerCase()}-subscription`;
  const { status, body } = await member.send('POST', path, { period });
  expect(status).toBe(201);
  return String(body['checkoutUrl']);
};

/** What the checkout page for a plan charges. */
const charged = async (checkoutUrl: string): Promise<number | null> => {
  const id = /cs_[A-Za-z0-9_]+/.exec(checkoutUrl)?.[0] ?? '';
  return (await product.stripe.checkout.sessions.retrieve(id)).amount_total;
};

/** Compares what is shown before a checkout with what it charges. */
const expectShownIsCharged = async (member: Person, plan: Plan, amount: number): Promise<void> => {
  expect(await shownCharge(member, plan)).toBe(amount);
  expect(await charged(await sessionOf(member, plan))).toBe(amount);
};

const subscriptionAt = async (sessionId: string): Promise<string> =>
  String((await product.stripe.checkout.sessions.retrieve(sessionId)).subscription);

describe('the offers for a member', () => {
  it.each(paidPlans)('show of $tier, $period, what a first checkout charges', async (plan) => {
    const member = await memberAt(product, newEmail());
    const { purchaseRefusal, offers } = await billingOf(member);
    expect(purchaseRefusal).toBeNull();
    expect(offers).toHaveLength(paidPlans.length);
    expect(await charged(await sessionOf(member, plan))).toBe(await shownCharge(member, plan));
  });

  it('keep the introductory price while an own checkout has it reserved', async () => {
    const member = await memberAt(product, newEmail());
    await expectShownIsCharged(member, proMonthly, 499);
    await expectShownIsCharged(member, proMonthly, 499);
  });

  it('show the list price while a checkout of another browser has it reserved', async () => {
    const email = newEmail();
    await personAt(product).send('POST', '/api/create-pro-subscription-anonymous', { email });
    await expectShownIsCharged(await memberAt(product, email), proMonthly, 999);
  });

  it('show the list price after a purchase with the same address', async () => {
    const email = newEmail();
    await buyByEmail(personAt(product), email);
    await product.settled();
    await expectShownIsCharged(await memberAt(product, email), proMonthly, 999);
  });

  it('show a member who has left and comes back the list price', async () => {
    const member = await memberAt(product, newEmail());
    const sessionId = await buyAs(member);
    await product.settled();
    await product.stripe.subscriptions.cancel(await subscriptionAt(sessionId));
    await product.settled();
    expect((await billingOf(member)).purchaseRefusal).toBeNull();
    await expectShownIsCharged(member, proMonthly, 999);
  });

  it('have the own plan at the price that is paid, and no introductory price beside a subscription', async () => {
    const member = await memberAt(product, newEmail());
    await buyAs(member, 'elite', { period: 'annual' });
    await product.settled();
    const { offers, subscription, purchaseRefusal } = await billingOf(member);
    expect(subscription).toMatchObject({ amount: 17_999, nextAmount: 17_999 });
    expect(purchaseRefusal?.code).toBe('ALREADY_SUBSCRIBED');
    expect(offers.map(({ introAmount }) => introAmount)).toEqual(paidPlans.map(() => null));
    expect(offers).toContainEqual(
      expect.objectContaining({ tier: 'Elite', period: 'annual', amount: 17_999, introAmount: null }),
    );
  });

  it('say before a try that a dispute keeps the member from buying, until it is closed', async () => {
    const member = await memberAt(product, newEmail());
    const sessionId = await buyAs(member);
    await product.settled();
    const { customer } = await product.stripe.subscriptions.retrieve(await subscriptionAt(sessionId));
    const [charge] = (await product.stripe.charges.list({ customer: String(customer) })).data;
    const { id } = (await product.control('/disputes', { charge: charge?.id })) as { id: string };
    await product.settled();
    const { purchaseRefusal } = await billingOf(member);
    const tried = await member.send('POST', '/api/create-elite-subscription');
    expect([tried.status, tried.body['code'], tried.body['detail']]).toEqual([
      409,
      'PAYMENT_DISPUTED',
      purchaseRefusal?.message,
    ]);
    expect(purchaseRefusal?.code).toBe('PAYMENT_DISPUTED');
    await product.control('/disputes/close', { id, outcome: 'lost' });
    await product.settled();
    expect((await billingOf(member)).purchaseRefusal).toBeNull();
  });
});
