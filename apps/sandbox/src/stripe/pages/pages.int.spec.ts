import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Stripe } from 'stripe';
import {
  buy,
  itemOf,
  openCheckout,
  product,
  sendForm,
  startStandIn,
  type PageAnswer,
  type TestStandIn,
} from '../testing/stand-in.ts';

let standIn: TestStandIn;

beforeAll(async () => {
  standIn = await startStandIn();
});

afterAll(async () => {
  await standIn.close();
  expect(standIn.errors).toEqual([]);
});

const show = async (path: string): Promise<string> => (await fetch(`${standIn.url}${path}`)).text();
const read = (id: string) => standIn.stripe.subscriptions.retrieve(id, { expand: ['schedule'] });

type Portal = Readonly<{
  path: string;
  send: (fields: Readonly<Record<string, string>>) => Promise<PageAnswer>;
}>;

const openPortal = async (
  { customer }: Stripe.Subscription,
  flow?: Stripe.BillingPortal.SessionCreateParams.FlowData,
): Promise<Portal> => {
  const { id } = await standIn.stripe.billingPortal.sessions.create({
    customer: String(customer),
    return_url: `${product}/account`,
    ...(flow === undefined ? {} : { flow_data: flow }),
  });
  const path = `/p/session/${id}`;
  return { path, send: (fields) => sendForm(standIn, path, fields) };
};

describe('the portal', () => {
  it('changes to a higher plan now and to a lower one at the end of the period', async () => {
    const { id, ...rest } = await buy(standIn);
    const portal = await openPortal({ id, ...rest });
    const change = (price: string) => portal.send({ do: 'plan', subscription: id, price });
    expect((await change('price_elite_monthly')).location).toBe(`${portal.path}?done=plan`);
    expect(itemOf(await read(id)).price.id).toBe('price_elite_monthly');
    expect((await change('price_pro_monthly')).location).toBe(`${portal.path}?done=later`);
    expect(itemOf(await read(id)).price.id).toBe('price_elite_monthly');
    expect(await show(`${portal.path}?done=later`)).toContain('Changes to Pro monthly ($9.99 per month) on');
    await portal.send({ do: 'keep', subscription: id });
    expect((await read(id)).schedule).toBeNull();
  });

  it('cancels at the end of the period, and continues again', async () => {
    const subscription = await buy(standIn);
    const portal = await openPortal(subscription);
    const fields = { subscription: subscription.id };
    await portal.send({ ...fields, do: 'cancel' });
    expect(await read(subscription.id)).toMatchObject({
      status: 'active',
      cancel_at: itemOf(subscription).current_period_end,
      cancel_at_period_end: false,
    });
    await portal.send({ ...fields, do: 'resume' });
    expect(await read(subscription.id)).toMatchObject({ cancel_at: null, canceled_at: null });
  });

  it('pays what is open when the card is changed, and returns to the product', async () => {
    const subscription = await buy(standIn, { card: 'fails_at_renewal' });
    await standIn.advanceTo(itemOf(subscription).current_period_end + 3_600);
    expect((await read(subscription.id)).status).toBe('past_due');
    const portal = await openPortal(subscription, {
      type: 'payment_method_update',
      after_completion: { type: 'redirect', redirect: { return_url: `${product}/paid` } },
    });
    expect((await portal.send({ do: 'card', card: 'ok' })).location).toBe(`${product}/paid`);
    expect((await read(subscription.id)).status).toBe('active');
  });

  it('refuses subscriptions of others, and ends after an hour', async () => {
    const [own, other] = [await buy(standIn), await buy(standIn)];
    const portal = await openPortal(own);
    expect((await portal.send({ do: 'cancel', subscription: other.id })).status).toBe(400);
    expect((await read(other.id)).cancel_at).toBeNull();
    await standIn.advanceTo(Math.floor(standIn.clock.now() / 1_000) + 3_601);
    expect((await portal.send({ do: 'cancel', subscription: own.id })).status).toBe(410);
  });
});

