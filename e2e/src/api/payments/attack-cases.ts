import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import {
  buyAs,
  buyByEmail,
  mailsTo,
  memberAt,
  payAt,
  personAt,
  tierOf,
  type Answer,
  type Person,
} from './buyers.ts';
import type { PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;

const daySeconds = 86_400;
const newEmail = (name: string): string => `${name}-${newId().slice(-8)}@example.com`;
const codeOf = ({ status, body }: Answer): string => `${status} ${String(body['code'])}`;
const verify = (person: Person, sessionId: string): Promise<Answer> =>
  person.get(`/api/verify-payment/${sessionId}`);
const link = (person: Person, body: object = {}): Promise<Answer> =>
  person.send('POST', '/api/link-payment', body);

const codeSentTo = async (email: string): Promise<string> => {
  let code: string | undefined;
  await eventually(async () => {
    const [mail] = await mailsTo(product, email);
    code = /\b\d{6}\b/.exec(`${mail?.subject} ${mail?.text}`)?.[0];
    expect(code).toBeDefined();
  });
  return code ?? '';
};

export const describeAttacks = (running: () => PaymentsProduct): void => {
  beforeAll(() => {
    product = running();
  });
  afterEach(() => product.control('/deliveries/release'));

  describe('a purchase by e-mail', () => {
    it('A1 shows nothing of itself to whoever only knows the session, and cannot be claimed by it', async () => {
      const [buyer, email] = [personAt(product), newEmail('a1')];
      const sessionId = await buyByEmail(buyer, email);
      await product.settled();
      const thief = await memberAt(product, newEmail('thief'));
      for (const stranger of [thief, personAt(product)])
        expect((await verify(stranger, sessionId)).body).toMatchObject({
          success: true,
          tier: 'Pro',
          email: null,
          subscriptionId: null,
        });
      expect(codeOf(await link(thief, { sessionId, paymentEmail: email }))).toBe('403 CLAIM_NOT_PROVED');
      expect(await tierOf(thief)).toBe('Free none');
      expect((await verify(buyer, sessionId)).body).toMatchObject({ email, claimed: false });
    });

    it('A2 with the address of a member changes nothing for the member until that accepts it', async () => {
      const email = newEmail('a2');
      const victim = await memberAt(product, email);
      const attacker = personAt(product);
      const sessionId = await buyByEmail(attacker, email);
      await product.settled();
      expect(await tierOf(victim)).toBe('Free none');
      const billing = await victim.get('/api/membership/billing');
      expect(billing.body).toMatchObject({ subscription: null, payments: [], unclaimed: [{ tier: 'Pro' }] });
      expect(codeOf(await victim.send('POST', '/api/create-billing-portal'))).toBe(
        '404 SUBSCRIPTION_NOT_FOUND',
      );
      expect(await link(victim)).toMatchObject({ status: 200, body: { emailTransferred: false } });
      expect((await verify(attacker, sessionId)).body).toMatchObject({ claimed: true });
    });

    it('A5 that was paid with another price than that of its intent grants nothing', async () => {
      const email = newEmail('a5');
      const member = await memberAt(product, email);
      const started = await member.send('POST', '/api/create-elite-subscription');
      const own = await product.stripe.checkout.sessions.retrieve(
        String(started.body['checkoutUrl']).split('/').at(-1) ?? '',
      );
      const intentId = own.client_reference_id ?? '';
      const cheap = await product.stripe.checkout.sessions.create({
        mode: 'subscription',
        client_reference_id: intentId,
        subscription_data: { metadata: { intentId } },
        customer_email: email,
        line_items: [{ price: product.config.STRIPE_PRICE_PRO_MONTHLY, quantity: 1 }],
        success_url: `${product.url}/`,
        cancel_url: `${product.url}/`,
      });
      await payAt(cheap.url);
      await product.settled();
      expect(await tierOf(member)).toBe('Free none');
      const { rows } = await product.product.databases.tapedeck.query<{ status: string }>(
        'select status from checkouts where intent_id = $1',
        [intentId],
      );
      expect(rows).toEqual([{ status: 'refused' }]);
    });

    it('A6 is claimed by one of two accounts at once, and a double click is one claim', async () => {
      const buyer = personAt(product);
      const sessionId = await buyByEmail(buyer, newEmail('a6'));
      await product.settled();
      const claimants = await Promise.all(['one', 'two'].map((name) => memberAt(product, newEmail(name))));
      const name = buyer.browser.cookieNames().find((cookie) => cookie.includes('claim')) ?? '';
      const secret = buyer.browser.cookieHeader(product.url).split(`${name}=`)[1] ?? '';
      for (const { browser } of claimants) browser.setCookie(product.url, name, secret);
      const answers = await Promise.all(
        claimants.flatMap((each) => [1, 2].map(() => link(each, { sessionId }))),
      );
      const statuses = answers.map(({ status }) => status);
      expect([...statuses].sort((a, b) => a - b)).toEqual([200, 200, 409, 409]);
      expect(statuses[0]).toBe(statuses[1]);
      expect(answers.filter(({ status }) => status === 409).map(codeOf)).toEqual([
        '409 PURCHASE_CLAIMED',
        '409 PURCHASE_CLAIMED',
      ]);
    });

    it('A9 signs nobody in', async () => {
      const email = newEmail('a9');
      await memberAt(product, email);
      const guest = personAt(product);
      const sessionId = await buyByEmail(guest, email);
      await verify(guest, sessionId);
      expect((await guest.get('/api/auth/user')).status).toBe(401);
      expect(guest.browser.cookieNames()).toEqual([expect.stringMatching(/claim/)]);
    });

    it('A10 is answered alike for known and unknown addresses, and so is a request for a code', async () => {
      const known = newEmail('a10');
      const member = await memberAt(product, known);
      await buyByEmail(personAt(product), known);
      const shapeOf = ({ status, body }: Answer): unknown => [
        status,
        Object.keys(body).sort(),
        body['message'],
      ];
      const checkout = (email: string): Promise<Answer> =>
        personAt(product).send('POST', '/api/create-pro-subscription-anonymous', { email });
      expect(shapeOf(await checkout(known))).toEqual(shapeOf(await checkout(newEmail('unknown'))));
      const code = (email: string): Promise<Answer> => member.send('POST', '/api/claims/code', { email });
      expect(shapeOf(await code(known))).toEqual(shapeOf(await code(newEmail('unknown'))));
    });
  });

  describe('a purchase while signed in', () => {
    it('A4 is managed by the stored customer, and nobody is searched by address', async () => {
      const member = await memberAt(product, newEmail('a4'));
      await buyAs(member);
      await product.settled();
      await product.control('/requests/reset');
      expect((await member.send('POST', '/api/create-billing-portal')).status).toBe(201);
      const log = await fetch(`${product.sandbox}/_control/stripe/requests`);
      const requests = (await log.json()) as readonly Readonly<{ method: string; path: string }>[];
      expect(requests.filter(({ path }) => path.includes('/customers'))).toEqual([]);
      expect(requests.map(({ path }) => path)).toContain('/v1/billing_portal/sessions');
    });

    it('A7 counts once, whether the browser or the webhook is first', async () => {
      const member = await memberAt(product, newEmail('a7'));
      await product.control('/deliveries/hold');
      const sessionId = await buyAs(member);
      const answers = await Promise.all(Array.from({ length: 10 }, () => verify(member, sessionId)));
      expect(new Set(answers.map(({ body }) => body['state']))).toEqual(new Set(['paid']));
      await product.settled();
      expect(await tierOf(member)).toBe('Pro active');
      const head = await product.product.store.head();
      await product.control('/deliveries/release');
      await product.settled();
      const { rows } = await product.product.databases.tapedeck.query<{ type: string }>(
        `select distinct type from tape_events where position > $1 and stream not like 'stripeEvent-%'`,
        [String(head)],
      );
      expect(rows).toEqual([]);
    });

    it('A8 is not a success before it is paid, whatever the address of the page says', async () => {
      const member = await memberAt(product, newEmail('a8'));
      const started = await member.send('POST', '/api/create-pro-subscription');
      expect(await payAt(started.body['checkoutUrl'], 'declined')).toBeNull();
      const sessionId = String(started.body['checkoutUrl']).split('/').at(-1) ?? '';
      expect((await verify(member, sessionId)).body).toMatchObject({ success: false, state: 'processing' });
      expect(await tierOf(member)).toBe('Free none');
      expect((await verify(member, 'cs_test_made_up')).status).toBe(404);
    });

    it('A11 returns to the product only, whatever origin the request names', async () => {
      const member = await memberAt(product, newEmail('a11'));
      const foreign = await member.browser.request(`${product.url}/api/create-pro-subscription`, {
        method: 'POST',
        headers: { origin: 'https://elsewhere.example' },
      });
      expect(foreign.status).toBe(403);
      const started = await member.send('POST', '/api/create-pro-subscription');
      const session = await product.stripe.checkout.sessions.retrieve(
        String(started.body['checkoutUrl']).split('/').at(-1) ?? '',
      );
      expect([session.success_url, session.cancel_url].map((at) => new URL(at ?? '').origin)).toEqual([
        product.url,
        product.url,
      ]);
    });

    it('A13 belongs to the account that began it, whose address stays what it is', async () => {
      const email = newEmail('a13');
      const member = await memberAt(product, email);
      const sessionId = await buyAs(member, 'elite', { period: 'annual' });
      await product.settled();
      const { customer } = await product.stripe.checkout.sessions.retrieve(sessionId);
      await product.stripe.customers.update(String(customer), { email: newEmail('billing') });
      await product.settled();
      expect(await tierOf(member)).toBe('Elite active');
      expect((await member.get('/api/auth/user')).body).toMatchObject({ email });
    });

    it('A16 ends at Stripe when its account is deleted, and its buyer is forgotten there', async () => {
      const email = newEmail('a16');
      const member = await memberAt(product, email);
      const sessionId = await buyAs(member);
      await product.settled();
      const { subscription, customer } = await product.stripe.checkout.sessions.retrieve(sessionId);
      expect((await member.send('DELETE', '/api/account', { confirmation: email })).status).toBe(204);
      await eventually(async () => {
        const { status } = await product.stripe.subscriptions.retrieve(String(subscription));
        expect(status).toBe('canceled');
      });
      await product.settled();
      const found = await product.stripe.customers.retrieve(String(customer));
      expect('email' in found ? found.email : null).toBeFalsy();
      const { rows } = await product.product.databases.tapedeck.query<{ amount: string }>(
        'select amount from payments where subscription_id = $1',
        [String(subscription)],
      );
      expect(rows).toEqual([{ amount: '499' }]);
    });
  });

  describe('a claim by code', () => {
    it('A12 needs a POST with the right code, once, and is blocked after six wrong ones', async () => {
      const [member, email] = [await memberAt(product, newEmail('a12')), newEmail('paying')];
      await buyByEmail(personAt(product), email);
      await product.settled();
      await member.send('POST', '/api/claims/code', { email });
      const code = await codeSentTo(email);
      expect((await member.get(`/api/claims?code=${code}`)).status).toBe(404);
      const wrong = code === '000000' ? '111111' : '000000';
      for (let attempt = 1; attempt <= 6; attempt++)
        expect(codeOf(await member.send('POST', '/api/claims', { code: wrong }))).toBe(
          '422 CLAIM_CODE_WRONG',
        );
      expect(codeOf(await member.send('POST', '/api/claims', { code }))).toBe('422 CLAIM_CODE_BLOCKED');
      expect(await tierOf(member)).toBe('Free none');
    });

    it('A14 hands a purchase of another address over, tells that address, and is refused beside a subscription', async () => {
      const email = newEmail('a14');
      await buyByEmail(personAt(product), email);
      await product.settled();
      const subscribed = await memberAt(product, newEmail('subscribed'));
      await buyAs(subscribed);
      await product.settled();
      await subscribed.send('POST', '/api/claims/code', { email });
      const refused = await subscribed.send('POST', '/api/claims', { code: await codeSentTo(email) });
      expect(codeOf(refused)).toBe('409 ALREADY_SUBSCRIBED');
      const other = newEmail('other');
      const member = await memberAt(product, other);
      const before = (await mailsTo(product, email)).length;
      await member.send('POST', '/api/claims/code', { email });
      await eventually(async () => expect((await mailsTo(product, email)).length).toBeGreaterThan(before));
      const claimed = await member.send('POST', '/api/claims', { code: await codeSentTo(email) });
      expect(claimed).toMatchObject({
        status: 200,
        body: { emailTransferred: true, to: other, tier: 'Pro' },
      });
      await product.settled();
      expect(await tierOf(member)).toBe('Pro active');
      await eventually(async () =>
        expect((await mailsTo(product, email)).some(({ text }) => /another account/i.test(text))).toBe(true),
      );
    });
  });

  describe('a purchase that nobody claims', () => {
    it('A15 is reminded of on days 1, 3 and 7, and refunded on day 30', async () => {
      const email = newEmail('a15');
      await buyByEmail(personAt(product), email);
      await product.settled();
      for (const [days, mails] of [
        [1, 2],
        [2, 3],
        [4, 4],
      ] as const) {
        await product.control('/clock', { seconds: days * daySeconds + 60 });
        await eventually(async () => expect((await mailsTo(product, email)).length).toBe(mails));
      }
      await product.control('/clock', { seconds: 23 * daySeconds });
      await eventually(async () => {
        const { rows } = await product.product.databases.tapedeck.query<{ refunded: string }>(
          `select sum(r.amount) as refunded from refunds r join payments p using (invoice_id)
             join checkouts c on c.subscription_id = p.subscription_id
            where c.email_hash = (select email_hash from checkouts order by started_at desc limit 1)`,
        );
        expect(rows).toEqual([{ refunded: '499' }]);
      });
    });
  });
};
