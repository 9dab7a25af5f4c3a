import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isForgotten } from '@tapedeck/eventing';
import { eventually } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import {
  buyAs,
  buyByEmail,
  mailsTo,
  memberAt,
  personAt,
  tierOf,
  type Person,
  type ShownMail,
} from './buyers.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;
beforeAll(async () => {
  product = await startPaymentsProduct();
}, 120_000);
afterAll(() => product.close());

const advance = (days: number): Promise<unknown> =>
  product.control('/clock', { seconds: Math.round(days * 86_400) });
const newAddress = (): string => `${newId().slice(-12)}@example.com`;

/** The oldest first. */
const mails = async (email: string): Promise<readonly ShownMail[]> =>
  (await mailsTo(product, email)).toReversed();
const subjects = async (email: string): Promise<readonly string[]> =>
  (await mails(email)).map(({ subject }) => subject);

type Subscriber = Readonly<{ email: string; member: Person; customer: string }>;

const subscriber = async (body?: object): Promise<Subscriber> => {
  const email = newAddress();
  const member = await memberAt(product, email);
  const sessionId = await buyAs(member, 'pro', body);
  await product.settled();
  const { customer } = await product.stripe.checkout.sessions.retrieve(sessionId);
  return { email, member, customer: String(customer) };
};

type Listed = Readonly<{ id: string; subject: string; sentTo: string; hasText: boolean }>;

const listOf = async (member: Person): Promise<readonly Listed[]> =>
  ((await member.get('/api/account/mails?limit=100')).body['mails'] as readonly Listed[]).toReversed();

const paymentsOf = async (member: Person): Promise<readonly Readonly<Record<string, unknown>>[]> =>
  (await member.get('/api/membership/billing')).body['payments'] as readonly Readonly<
    Record<string, unknown>
  >[];

const day = 'on \\w{3} \\d+, \\d{4}';

describe('a subscription by the year', () => {
  it('has a mail for what happens to it, once each, and none about what was resolved', async () => {
    const { email, member, customer } = await subscriber({ period: 'annual' });
    const expected: RegExp[] = [];
    const isSent = async (...more: readonly string[]): Promise<void> => {
      expected.push(...more.map((text) => new RegExp(`^${text}$`)));
      await eventually(async () =>
        expect(await subjects(email)).toEqual(expected.map((subject) => expect.stringMatching(subject))),
      );
    };
    await isSent('Your receipt for Tapedeck Pro \\(annual\\)');
    const [receipt] = await mails(email);
    expect(receipt?.text).toMatch(
      /\nAmount: \$74\.99\nPaid on: .*\nPlan: Tapedeck Pro \(annual\)\nFor: First payment\n/,
    );
    expect(receipt?.html).toContain('<dd class="mail-text"');

    const [payment] = await paymentsOf(member);
    expect(payment).toMatchObject({ amount: 7_499, state: 'paid', hasInvoice: true });
    const invoice = await member.get(`/api/membership/invoices/${String(payment?.['invoiceId'])}`);
    const { page, pdf } = invoice.body as Readonly<{ page: string; pdf: string }>;
    expect([new URL(page).origin, new URL(pdf).origin]).toEqual([product.sandbox, product.sandbox]);
    expect(await (await fetch(page)).text()).toContain('This invoice is paid.');
    expect((await fetch(pdf)).headers.get('content-type')).toBe('application/pdf');

    await advance(334);
    await isSent();
    await advance(2);
    await isSent(`Tapedeck Pro \\(annual\\) renews ${day}`);
    await advance(23);
    await isSent(`Tapedeck Pro \\(annual\\) renews ${day}`);

    await product.control('/card', { customer, card: 'declined' });
    await advance(7);
    await isSent('Your payment has failed');
    await advance(7);
    await isSent(`Your access ends ${day}`);
    await advance(5.5);
    await isSent(`Last reminder: your access ends ${day}`);

    const [reminder] = await mailsTo(product, email);
    const payLink = /\n(http\S+\/pay)\n/.exec(reminder?.text ?? '')?.[1] ?? '';
    expect(payLink).toBe(`${product.url}/pay`);
    expect(reminder?.html).toContain(`href="${payLink}"`);
    const later = await memberAt(product, email);
    const opened = await later.send('POST', '/api/membership/payment-page');
    await fetch(String(opened.body['url']), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'card=ok',
      redirect: 'manual',
    });
    await product.settled();
    await eventually(async () => expect(await tierOf(later)).toBe('Pro active'));
    await isSent('Your receipt for Tapedeck Pro \\(annual\\)');
    const again = await later.send('POST', '/api/membership/payment-page');
    expect(again.body).toEqual({ url: null, change: null });

    const charge = (await product.stripe.charges.list({ customer, limit: 1 })).data[0]?.id;
    await product.control('/refunds', { charge, amount: 100 });
    await product.settled();
    await isSent('We are refunding \\$1\\.00');
    expect((await paymentsOf(later))[0]).toMatchObject({ state: 'partly-refunded', refunded: 100 });

    await later.send('POST', '/api/cancel-subscription');
    await product.settled();
    await isSent(`Your subscription ends ${day}`);
    await later.send('POST', '/api/membership/resume');
    await product.settled();
    await isSent('Your subscription continues');
    await later.send('POST', '/api/cancel-subscription');
    await product.settled();
    await isSent(`Your subscription ends ${day}`);
    // Neither the notices of the year nor reminders: it ends.
    await advance(366);
    await product.settled();
    await isSent('Your subscription has ended');

    const member2 = await memberAt(product, email);
    const listed = await listOf(member2);
    expect(listed.map(({ subject }) => subject)).toEqual(await subjects(email));
    expect(listed.every(({ sentTo, hasText }) => sentTo === email && hasText)).toBe(true);
    const text = await member2.get(`/api/account/mails/${listed[0]?.id ?? ''}`);
    expect(text.body['text']).toContain('Amount: $74.99');
    const other = await memberAt(product, newAddress());
    expect(await listOf(other)).toEqual([]);
    expect((await other.get(`/api/account/mails/${listed[0]?.id ?? ''}`)).status).toBe(404);
    for (const id of ['%00', 'a%20b', 'x'.repeat(99)]) {
      expect((await other.get(`/api/account/mails/${id}`)).status).toBe(404);
      expect((await other.get(`/api/membership/invoices/${id}`)).status).toBe(404);
    }
    const foreign = await other.get(`/api/membership/invoices/${String(payment?.['invoiceId'])}`);
    expect([foreign.status, foreign.body['code']]).toEqual([404, 'NO_SUCH_INVOICE']);
  }, 180_000);
});

