import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import { Billing, paymentRoutes } from '@tapedeck/payments/contract';
import {
  buyAs,
  buyByEmail,
  mailsTo,
  memberAt,
  personAt,
  tierOf,
  type Answer,
  type Person,
} from './buyers.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;
beforeAll(async () => {
  product = await startPaymentsProduct();
}, 120_000);
afterAll(() => product.close());

const newEmail = (): string => `${newId().slice(-12)}@example.com`;
const link = (member: Person, body: object = {}): Promise<Answer> =>
  member.send('POST', paymentRoutes.link, body);
const billingOf = async (member: Person): Promise<Billing> =>
  Billing.parse((await member.get(paymentRoutes.billing)).body);
const outcome = ({ status, body }: Answer): string => `${status} ${String(body['code'])}`;

type Claimed = Readonly<{ payer: Person; holder: Person; sessionId: string; email: string }>;

/** Somebody has mistyped an address, and its holder claims what was paid. */
const claimedByHolder = async (): Promise<Claimed> => {
  const [payer, email] = [personAt(product), newEmail()];
  const sessionId = await buyByEmail(payer, email);
  await product.settled();
  const holder = await memberAt(product, email);
  expect((await link(holder)).status).toBe(200);
  await product.settled();
  return { payer, holder, sessionId, email };
};

/** The browser of the payer, signed in. */
const signedIn = async ({ browser }: Person, email = newEmail()): Promise<Person> => {
  const member = await memberAt(product, email);
  const name = browser.cookieNames().find((cookie) => cookie.includes('claim')) ?? '';
  const secret = browser.cookieHeader(product.url).split(`${name}=`)[1] ?? '';
  member.browser.setCookie(product.url, name, secret);
  return member;
};

describe('a purchase that was claimed by its mailbox only', () => {
  it('shows no card, opens no page of the payer, and charges nothing to that card', async () => {
    const { holder } = await claimedByHolder();
    expect(await tierOf(holder)).toBe('Pro active');
    const { subscription } = await billingOf(holder);
    expect(subscription).toMatchObject({ isPaidByAnother: true, card: null });
    const plan = { tier: 'Elite', period: 'annual' };
    for (const path of [paymentRoutes.billingPortal, paymentRoutes.previewChange, paymentRoutes.change])
      expect(outcome(await holder.send('POST', path, plan))).toBe('409 PAID_BY_ANOTHER');
  });

  it('is replaced by a purchase of the holder, with a customer of their own, and ends with its period', async () => {
    const { holder, sessionId } = await claimedByHolder();
    const session = await product.stripe.checkout.sessions.retrieve(await buyAs(holder, 'elite'));
    await product.settled();
    expect(await tierOf(holder)).toBe('Elite active');
    const replaced = await product.stripe.checkout.sessions.retrieve(sessionId);
    expect(session.customer).not.toBe(replaced.customer);
    await eventually(async () => {
      const before = await product.stripe.subscriptions.retrieve(String(replaced.subscription));
      expect([before.status, before.cancel_at_period_end]).toEqual(['active', true]);
    });
    const { subscription } = await billingOf(holder);
    expect(subscription).toMatchObject({ tier: 'Elite', isPaidByAnother: false, card: { last4: '4242' } });
  });

  it('goes to whoever has paid, in the browser that has, and leaves the holder', async () => {
    const { payer, holder, sessionId } = await claimedByHolder();
    expect((await payer.get(paymentRoutes.verify(sessionId))).body).toMatchObject({ canTakeOver: true });
    expect((await holder.get(paymentRoutes.verify(sessionId))).body).toMatchObject({ canTakeOver: false });
    const member = await signedIn(payer);
    expect((await link(member, { sessionId })).status).toBe(200);
    await product.settled();
    expect([await tierOf(member), await tierOf(holder)]).toEqual(['Pro active', 'Free ended']);
    expect((await billingOf(member)).subscription).toMatchObject({ isPaidByAnother: false });
    expect(outcome(await link(holder, { sessionId }))).toBe('409 PURCHASE_CLAIMED');
    expect((await payer.get(paymentRoutes.verify(sessionId))).body).toMatchObject({ canTakeOver: false });
  });
});

describe('the account that has lost a purchase to its payer', () => {
  const daySeconds = 86_400;

  it('opens no page of the payer, sees no later payment, and buys with a customer of its own', async () => {
    const { payer, holder, sessionId, email } = await claimedByHolder();
    const payerEmail = newEmail();
    const member = await signedIn(payer, payerEmail);
    expect((await link(member, { sessionId })).status).toBe(200);
    await product.settled();
    const [paid] = (await billingOf(member)).payments;
    expect(paid).toMatchObject({ hasInvoice: true });
    expect((await billingOf(holder)).payments).toMatchObject([{ hasInvoice: false }]);
    const invoice = paymentRoutes.invoice(paid?.invoiceId ?? '');
    expect(outcome(await holder.get(invoice))).toBe('404 NO_SUCH_INVOICE');
    expect((await member.get(invoice)).status).toBe(200);
    const portal = paymentRoutes.billingPortal;
    expect(outcome(await holder.send('POST', portal))).toBe('404 SUBSCRIPTION_NOT_FOUND');
    expect((await member.send('POST', portal)).status).toBe(201);

    await product.control('/clock', { seconds: 32 * daySeconds });
    await product.settled();
    const [later, former] = [await memberAt(product, payerEmail), await memberAt(product, email)];
    expect((await billingOf(later)).payments).toHaveLength(2);
    expect((await billingOf(former)).payments).toHaveLength(1);
    await eventually(async () =>
      expect((await mailsTo(product, payerEmail))[0]?.subject).toMatch(/^Your receipt/),
    );
    const purchase = await product.stripe.checkout.sessions.retrieve(sessionId);
    const own = await product.stripe.checkout.sessions.retrieve(await buyAs(former));
    expect(own.customer).not.toBe(purchase.customer);
  }, 60_000);
});

describe('a claim', () => {
  it('finds an earlier purchase when the newest one cannot be claimed any more', async () => {
    const email = newEmail();
    const first = await buyByEmail(personAt(product), email);
    await product.settled();
    await product.control('/clock', { seconds: 60 });
    const second = await buyByEmail(personAt(product), email, 'elite');
    await product.settled();
    const { subscription } = await product.stripe.checkout.sessions.retrieve(second);
    await product.control('/deliveries/hold');
    await product.stripe.subscriptions.cancel(String(subscription));
    await product.control('/deliveries/release');
    await product.settled();
    const member = await memberAt(product, email);
    expect((await link(member)).body).toMatchObject({ tier: 'Pro' });
    await product.settled();
    expect(await tierOf(member)).toBe('Pro active');
    expect((await product.stripe.checkout.sessions.retrieve(first)).status).toBe('complete');
  });
});
