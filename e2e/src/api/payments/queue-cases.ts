import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import { queueRoutes, Queues } from '@tapedeck/payments/contract';
import { buyAs, buyByEmail, memberAt, payAt, personAt, supportAt, type Person } from './buyers.ts';
import type { PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;
let support: Person;

const showQueues = async (): Promise<Queues> => {
  await product.settled();
  const { status, body } = await support.get(queueRoutes.queues);
  expect(status).toBe(200);
  return Queues.parse(body);
};

const advance = async (days: number): Promise<void> => {
  await product.control('/clock', { seconds: days * 86_400 });
  support = await supportAt(product);
};

const newEmail = (): string => `${newId().slice(-12)}@example.com`;

const boughtIn = async (sessionId: string): Promise<Readonly<{ subscription: string; customer: string }>> => {
  const { subscription, customer } = await product.stripe.checkout.sessions.retrieve(sessionId);
  return { subscription: String(subscription), customer: String(customer) };
};

const startAs = async (member: Person, plan: string): Promise<string> =>
  String((await member.send('POST', `/api/create-${plan}-subscription`)).body['checkoutUrl']);

const newSubscriber = async (): Promise<
  Readonly<{ email: string; member: Person; subscription: string; customer: string }>
> => {
  const email = newEmail();
  const member = await memberAt(product, email);
  const sessionId = await buyAs(member);
  await product.settled();
  return { email, member, ...(await boughtIn(sessionId)) };
};

export const describeQueues = (running: () => PaymentsProduct): void => {
  describe('the queues of payments', () => {
    beforeAll(async () => {
      product = running();
      support = await supportAt(product);
    });

    it('list both live subscriptions of an account until the second one has ended', async () => {
      const email = newEmail();
      const member = await memberAt(product, email);
      const [lost, paid] = [await startAs(member, 'pro'), await startAs(member, 'elite')];
      const first = (await payAt(paid))?.searchParams.get('session_id') ?? '';
      await product.settled();
      // As if Stripe had not expired it in time. The end of what it leads to is refused.
      const late = lost.split('/').at(-1) ?? '';
      await product.control('/sessions/reopen', { id: late });
      const refusal = { kind: 'refuse', method: 'DELETE', path: '/v1/subscriptions' };
      await product.control('/calls/fail', refusal);
      await payAt(lost);
      await eventually(async () => expect((await showQueues()).refused.items[0]?.kind).toBe('end-now'));
      const bought = [await boughtIn(first), await boughtIn(late)].map(({ subscription }) => subscription);
      const { duplicates } = await showQueues();
      expect(duplicates.count).toBe(1);
      expect(duplicates.items[0]?.subscriptions).toHaveLength(2);
      expect(duplicates.items[0]?.subscriptions).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ subscriptionId: bought[0], tier: 'Elite', stripeStatus: 'active' }),
          expect.objectContaining({ subscriptionId: bought[1], tier: 'Pro', stripeStatus: 'active' }),
        ]),
      );
      await product.stripe.subscriptions.cancel(bought[1] ?? '');
      await eventually(async () =>
        expect(await showQueues()).toMatchObject({ duplicates: { count: 0 }, refused: { count: 0 } }),
      );
    });

    it('list a purchase by e-mail with its masked address until an account claims it', async () => {
      const email = newEmail();
      const sessionId = await buyByEmail(personAt(product), email);
      const { subscription } = await boughtIn(sessionId);
      const [item, ...others] = (await showQueues()).unclaimed.items;
      expect(others).toEqual([]);
      expect(item).toMatchObject({
        subscriptionId: subscription,
        email: `${email.slice(0, 1)}•••@example.com`,
        tier: 'Pro',
      });
      const days = (Date.parse(item?.refundAt ?? '') - Date.parse(item?.paidAt ?? '')) / 86_400_000;
      expect(days).toBe(product.config.UNCLAIMED_REFUND_DAYS);
      const member = await memberAt(product, email);
      expect((await member.send('POST', '/api/link-payment', { sessionId })).status).toBeLessThan(300);
      expect((await showQueues()).unclaimed).toEqual({ count: 0, items: [] });
    });

    it('list a dispute with its deadline and its page at Stripe until it is closed, and no account that is closed', async () => {
      const { email, member, customer, subscription } = await newSubscriber();
      const charge = (await product.stripe.charges.list({ customer, limit: 1 })).data[0];
      const { id } = (await product.control('/disputes', { charge: charge?.id })) as { id: string };
      const { evidence_details: evidence } = await product.stripe.disputes.retrieve(id);
      const [item] = (await showQueues()).disputes.items;
      expect(item).toMatchObject({
        disputeId: id,
        subscriptionId: subscription,
        amount: charge?.amount,
        currency: charge?.currency,
        evidenceDueBy: new Date((evidence.due_by ?? 0) * 1_000).toISOString(),
      });
      expect(item?.accountId).not.toBeNull();
      expect(item?.stripeUrl).toContain('http');
      expect((await member.send('DELETE', '/api/account', { confirmation: email })).status).toBe(204);
      await eventually(async () => expect((await showQueues()).disputes.items[0]?.accountId).toBeNull());
      await product.control('/disputes/close', { id, outcome: 'won' });
      expect((await showQueues()).disputes).toEqual({ count: 0, items: [] });
    });

    it('list for a day what the reconciliation has found different, with what Stripe says', async () => {
      const { subscription } = await newSubscriber();
      await product.control('/events/lose', { count: 50 });
      await product.control('/subscriptions/status', { subscription, status: 'unpaid' });
      await product.control('/events/lose', { count: 0 });
      await advance(1.01);
      const mismatchOf = async (): Promise<Queues['mismatches']['items']> =>
        (await showQueues()).mismatches.items.filter(({ subscriptionId }) => subscriptionId === subscription);
      await eventually(async () => expect(await mismatchOf()).toHaveLength(1));
      const [found] = await mismatchOf();
      expect(found?.fields).toContainEqual({ field: 'status', ours: 'active', stripe: 'unpaid' });
      expect(found).toMatchObject({ isHealed: true });
      await advance(2);
      expect(await mismatchOf()).toEqual([]);
    });

    it('list what is paid and gives nobody access, until a person says that it is right', async () => {
      // As somebody can make it by hand at Stripe.
      const session = await product.stripe.checkout.sessions.create({
        mode: 'subscription',
        client_reference_id: 'by-hand',
        customer_email: newEmail(),
        line_items: [{ price: 'price_elite_monthly', quantity: 1 }],
        success_url: `${product.url}/`,
      });
      await payAt(session.url);
      const { subscription: subscriptionId } = await boughtIn(session.id);
      await product.settled();
      await advance(0.3);
      const found = async (): Promise<Queues['findings']['items']> =>
        (await showQueues()).findings.items.filter((item) => item.subscriptionId === subscriptionId);
      const kind = 'money-without-access';
      await eventually(async () => expect(await found()).toMatchObject([{ kind, amount: 1_999 }]));
      const { total } = await showQueues();
      expect(total).toMatchObject({ sums: [{ currency: 'usd', amount: 1_999 }] });
      const accept = (reason: string) =>
        support.send('POST', queueRoutes.accept, { subscriptionId, kind, reason });
      expect((await accept(' ')).status).toBe(400);
      expect((await accept('A gift of the founders.')).status).toBe(204);
      expect((await accept('A gift of the founders.')).status).toBe(204);
      expect(await found()).toEqual([]);
      await advance(0.3);
      expect(await found()).toEqual([]);
    });

    it.each([
      ['whose checkout is not on the tape, as after the restore of a backup', { intentId: newId() }],
      ['that names no checkout', {}],
    ])('list what is paid at a price of ours %s', async (_, metadata) => {
      await product.control('/events/lose', { count: 50 });
      const session = await product.stripe.checkout.sessions.create({
        mode: 'subscription',
        subscription_data: { metadata },
        customer_email: newEmail(),
        line_items: [{ price: 'price_elite_monthly', quantity: 1 }],
        success_url: `${product.url}/`,
      });
      await payAt(session.url);
      await product.control('/events/lose', { count: 0 });
      const { subscription: subscriptionId } = await boughtIn(session.id);
      const { store } = product.product;
      // By the pass over all subscriptions.
      await advance(1.01);
      await eventually(async () =>
        expect((await store.readStream(`subscription-${subscriptionId}`)).length).toBeGreaterThan(0),
      );
      await advance(0.3);
      const found = async (): Promise<Queues['findings']['items']> =>
        (await showQueues()).findings.items.filter((item) => item.subscriptionId === subscriptionId);
      await eventually(async () => expect(await found()).toMatchObject([{ kind: 'money-without-access' }]));
      const body = { subscriptionId, kind: 'money-without-access', reason: 'Ended and refunded at Stripe.' };
      expect((await support.send('POST', queueRoutes.accept, body)).status).toBe(204);
    });

    it('list what has ended before its paid time, until the money is given back', async () => {
      const { customer, subscription: subscriptionId } = await newSubscriber();
      await product.stripe.subscriptions.cancel(subscriptionId);
      await product.settled();
      await advance(0.3);
      const found = async (): Promise<Queues['findings']['items']> =>
        (await showQueues()).findings.items.filter((item) => item.subscriptionId === subscriptionId);
      await eventually(async () => expect(await found()).toHaveLength(1));
      expect((await found())[0]?.accountId).not.toBeNull();
      const charge = (await product.stripe.charges.list({ customer, limit: 1 })).data[0];
      await product.stripe.refunds.create({ charge: charge?.id ?? '' });
      await product.settled();
      await advance(0.3);
      await eventually(async () => expect(await found()).toEqual([]));
      const over = { subscriptionId, kind: 'money-without-access', reason: 'Late.' };
      const answer = await support.send('POST', queueRoutes.accept, over);
      expect([answer.status, answer.body['code']]).toEqual([409, 'FINDING_OVER']);
    });

    it('are refused to members', async () => {
      const member = await memberAt(product, newEmail());
      expect((await member.get(queueRoutes.queues)).status).toBe(403);
    });
  });
};