describe('the page of an invoice', () => {
  it('takes another card, asks for its confirmation, and then shows that it is paid', async () => {
    const subscription = await buy(standIn, { card: 'fails_at_renewal' });
    await standIn.advanceTo(itemOf(subscription).current_period_end + 3_600);
    const [invoice] = (await standIn.stripe.invoices.list({ subscription: subscription.id })).data;
    const path = `/i/${invoice?.id ?? ''}`;
    expect(invoice?.hosted_invoice_url).toContain(path);
    expect((await sendForm(standIn, path, { card: 'declined' })).text).toContain('Your card was declined.');
    expect((await sendForm(standIn, path, { card: 'confirm' })).location).toBe(`${path}/confirm`);
    expect((await sendForm(standIn, `${path}/confirm`, { do: 'confirm' })).location).toBe(path);
    expect(await show(path)).toContain('This invoice is paid.');
    expect((await read(subscription.id)).status).toBe('active');
  });
});

describe('the document of an invoice', () => {
  it('is a PDF with its lines and amounts, whose table of objects is right', async () => {
    const subscription = await buy(standIn);
    const [invoice] = (await standIn.stripe.invoices.list({ subscription: subscription.id })).data;
    const answer = await fetch(`${standIn.url}${new URL(invoice?.invoice_pdf ?? '').pathname}`);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="Invoice-[\w-]+\.pdf"$/);
    const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
    expect(text).toContain(`(Invoice ${invoice?.number ?? ''}) Tj`);
    expect(text).toMatch(/\(Paid\) Tj ET\nBT \/F2 11 Tf 420 \d+ Td \(\$\d+\.\d\d\) Tj/);
    const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
    const [, ...entries] = text.slice(start).match(/^\d{10} \d{5} [fn] $/gm) ?? [];
    const objects = entries.map((entry) => text.slice(Number(entry.slice(0, 10))).split('\n')[0]);
    expect(objects).toEqual([1, 2, 3, 4, 5, 6].map((number) => `${number} 0 obj`));
  });
});

describe('every page', () => {
  it('redirects to the product only, and back to it without a payment', async () => {
    const session = await openCheckout(standIn);
    const abandoned = await sendForm(standIn, `/c/pay/${session.id}`, { do: 'abandon' });
    expect(abandoned).toMatchObject({ status: 303, location: `${product}/pricing` });
    const elsewhere = await standIn.stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: 'price_pro_monthly', quantity: 1 }],
      success_url: 'https://elsewhere.example/done',
      customer_email: 'a@example.com',
    });
    const paid = await sendForm(standIn, `/c/pay/${elsewhere.id}`, { do: 'pay', card: 'ok' });
    expect(paid).toMatchObject({ status: 400, location: null });
    expect((await standIn.stripe.checkout.sessions.retrieve(elsewhere.id)).status).toBe('open');
  });

  it('refuses forms of other sites, and escapes what it shows', async () => {
    const session = await openCheckout(standIn);
    const answer = await fetch(`${standIn.url}/c/pay/${session.id}`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ do: 'pay', email: 'a@example.com', card: 'ok' }),
    });
    expect(answer.status).toBe(403);
    const unknown = await show(`/c/pay/${encodeURIComponent('<b>x</b>')}`);
    expect(unknown).toContain('&lt;b&gt;');
    expect(unknown).not.toMatch(/<script|style="|<b>/);
  });
});

describe('the control page', () => {
  it('advances the clock past the next renewal, lets it fail, and shows the state', async () => {
    const own = await startStandIn();
    const { id } = await buy(own);
    const path = '/_control/stripe';
    const send = (fields: Readonly<Record<string, string>>) => sendForm(own, `${path}/do`, fields);
    await send({ do: 'fail', subscription: id });
    expect((await send({ do: 'renewal' })).location).toBe(path);
    const page = await (await fetch(`${own.url}${path}`)).text();
    expect(page).toContain('The clock was advanced past the next renewal.');
    expect(page).toContain('buyer@example.com</strong> · Pro monthly · past_due');
    await send({ do: 'constructor' });
    expect(await (await fetch(`${own.url}${path}`)).text()).toContain('The form is not complete');
    await own.close();
    expect(own.errors).toEqual([]);
  });
});
