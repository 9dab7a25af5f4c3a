import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@tapedeck/kernel';
import { Billing, paymentRoutes } from '@tapedeck/payments/contract';
import type { Stripe } from 'stripe';
import { memberAt, personAt, tierOf, type Answer, type Person } from './buyers.ts';
import { startPaymentsProduct, type PaymentsProduct } from './payments-product.ts';

let product: PaymentsProduct;
beforeAll(async () => {
  product = await startPaymentsProduct({ STRIPE_TAX: 'yes' });
}, 120_000);
afterAll(() => product.close());

const newEmail = (): string => `${newId().slice(-12)}@example.com`;
const sessionOf = ({ body }: Answer): Promise<Stripe.Checkout.Session> =>
  product.stripe.checkout.sessions.retrieve(String(body['checkoutUrl']).split('/').at(-1) ?? '');
const start = (person: Person, plan: string): Promise<Answer> =>
  person.send('POST', `/api/create-${plan}-subscription`);
const taxed = {
  automatic_tax: { enabled: true },
  billing_address_collection: 'required',
  tax_id_collection: { enabled: true },
};

const payWithAddress = async ({ body }: Answer, country: string): Promise<number> => {
  const address = { line1: '1 Main Street', postal_code: '10115', city: 'Berlin', country };
  const answer = await fetch(String(body['checkoutUrl']), {
    method: 'POST',
    body: new URLSearchParams({ card: 'ok', ...address }),
    redirect: 'manual',
  });
  await answer.arrayBuffer();
  return answer.status;
};

describe('with STRIPE_TAX=yes', () => {
  it('a checkout asks for address and tax id, also of a member who has bought before', async () => {
    const member = await memberAt(product, newEmail());
    const first = await start(member, 'pro');
    expect(await sessionOf(first)).toMatchObject({ ...taxed, customer: null });
    expect(await payWithAddress(first, '')).toBe(400);
    expect(await payWithAddress(first, 'DE')).toBe(303);
    await product.settled();
    expect(await tierOf(member)).toBe('Pro active');
    const { subscription, customer } = await sessionOf(first);
    await product.stripe.subscriptions.cancel(String(subscription));
    await product.settled();
    const second = await start(member, 'elite');
    expect(await sessionOf(second)).toMatchObject({ ...taxed, customer });
    expect(await payWithAddress(second, 'FR')).toBe(303);
    expect(await product.stripe.customers.retrieve(String(customer))).toMatchObject({
      address: { country: 'FR' },
    });
  }, 60_000);

  it('a checkout by e-mail does too', async () => {
    const started = await personAt(product).send('POST', '/api/create-pro-subscription-anonymous', {
      email: newEmail(),
    });
    expect(await sessionOf(started)).toMatchObject(taxed);
  });

  it.each([
    ['adds taxes to', 'exclusive', true],
    ['includes taxes in', 'inclusive', false],
  ] as const)(
    'a member reads whether Stripe %s the price',
    async (_what, taxBehavior, addsTaxes) => {
      const member = await memberAt(product, newEmail());
      const started = await start(member, 'elite');
      expect(await payWithAddress(started, 'DE')).toBe(303);
      await product.settled();
      const id = String((await sessionOf(started)).subscription);
      const { id: price } = await product.stripe.prices.create({
        product: 'prod_elite',
        currency: 'usd',
        unit_amount: 1_999,
        recurring: { interval: 'month' },
        tax_behavior: taxBehavior,
        metadata: { tapedeck_plan: 'elite_monthly' },
      });
      const { items } = await product.stripe.subscriptions.retrieve(id);
      await product.stripe.subscriptions.update(id, {
        items: [{ id: items.data[0]?.id ?? '', price }],
        proration_behavior: 'none',
      });
      await product.settled();
      const { subscription } = Billing.parse((await member.get(paymentRoutes.billing)).body);
      expect(subscription).toMatchObject({ tier: 'Elite', addsTaxes });
    },
    60_000,
  );
});
