import { invalid } from '../engine/failure.ts';
import type { Charge, Dispute, PaymentIntent, Refund } from '../engine/objects.ts';
import { createRefund } from '../engine/refunds.ts';
import type { Tx } from '../engine/transaction.ts';
import { choiceOf, integerOf, mergedMetadata, requiredText, textOf, type Form } from './form.ts';
import { equals, page, pageParameters, rangeFilter, rowsOf } from './lists.ts';
import type { Route } from './route.ts';

const refundReasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;

const chargeOf = (tx: Tx, form: Form): Charge => {
  const intent = textOf(form, 'payment_intent');
  if (intent === undefined) return tx.require('charge', requiredText(form, 'charge'), 'charge');
  if (form['charge'] !== undefined)
    throw invalid('You may only specify one of these parameters: charge, payment_intent.');
  const { latest_charge: charge, status } = tx.require('payment_intent', intent, 'payment_intent');
  if (charge === null || status !== 'succeeded')
    throw invalid(
      `This PaymentIntent (${intent}) does not have a successful charge to refund.`,
      'payment_intent',
    );
  return tx.require('charge', charge);
};

const refund = (tx: Tx, form: Form): Refund => {
  const charge = chargeOf(tx, form);
  return createRefund(tx, {
    charge,
    amount: integerOf(form, 'amount') ?? charge.amount - charge.amount_refunded,
    reason: choiceOf(form, 'reason', refundReasons) ?? null,
    metadata: mergedMetadata(form),
  });
};

export const paymentRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/payment_intents',
    accepts: [...pageParameters, 'customer', 'created'],
    run: ({ tx, form }) => {
      const isCreated = rangeFilter(form, 'created');
      const rows = tx.all('payment_intent').filter(equals<PaymentIntent>(form, 'customer'));
      return page(rows.filter((row) => isCreated(row.created)).toReversed(), form, '/v1/payment_intents');
    },
  },
  {
    method: 'GET',
    path: '/v1/payment_intents/:id',
    accepts: [],
    run: ({ tx, id }) => tx.require('payment_intent', id),
  },
  {
    method: 'GET',
    path: '/v1/charges',
    accepts: [...pageParameters, 'customer', 'payment_intent', 'created'],
    run: ({ tx, form }) => {
      const isCreated = rangeFilter(form, 'created');
      const rows = rowsOf(tx, 'charge', textOf(form, 'customer')).filter(
        equals<Charge>(form, 'payment_intent'),
      );
      return page(rows.filter((row) => isCreated(row.created)).toReversed(), form, '/v1/charges');
    },
  },
  { method: 'GET', path: '/v1/charges/:id', accepts: [], run: ({ tx, id }) => tx.require('charge', id) },
  {
    method: 'POST',
    path: '/v1/refunds',
    accepts: ['charge', 'payment_intent', 'amount', 'reason', 'metadata'],
    run: ({ tx, form }) => refund(tx, form),
  },
  {
    method: 'GET',
    path: '/v1/refunds',
    accepts: [...pageParameters, 'charge', 'payment_intent', 'created'],
    run: ({ tx, form }) => {
      const isCreated = rangeFilter(form, 'created');
      const rows = rowsOf(tx, 'refund', textOf(form, 'charge')).filter(
        equals<Refund>(form, 'payment_intent'),
      );
      return page(rows.filter((row) => isCreated(row.created)).toReversed(), form, '/v1/refunds');
    },
  },
  { method: 'GET', path: '/v1/refunds/:id', accepts: [], run: ({ tx, id }) => tx.require('refund', id) },
  {
    method: 'GET',
    path: '/v1/disputes',
    accepts: [...pageParameters, 'charge', 'payment_intent', 'created'],
    run: ({ tx, form }) => {
      const isCreated = rangeFilter(form, 'created');
      const rows = tx.all('dispute').filter(equals<Dispute>(form, 'charge', 'payment_intent'));
      return page(rows.filter((row) => isCreated(row.created)).toReversed(), form, '/v1/disputes');
    },
  },
  { method: 'GET', path: '/v1/disputes/:id', accepts: [], run: ({ tx, id }) => tx.require('dispute', id) },
];
