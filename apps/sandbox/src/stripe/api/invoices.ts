import { collect } from '../engine/collection.ts';
import { invalid, StripeFailure } from '../engine/failure.ts';
import { finalizeInvoice, voidInvoice } from '../engine/invoices.ts';
import type { Invoice, Subscription } from '../engine/objects.ts';
import { cancelIntent, paymentIntentOf } from '../engine/payments.ts';
import { previewInvoice } from '../engine/plan-change.ts';
import { change, type Tx } from '../engine/transaction.ts';
import { flagOf, recordOf, textOf, type Form } from './form.ts';
import { equals, page, pageParameters, rangeFilter, rowsOf } from './lists.ts';
import type { Route } from './route.ts';
import { planChangeOf } from './subscriptions.ts';

const path = '/v1/invoices';

const pay = (tx: Tx, form: Form, invoice: Invoice): Invoice => {
  if (invoice.status === 'paid') throw invalid('Invoice is already paid', 'invoice', 'invoice_already_paid');
  if (invoice.status !== 'open' && invoice.status !== 'draft')
    throw invalid(`An invoice that is ${invoice.status} cannot be paid.`, 'invoice', 'invoice_not_editable');
  const open = invoice.status === 'draft' ? finalizeInvoice(tx, invoice) : invoice;
  const { invoice: after, result } = collect(tx, open, {
    // As at Stripe: without the buyer, unless the caller says otherwise.
    onSession: flagOf(form, 'off_session') === false,
    paymentMethod: textOf(form, 'payment_method'),
  });
  if (result.kind === 'paid') return after;
  const intent = paymentIntentOf(tx, invoice.id);
  const attached = intent ? { payment_intent: intent } : {};
  // What the attempt has changed remains.
  if (result.kind === 'declined')
    throw new StripeFailure(
      402,
      {
        type: 'card_error',
        code: result.code,
        decline_code: result.declineCode,
        message: result.message,
        ...attached,
      },
      true,
    );
  throw new StripeFailure(
    402,
    {
      type: 'card_error',
      code: 'invoice_payment_intent_requires_action',
      message: 'The buyer must confirm this payment on the page of the invoice.',
      ...attached,
    },
    true,
  );
};

const previewed = (tx: Tx, form: Form): Subscription => {
  const id = textOf(form, 'subscription');
  if (id !== undefined) return tx.require('subscription', id, 'subscription');
  const customer = textOf(form, 'customer');
  const found = tx.all('subscription').find((row) => row.customer === customer && row.status !== 'canceled');
  if (!found)
    throw invalid(
      `No upcoming invoices for customer: ${customer ?? ''}`,
      'customer',
      'invoice_upcoming_none',
    );
  return found;
};

const preview = (tx: Tx, form: Form): Invoice => {
  const subscription = previewed(tx, form);
  const details = recordOf(form, 'subscription_details') ?? {};
  const isEnding = subscription.cancel_at_period_end || subscription.status === 'canceled';
  const wanted = planChangeOf(tx, subscription, details);
  if (isEnding && !wanted)
    throw new StripeFailure(404, {
      type: 'invalid_request_error',
      code: 'invoice_upcoming_none',
      message: `No upcoming invoices for subscription: ${subscription.id}`,
    });
  return previewInvoice(tx, subscription, wanted);
};

const list = (tx: Tx, form: Form): object => {
  const isCreated = rangeFilter(form, 'created');
  const rows = rowsOf(tx, 'invoice', textOf(form, 'subscription'))
    .filter(equals<Invoice>(form, 'customer', 'status'))
    .filter((row) => isCreated(row.created));
  return page(rows.toReversed(), form, path);
};

const paymentsPath = '/v1/invoice_payments';

export const invoiceRoutes: readonly Route[] = [
  {
    method: 'GET',
    path,
    accepts: [...pageParameters, 'customer', 'subscription', 'status', 'created'],
    run: ({ tx, form }) => list(tx, form),
  },
  {
    method: 'POST',
    path: `${path}/create_preview`,
    accepts: ['customer', 'subscription', 'subscription_details'],
    run: ({ tx, form }) => preview(tx, form),
  },
  { method: 'GET', path: `${path}/:id`, accepts: [], run: ({ tx, id }) => tx.require('invoice', id) },
  {
    method: 'GET',
    path: `${path}/:id/lines`,
    accepts: [...pageParameters],
    run: ({ tx, form, id }) => page(tx.require('invoice', id).lines.data, form, `${path}/${id}/lines`),
  },
  {
    method: 'POST',
    path: `${path}/:id/finalize`,
    accepts: ['auto_advance'],
    run: ({ tx, id }) => finalizeInvoice(tx, tx.require('invoice', id)),
  },
  {
    method: 'POST',
    path: `${path}/:id/pay`,
    accepts: ['payment_method', 'off_session'],
    run: ({ tx, form, id }) => pay(tx, form, tx.require('invoice', id)),
  },
  {
    method: 'POST',
    path: `${path}/:id/void`,
    accepts: [],
    run: ({ tx, id }) => {
      const invoice = tx.require('invoice', id);
      cancelIntent(tx, id);
      return voidInvoice(tx, invoice);
    },
  },
  {
    method: 'POST',
    path: `${path}/:id/mark_uncollectible`,
    accepts: [],
    run: ({ tx, id }) => {
      const invoice = tx.require('invoice', id);
      if (invoice.status !== 'open')
        throw invalid(`An invoice that is ${invoice.status} cannot be marked uncollectible.`);
      const transitions = { ...invoice.status_transitions, marked_uncollectible_at: tx.now };
      return change(
        tx,
        'invoice',
        invoice,
        { status: 'uncollectible', next_payment_attempt: null, status_transitions: transitions },
        'invoice.marked_uncollectible',
      );
    },
  },
  {
    method: 'GET',
    path: paymentsPath,
    accepts: [...pageParameters, 'invoice', 'status', 'payment'],
    run: ({ tx, form }) => {
      const status = textOf(form, 'status');
      const intent = textOf(recordOf(form, 'payment') ?? {}, 'payment_intent');
      const rows = rowsOf(tx, 'invoice_payment', textOf(form, 'invoice'))
        .filter((row) => status === undefined || row.status === status)
        .filter((row) => intent === undefined || row.payment.payment_intent === intent);
      return page(rows.toReversed(), form, paymentsPath);
    },
  },
  {
    method: 'GET',
    path: `${paymentsPath}/:id`,
    accepts: [],
    run: ({ tx, id }) => tx.require('invoice_payment', id),
  },
];
