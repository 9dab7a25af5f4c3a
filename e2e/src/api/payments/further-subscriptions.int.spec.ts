import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import { Billing, BillingChange, paymentRoutes } from '@tapedeck/payments/contract';
import { buyAs, buyByEmail, memberAt, personAt, type Answer, type Person } from './buyers.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;
beforeAll(async () => {
  product = await startPaymentsProduct();
}, 120_000);
afterAll(() => product.close());

const billingOf = async (member: Person): Promise<Billing> =>
  Billing.parse((await member.get(paymentRoutes.billing)).body);

type Holder = Readonly<{ email: string; member: Person; own: string; claimed: string }>;

const subscriptionOf = async (sessionId: string): Promise<string> =>
  String((await product.stripe.checkout.sessions.retrieve(sessionId)).subscription);

/** A member who has claimed a purchase of another person, and has bought Elite then. */
const holderOfTwo = async (): Promise<Holder> => {
  const email = `${newId().slice(-12)}@example.com`;
  const claimed = await subscriptionOf(await buyByEmail(personAt(product), email));
  await product.settled();
  const member = await memberAt(product, email);
  expect((await member.send('POST', paymentRoutes.link, {})).status).toBe(200);
  await product.settled();
  const own = await subscriptionOf(await buyAs(member, 'elite'));
  await eventually(async () => {
    await product.settled();
    // What another person pays ends with its period.
    expect((await billingOf(member)).others).toMatchObject([
      { subscriptionId: claimed, isPaidByAnother: true, endsAt: expect.any(String) },
    ]);
  });
  return { email, member, own, claimed };
};

const change = async (
  { member }: Pick<Holder, 'member'>,
  method: 'POST' | 'DELETE',
  path: string,
  subscriptionId: string,
): Promise<BillingChange['state']> =>
  BillingChange.parse((await member.send(method, path, { subscriptionId })).body).state;

const isEnding = async (subscriptionId: string): Promise<boolean> =>
  (await product.stripe.subscriptions.retrieve(subscriptionId)).cancel_at_period_end;

const codeOf = ({ status, body }: Answer): string => `${status} ${String(body['code'])}`;

describe('a member with two subscriptions', () => {
  it('changes the one that the request names, and sees both where they were', async () => {
    const holder = await holderOfTwo();
    const { member, own, claimed } = holder;
    const shown = async (): Promise<readonly unknown[]> => {
      const { subscription, others } = await billingOf(member);
      return [subscription, ...others].map((one) => [one?.subscriptionId, one?.endsAt !== null]);
    };
    expect(await change(holder, 'POST', paymentRoutes.resume, claimed)).toBe('done');
    expect(await shown()).toEqual([
      [own, false],
      [claimed, false],
    ]);
    expect(await change(holder, 'POST', paymentRoutes.cancel, own)).toBe('done');
    expect([await isEnding(own), await isEnding(claimed)]).toEqual([true, false]);
    expect(await shown()).toEqual([
      [own, true],
      [claimed, false],
    ]);
    expect(await change(holder, 'POST', paymentRoutes.resume, own)).toBe('done');
    expect(await change(holder, 'POST', paymentRoutes.cancel, claimed)).toBe('done');
    expect([await isEnding(own), await isEnding(claimed)]).toEqual([false, true]);
    expect(await shown()).toEqual([
      [own, false],
      [claimed, true],
    ]);

    const plan = { tier: 'Pro', period: 'monthly' };
    expect((await member.send('POST', paymentRoutes.change, plan)).body).toMatchObject({ state: 'done' });
    expect((await billingOf(member)).subscription).toMatchObject({ scheduledPlan: plan });
    expect(await change(holder, 'DELETE', paymentRoutes.scheduledChange, own)).toBe('done');
    expect((await billingOf(member)).subscription).toMatchObject({ scheduledPlan: null });
  }, 120_000);

  it('cannot change that of another account', async () => {
    const [{ member }, other] = [await holderOfTwo(), await holderOfTwo()];
    const requests = [
      ['POST', paymentRoutes.cancel],
      ['POST', paymentRoutes.resume],
      ['DELETE', paymentRoutes.scheduledChange],
    ] as const;
    for (const [method, path] of requests) {
      const answer = await member.send(method, path, { subscriptionId: other.own });
      expect(codeOf(answer)).toBe('404 SUBSCRIPTION_NOT_FOUND');
    }
    const page = await member.send('POST', paymentRoutes.paymentPage, { subscriptionId: other.own });
    expect(page.body).toEqual({ url: null, change: null });
    expect(await isEnding(other.own)).toBe(false);
  }, 120_000);

  it('sees which of them is unpaid, and pays that one', async () => {
    const holder = await holderOfTwo();
    const { email, own, claimed } = holder;
    expect(await change(holder, 'POST', paymentRoutes.resume, claimed)).toBe('done');
    const { customer } = await product.stripe.subscriptions.retrieve(claimed);
    await product.control('/card', { customer, card: 'declined' });
    await product.control('/clock', { seconds: 32 * 86_400 });
    await product.settled();

    // The session of before has expired.
    const member = await memberAt(product, email);
    await eventually(async () =>
      expect(await billingOf(member)).toMatchObject({
        subscription: { subscriptionId: own, isDue: false, isPeriodPaid: true },
        others: [{ subscriptionId: claimed, isDue: true, isPeriodPaid: false }],
      }),
    );
    const pageOf = async (subscriptionId: string): Promise<unknown> =>
      (await member.send('POST', paymentRoutes.paymentPage, { subscriptionId })).body['url'];
    expect(await pageOf(own)).toBeNull();
    const { data } = await product.stripe.invoices.list({ subscription: claimed, limit: 1 });
    expect(await pageOf(claimed)).toBe(data[0]?.hosted_invoice_url);
  }, 120_000);
});

describe('a member who cancels while the renewal is unpaid', () => {
  it('reads that it may still be charged, and in the history that access ends with the grace', async () => {
    const email = `${newId().slice(-12)}@example.com`;
    const bought = await subscriptionOf(await buyAs(await memberAt(product, email)));
    await product.settled();
    const { customer } = await product.stripe.subscriptions.retrieve(bought);
    await product.control('/card', { customer, card: 'declined' });
    await product.control('/clock', { seconds: 32 * 86_400 });
    await product.settled();
    const member = await memberAt(product, email);
    const graceOf = async (): Promise<string> =>
      String((await member.get('/api/member/tier')).body['graceUntil']);
    await eventually(async () => expect(await graceOf()).toMatch(/^\d{4}-/));
    const answer = await member.send('POST', paymentRoutes.cancel, { subscriptionId: bought });
    expect(answer.body).toMatchObject({
      state: 'done',
      message: expect.stringMatching(
        /^Your subscription is cancelled\. The unpaid invoice may still be charged: once it is paid, access lasts until /,
      ),
    });
    await product.settled();
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
    const { body } = await member.get('/api/member/history');
    expect(body['entries']).toContainEqual(
      expect.objectContaining({ text: `Cancelled: access ends on ${day.format(new Date(await graceOf()))}` }),
    );
  }, 120_000);
});
