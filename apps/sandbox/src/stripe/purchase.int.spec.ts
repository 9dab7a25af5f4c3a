import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  buy,
  itemOf,
  openCheckout,
  pay,
  product,
  sendForm,
  startOfTest,
  startStandIn,
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

const retrieve = (id: string) =>
  standIn.stripe.checkout.sessions.retrieve(id, {
    expand: ['subscription.latest_invoice.payments', 'customer', 'line_items'],
  });

describe('a purchase', () => {
  it('is paid at the reduced price, renews at the full one, and sends its events in the order of Stripe', async () => {
    const opened = await openCheckout(standIn, { coupon: 'pro_intro' });
    expect(opened).toMatchObject({ amount_total: 499, status: 'open', livemode: false });
    const page = await fetch(`${standIn.url}/c/pay/${opened.id}`);
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${product}`);
    expect(await page.text()).toContain('Then $9.99 per month from 22 December 2026');
    await standIn.delivered();

    const answer = await pay(standIn, opened);
    expect(answer).toMatchObject({ status: 303, location: `${product}/done?session=${opened.id}` });
    expect((await standIn.delivered()).join(' ')).toBe(
      'payment_intent.created payment_intent.succeeded charge.succeeded customer.created payment_method.attached ' +
        'customer.updated customer.subscription.created invoice.created invoice.finalized invoice.updated ' +
        'invoice.paid invoice.payment_succeeded invoice_payment.paid customer.subscription.updated ' +
        'checkout.session.completed',
    );

    const session = await retrieve(opened.id);
    const end = Date.parse('2026-12-22T12:00:00Z') / 1_000;
    expect(session).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      client_reference_id: 'intent_1',
      customer: { email: 'buyer@example.com' },
      subscription: {
        status: 'active',
        metadata: { intent: 'intent_1' },
        items: { data: [{ price: { id: 'price_pro_monthly' }, current_period_end: end }] },
        latest_invoice: {
          amount_paid: 499,
          total_discount_amounts: [{ amount: 500 }],
          billing_reason: 'subscription_create',
          payments: { data: [{ status: 'paid', amount_paid: 499 }] },
        },
      },
      line_items: { data: [{ amount_total: 499, price: { id: 'price_pro_monthly' } }] },
    });

    await standIn.advanceTo(end + 3_600);
    const renewed = await retrieve(opened.id);
    expect(renewed.subscription).toMatchObject({
      status: 'active',
      latest_invoice: { amount_paid: 999, billing_reason: 'subscription_cycle', status: 'paid' },
    });
    expect(await standIn.delivered()).toEqual([
      'invoice.upcoming',
      'invoice.created',
      'customer.subscription.updated',
      'invoice.finalized',
      'payment_intent.created',
      'payment_intent.succeeded',
      'charge.succeeded',
      'invoice_payment.paid',
      'invoice.updated',
      'invoice.paid',
      'invoice.payment_succeeded',
    ]);
  });

  it('stays open after a declined card, and the same subscription is paid with another card', async () => {
    const session = await openCheckout(standIn);
    const declined = await pay(standIn, session, 'declined');
    expect(declined.status).toBe(402);
    expect(declined.text).toContain('Your card was declined. Nothing was charged: choose another card.');
    expect(await standIn.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
    });
    const [incomplete] = (await standIn.stripe.subscriptions.list({ status: 'incomplete' })).data;
    expect((await pay(standIn, session, 'ok')).status).toBe(303);
    const after = await standIn.stripe.checkout.sessions.retrieve(session.id);
    expect(after).toMatchObject({ status: 'complete', subscription: incomplete?.id });
  });

  it('waits for the confirmation that a card needs, and is not paid when it is refused', async () => {
    const session = await openCheckout(standIn);
    const confirm = `/c/pay/${session.id}/confirm`;
    expect(await pay(standIn, session, 'confirm')).toMatchObject({ status: 303, location: confirm });
    expect((await sendForm(standIn, confirm, { do: 'refuse' })).status).toBe(402);
    expect((await standIn.stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
    await pay(standIn, session, 'confirm');
    expect((await sendForm(standIn, confirm, { do: 'confirm' })).location).toContain(product);
    expect((await standIn.stripe.checkout.sessions.retrieve(session.id)).status).toBe('complete');
  });

  it('expires with its subscription when it is not paid', async () => {
    const session = await openCheckout(standIn);
    await pay(standIn, session, 'declined');
    await standIn.advanceDays(1);
    expect((await standIn.stripe.checkout.sessions.retrieve(session.id)).status).toBe('expired');
    const { data } = await standIn.stripe.subscriptions.list({ status: 'incomplete_expired' });
    expect(data).toHaveLength(1);
    const types = await standIn.delivered();
    expect(types).toContain('checkout.session.expired');
    expect(types).toContain('invoice.voided');
  });

  it('charges nothing for a trial, reminds before its end, and then the price', async () => {
    const session = await standIn.stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: 'price_pro_monthly', quantity: 1 }],
      customer_email: 'trial@example.com',
      subscription_data: { trial_period_days: 7 },
      success_url: `${product}/done`,
    });
    await pay(standIn, session);
    const started = await retrieve(session.id);
    expect(started).toMatchObject({
      payment_status: 'no_payment_required',
      subscription: { status: 'trialing', latest_invoice: { amount_due: 0, status: 'paid' } },
    });
    await standIn.advanceTo(session.created + 7 * 86_400 + 3_600);
    expect(await standIn.delivered()).toContain('customer.subscription.trial_will_end');
    expect((await retrieve(session.id)).subscription).toMatchObject({
      status: 'active',
      latest_invoice: { amount_paid: 999 },
    });
  });

  it('charges a year for an annual price', async () => {
    const subscription = await buy(standIn, { price: 'price_elite_annual' });
    expect(itemOf(subscription).current_period_end - itemOf(subscription).current_period_start).toBe(
      365 * 86_400,
    );
    expect(subscription.created).toBeGreaterThan(startOfTest / 1_000);
  });
});