describe('the list of mails', () => {
  it('has no code of a claim, and receipts that were sent to the address typed for them', async () => {
    const [payer, email] = [newAddress(), newAddress()];
    await buyByEmail(personAt(product), payer);
    await product.settled();
    await eventually(async () =>
      expect(await subjects(payer)).toEqual(['Your purchase of Tapedeck Pro (monthly)']),
    );
    expect((await mails(payer))[0]?.text).toContain('Amount: $4.99');

    const member = await memberAt(product, email);
    await member.send('POST', '/api/claims/code', { email: payer });
    await eventually(async () => expect((await subjects(payer))[1]).toMatch(/^\d{6} is your code$/));
    const code = (await subjects(payer))[1]?.slice(0, 6) ?? '';
    await eventually(async () => expect(await listOf(member)).toHaveLength(1));
    const [listed] = await listOf(member);
    expect(listed).toMatchObject({ subject: 'Your code to claim a purchase', sentTo: payer, hasText: false });
    expect((await member.get(`/api/account/mails/${listed?.id ?? ''}`)).status).toBe(404);
    const account = (await member.get('/api/auth/user')).body['id'];
    const events = await product.product.store.readStream(`sentMails-${String(account)}`);
    expect(JSON.stringify(events.map(({ data }) => data))).not.toContain(code);

    await member.send('POST', '/api/claims', { code });
    await advance(32);
    await product.settled();
    await eventually(async () =>
      expect((await subjects(payer)).at(-1)).toBe('Your receipt for Tapedeck Pro (monthly)'),
    );
    const later = await memberAt(product, email);
    const [renewal] = await paymentsOf(later);
    // The card, and the name on its invoices, may be those of somebody else.
    expect(renewal).toMatchObject({ hasInvoice: false });
    const invoice = await later.get(`/api/membership/invoices/${String(renewal?.['invoiceId'])}`);
    expect(invoice.status).toBe(404);
  }, 90_000);

  it('is forgotten with the account, and nothing is sent to it any more', async () => {
    const { email, member, customer } = await subscriber();
    await eventually(async () => expect(await subjects(email)).toHaveLength(1));
    await eventually(async () => expect(await listOf(member)).toHaveLength(1));
    const account = String((await member.get('/api/auth/user')).body['id']);
    const charge = (await product.stripe.charges.list({ customer, limit: 1 })).data[0]?.id;
    expect((await member.send('DELETE', '/api/account', { confirmation: email })).status).toBe(204);
    await product.settled();
    await product.control('/refunds', { charge, amount: 100 });
    await product.settled();
    await advance(32);
    await product.settled();
    expect(await subjects(email)).toEqual(['Your receipt for Tapedeck Pro (monthly)']);
    const events = await product.product.store.readStream(`sentMails-${account}`);
    expect(
      events.map(({ data }) => [data['sentTo'], data['subject'], data['text']].every(isForgotten)),
    ).toEqual([true]);
  }, 60_000);
});
