import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readEvents } from '@tapedeck/eventing';
import { newId } from '@tapedeck/kernel';
import { Billing, paymentRoutes, WithdrawalReceived } from '@tapedeck/payments/contract';
import { subscriptionEvents, subscriptionStream } from '@tapedeck/payments/events';
import { buyAs, mailsTo, memberAt, tierOf, type Answer, type Person } from './buyers.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;
beforeAll(async () => {
  product = await startPaymentsProduct();
}, 120_000);
afterAll(() => product.close());

const daySeconds = 86_400;
const newEmail = (): string => `${newId().slice(-12)}@example.com`;
const billingOf = async (member: Person): Promise<Billing> =>
  Billing.parse((await member.get(paymentRoutes.billing)).body);
const withdraw = (member: Person, subscriptionId: string): Promise<Answer> =>
  member.send('POST', paymentRoutes.withdraw, { subscriptionId });

type Buyer = Readonly<{ email: string; member: Person; subscriptionId: string }>;

const buyerOf = async (plan: string): Promise<Buyer> => {
  const email = newEmail();
  const member = await memberAt(product, email);
  const session = await product.stripe.checkout.sessions.retrieve(await buyAs(member, plan));
  await product.settled();
  return { email, member, subscriptionId: String(session.subscription) };
};

describe('a member who withdraws from the contract', () => {
  it('has an acknowledgement with date and time, on the tape and by mail, and the money back', async () => {
    const { email, member, subscriptionId } = await buyerOf('elite');
    const { withdrawable } = await billingOf(member);
    expect(withdrawable).toMatchObject([
      { subscriptionId, plan: { tier: 'Elite', period: 'monthly' }, amount: 1_999, currency: 'usd' },
    ]);

    const answers = await Promise.all([withdraw(member, subscriptionId), withdraw(member, subscriptionId)]);
    const received = answers.map(({ status, body }) => [status, WithdrawalReceived.parse(body).receivedAt]);
    const [, receivedAt = ''] = received[0] ?? [];
    expect(received).toEqual([
      [200, receivedAt],
      [200, receivedAt],
    ]);
    const shownTime = `${String(receivedAt).slice(11, 19)} UTC`;
    expect(String(answers[0]?.body['message'])).toContain(shownTime);
    await product.settled();

    const events = await readEvents(
      product.product.store,
      subscriptionStream(subscriptionId),
      subscriptionEvents,
    );
    const begun = events.filter(({ type }) => type === 'PurchaseReturnBegun');
    expect(begun.map(({ data }) => data)).toEqual([
      expect.objectContaining({ reason: 'withdrawn', begunAt: receivedAt }),
    ]);
    expect(events.map(({ type }) => type)).toContain('PurchaseReturnCompleted');
    const mails = await mailsTo(product, email);
    expect(mails.map(({ subject }) => subject)).toEqual([
      'We have received your withdrawal',
      'Your receipt for Tapedeck Elite (monthly)',
    ]);
    for (const text of ['Tapedeck Elite (monthly)', shownTime, '$19.99'])
      expect(mails[0]?.text).toContain(text);

    expect(await tierOf(member)).toBe('Free ended');
    const { withdrawable: left, payments, purchaseRefusal } = await billingOf(member);
    expect([left, purchaseRefusal, payments.map(({ amount, refunded }) => [amount, refunded])]).toEqual([
      [],
      null,
      [[1_999, 1_999]],
    ]);
    expect((await product.stripe.subscriptions.retrieve(subscriptionId)).status).toBe('canceled');
  }, 60_000);

  it('keeps the withdrawal when Stripe refuses to end the subscription', async () => {
    const { member, subscriptionId } = await buyerOf('pro');
    const refusal = { kind: 'refuse', method: 'DELETE', path: '/v1/subscriptions', code: 'some_reason' };
    await product.control('/calls/fail', refusal);
    expect((await withdraw(member, subscriptionId)).status).toBe(200);
    await product.settled();
    expect(await tierOf(member)).toBe('Free ended');
  }, 60_000);

  it('reads what goes back: neither what was refunded before, nor what the bank decides about', async () => {
    const refunded = await buyerOf('elite');
    const charges = async ({ subscriptionId }: Buyer): Promise<string> => {
      const { customer } = await product.stripe.subscriptions.retrieve(subscriptionId);
      return (await product.stripe.charges.list({ customer: String(customer) })).data[0]?.id ?? '';
    };
    await product.stripe.refunds.create({ charge: await charges(refunded), amount: 500 });
    await product.settled();
    expect((await billingOf(refunded.member)).withdrawable).toMatchObject([
      { amount: 1_499, isDisputed: false, hasEnded: false },
    ]);
    await withdraw(refunded.member, refunded.subscriptionId);
    await product.settled();
    const [mail] = await mailsTo(product, refunded.email);
    expect(mail?.text).toContain('The rest of the payment goes back to your card: $14.99.');

    const disputed = await buyerOf('elite');
    await product.control('/disputes', { charge: await charges(disputed) });
    await product.settled();
    expect((await billingOf(disputed.member)).withdrawable).toMatchObject([{ amount: 0, isDisputed: true }]);
    expect((await withdraw(disputed.member, disputed.subscriptionId)).body['message']).toContain(
      'Your bank decides about the disputed payment',
    );
    await product.settled();
    expect(await tierOf(disputed.member)).toBe('Free ended');
  }, 120_000);

  it('cannot do it for the contract of somebody else, for a name that is none, or after the time', async () => {
    const owner = await buyerOf('pro');
    const other = await memberAt(product, newEmail());
    expect(await withdraw(other, owner.subscriptionId)).toMatchObject({
      status: 404,
      body: { code: 'SUBSCRIPTION_NOT_FOUND' },
    });
    expect((await withdraw(other, 'sub_of_nobody')).status).toBe(404);
    expect((await withdraw(other, '../x')).status).toBe(400);
    await product.control('/clock', { seconds: 16 * daySeconds });
    await product.settled();
    const member = await memberAt(product, owner.email);
    expect((await billingOf(member)).withdrawable).toEqual([]);
    expect(await withdraw(member, owner.subscriptionId)).toMatchObject({
      status: 409,
      body: { code: 'WITHDRAWAL_NOT_POSSIBLE' },
    });
    expect(await tierOf(member)).toBe('Pro active');
  }, 60_000);
});
