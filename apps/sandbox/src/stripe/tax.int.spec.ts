import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Stripe } from 'stripe';
import {
  buy,
  product,
  sendForm,
  startStandIn,
  type PageAnswer,
  type TestStandIn,
} from './testing/stand-in.ts';

let standIn: TestStandIn;
beforeAll(async () => {
  standIn = await startStandIn();
});
afterAll(async () => {
  await standIn.close();
  expect(standIn.errors).toEqual([]);
});

const open = (given: Partial<Stripe.Checkout.SessionCreateParams> = {}): Promise<Stripe.Checkout.Session> =>
  standIn.stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: 'price_pro_monthly', quantity: 1 }],
    success_url: `${product}/done`,
    cancel_url: `${product}/pricing`,
    automatic_tax: { enabled: true },
    billing_address_collection: 'required',
    tax_id_collection: { enabled: true },
    ...given,
  });

const address = { line1: '1 Main Street', postal_code: '10115', city: 'Berlin', country: 'de' };
const payWith = (
  { id }: Stripe.Checkout.Session,
  fields: Readonly<Record<string, string>>,
): Promise<PageAnswer> =>
  sendForm(standIn, `/c/pay/${id}`, { do: 'pay', card: 'ok', email: 'tax@example.com', ...fields });

describe('a checkout with taxes', () => {
  it('asks for an address and a tax id, and has both afterwards', async () => {
    const session = await open();
    expect(session).toMatchObject({
      automatic_tax: { enabled: true, status: 'requires_location_inputs' },
      billing_address_collection: 'required',
      tax_id_collection: { enabled: true },
    });
    const page = await (await fetch(`${standIn.url}/c/pay/${session.id}`)).text();
    for (const text of [
      'Billing address',
      'Postal code',
      'Country (two letters)',
      'Tax ID of a business',
      'adds none',
    ])
      expect(page).toContain(text);
    expect((await payWith(session, { ...address, city: ' ' })).status).toBe(400);
    expect((await payWith(session, { ...address, country: 'Germany' })).status).toBe(400);
    expect((await payWith(session, { ...address, tax_id: 'DE123456789' })).status).toBe(303);
    const paid = await standIn.stripe.checkout.sessions.retrieve(session.id, {
      expand: ['subscription', 'customer'],
    });
    const entered = { line1: '1 Main Street', postal_code: '10115', city: 'Berlin', country: 'DE' };
    expect(paid).toMatchObject({
      status: 'complete',
      automatic_tax: { enabled: true, status: 'complete' },
      customer_details: { address: entered, tax_ids: [{ value: 'DE123456789' }] },
      subscription: { automatic_tax: { enabled: true } },
      customer: { address: entered },
    });
  });

  it('changes a known customer only with the permission', async () => {
    const customer = String((await buy(standIn)).customer);
    await expect(open({ customer })).rejects.toMatchObject({ param: 'customer_update' });
    await expect(open({ customer, customer_update: { name: 'auto' } })).rejects.toMatchObject({
      code: 'customer_tax_location_invalid',
    });
    const session = await open({ customer, customer_update: { name: 'auto', address: 'auto' } });
    expect((await payWith(session, address)).status).toBe(303);
    const known = await standIn.stripe.customers.retrieve(customer);
    expect(known).toMatchObject({ address: { country: 'DE' } });
  });

  it('needs no permission for a new customer, and accepts none', async () => {
    await expect(open({ customer_update: { name: 'auto' } })).rejects.toMatchObject({
      param: 'customer_update',
    });
  });

  it('asks for nothing without them', async () => {
    const session = await open({
      automatic_tax: { enabled: false },
      billing_address_collection: 'auto',
      tax_id_collection: { enabled: false },
    });
    const page = await (await fetch(`${standIn.url}/c/pay/${session.id}`)).text();
    expect(page).not.toContain('Postal code');
    expect(page).not.toContain('Tax');
    expect((await payWith(session, {})).status).toBe(303);
  });
});
