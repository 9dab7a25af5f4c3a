import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  buy,
  itemOf,
  openCheckout,
  pay,
  refusalOf,
  sendForm,
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

const read = (id: string) => standIn.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });

const invoiceOf = (subscription: Awaited<ReturnType<typeof read>>) => {
  const { latest_invoice: invoice } = subscription;
  if (typeof invoice !== 'object' || invoice === null) throw new Error('There is no invoice.');
  return invoice;
};

describe('a renewal that is not paid', () => {
  it('is past due, is tried on days 2, 5, 7 and 14, and then ends the subscription', async () => {
    const { id, items } = await buy(standIn, { card: 'fails_at_renewal' });
    await standIn.advanceTo((items.data[0]?.current_period_end ?? 0) + 3_600);
    const failed = await read(id);
    const first = invoiceOf(failed).status_transitions.finalized_at ?? 0;
    expect(failed.status).toBe('past_due');
    const attempts = [];
    for (const day of [2, 5, 7, 14]) {
      const before = invoiceOf(await read(id));
      attempts.push([before.attempt_count, ((before.next_payment_attempt ?? 0) - first) / 86_400]);
      await standIn.advanceTo(first + day * 86_400);
    }
    expect(attempts).toEqual([
      [1, 2],
      [2, 5],
      [3, 7],
      [4, 14],
    ]);
    const ended = await read(id);
    expect(ended).toMatchObject({
      status: 'canceled',
      ended_at: first + 14 * 86_400,
      cancellation_details: { reason: 'payment_failed' },
      latest_invoice: { status: 'open', attempt_count: 5, next_payment_attempt: null },
    });
    const types = await standIn.delivered();
    expect(types.filter((type) => type === 'invoice.payment_failed')).toHaveLength(5);
    expect(types.at(-1)).toBe('customer.subscription.deleted');
  });

  it('recovers when the buyer pays with another card', async () => {
    const subscription = await buy(standIn, { card: 'fails_at_renewal' });
    await standIn.advanceTo(itemOf(subscription).current_period_end + 3_600);
    const invoice = invoiceOf(await read(subscription.id)).id ?? '';
    await standIn.control('/card', { customer: subscription.customer, card: 'insufficient_funds' });
    const declined = () => refusalOf(standIn.stripe.invoices.pay(invoice, {}, { idempotencyKey: 'pay' }));
    await declined();
    // The same key tries no second time.
    expect(await declined()).toMatchObject({
      statusCode: 402,
      type: 'StripeCardError',
      code: 'card_declined',
      decline_code: 'insufficient_funds',
    });
    expect((await standIn.stripe.invoices.retrieve(invoice)).attempt_count).toBe(2);
    await standIn.control('/card', { customer: subscription.customer, card: 'ok' });
    expect((await standIn.stripe.invoices.pay(invoice)).status).toBe('paid');
    expect((await read(subscription.id)).status).toBe('active');
  });

  it('is tried by the API without the buyer, unless that says otherwise', async () => {
    const subscription = await buy(standIn, { card: 'fails_at_renewal' });
    await standIn.advanceTo(itemOf(subscription).current_period_end + 3_600);
    const invoice = invoiceOf(await read(subscription.id)).id ?? '';
    expect(await refusalOf(standIn.stripe.invoices.pay(invoice))).toMatchObject({ statusCode: 402 });
    const paid = await standIn.stripe.invoices.pay(invoice, { off_session: false });
    expect(paid.status).toBe('paid');
    expect(await refusalOf(standIn.stripe.invoices.pay(invoice))).toMatchObject({
      code: 'invoice_already_paid',
    });
  });

  it('fails once when the control says so, and is paid at the next attempt', async () => {
    const subscription = await buy(standIn);
    await standIn.control('/fail-renewal', { subscription: subscription.id });
    await standIn.advanceTo(itemOf(subscription).current_period_end + 3_600);
    expect((await read(subscription.id)).status).toBe('past_due');
    await standIn.advanceDays(2);
    expect(await read(subscription.id)).toMatchObject({
      status: 'active',
      latest_invoice: { status: 'paid', attempt_count: 2 },
    });
  });

  it('waits for the confirmation that the bank wants for every payment', async () => {
    const session = await openCheckout(standIn);
    await pay(standIn, session, 'confirm_always');
    await sendForm(standIn, `/c/pay/${session.id}/confirm`, { do: 'confirm' });
    const { subscription } = await standIn.stripe.checkout.sessions.retrieve(session.id);
    const id = String(subscription);
    await standIn.delivered();
    await standIn.advanceTo(itemOf(await read(id)).current_period_end + 3_600);
    const waiting = await read(id);
    expect(waiting).toMatchObject({ status: 'past_due', latest_invoice: { attempt_count: 1 } });
    expect(await standIn.delivered()).toEqual(
      expect.arrayContaining(['invoice.payment_action_required', 'invoice.payment_failed']),
    );
    const page = `/i/${invoiceOf(waiting).id ?? ''}/confirm`;
    expect((await sendForm(standIn, page, { do: 'confirm' })).status).toBe(303);
    expect((await read(id)).status).toBe('active');
  });

  it('leaves the subscription unpaid, with drafts only, where the account is set so', async () => {
    const other = await startStandIn({ afterRetries: 'unpaid', retryDays: [1] });
    const { id, items } = await buy(other, { card: 'fails_at_renewal' });
    await other.advanceTo((items.data[0]?.current_period_end ?? 0) + 3_600 + 86_400);
    expect((await other.stripe.subscriptions.retrieve(id)).status).toBe('unpaid');
    await other.advanceDays(31);
    const [draft] = (await other.stripe.invoices.list({ subscription: id })).data;
    expect(draft).toMatchObject({ status: 'draft', auto_advance: false });
    await other.close();
  });
});

describe('the end of a subscription', () => {
  it('comes at the end of the period when it was asked for, unless that is undone', async () => {
    const kept = await buy(standIn);
    const ending = await buy(standIn);
    const end = itemOf(ending).current_period_end;
    for (const { id } of [kept, ending])
      expect(
        await standIn.stripe.subscriptions.update(id, {
          cancel_at_period_end: true,
          cancellation_details: { comment: 'too hard', feedback: 'too_complex' },
        }),
      ).toMatchObject({ status: 'active', cancel_at_period_end: true, cancel_at: end });
    expect(await standIn.stripe.subscriptions.update(kept.id, { cancel_at_period_end: false })).toMatchObject(
      { cancel_at: null, canceled_at: null },
    );
    await standIn.advanceTo(end);
    expect(await standIn.stripe.subscriptions.retrieve(ending.id)).toMatchObject({
      status: 'canceled',
      ended_at: end,
      cancellation_details: { comment: 'too hard', reason: 'cancellation_requested' },
    });
    expect((await standIn.stripe.subscriptions.retrieve(kept.id)).status).toBe('active');
    const refused = await refusalOf(
      standIn.stripe.subscriptions.update(ending.id, { cancel_at_period_end: false }),
    );
    expect(refused.code).toBe('invalid_canceled_subscription_fields');
  });

  it('comes at once, and stops the attempts to collect', async () => {
    const { id, items } = await buy(standIn, { card: 'fails_at_renewal' });
    await standIn.advanceTo((items.data[0]?.current_period_end ?? 0) + 3_600);
    await standIn.stripe.subscriptions.cancel(id);
    expect(await read(id)).toMatchObject({
      status: 'canceled',
      latest_invoice: { auto_advance: false, next_payment_attempt: null },
    });
  });
});
