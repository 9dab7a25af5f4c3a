import type Stripe from 'stripe';
import { cards, type PaymentResult } from './cards.ts';
import type { Charge, Invoice, InvoicePayment, PaymentIntent, PaymentMethod } from './objects.ts';
import type { Tx } from './transaction.ts';

type Declined = Extract<PaymentResult, { kind: 'declined' }>;

const paymentOf = (tx: Tx, invoice: string): InvoicePayment | undefined =>
  tx.related('invoice_payment', invoice)[0];

export const paymentIntentOf = (tx: Tx, invoice: string): PaymentIntent | undefined => {
  const payment = paymentOf(tx, invoice);
  return payment && tx.get('payment_intent', payment.payment.payment_intent);
};

const createIntent = (tx: Tx, invoice: Invoice): PaymentIntent => {
  const id = tx.newId('pi');
  const intent: PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: invoice.amount_due,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_sandbox`,
    confirmation_method: 'automatic',
    created: tx.now,
    currency: invoice.currency,
    customer: invoice.customer,
    customer_account: null,
    description:
      invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: 'off_session',
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_group: null,
  };
  tx.put('payment_intent', intent);
  tx.put('invoice_payment', {
    id: tx.newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: tx.now,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: id, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  });
  tx.emit('payment_intent.created', intent);
  return intent;
};

const outcomeOf = (result: PaymentResult): Stripe.Charge['outcome'] =>
  result.kind === 'declined'
    ? {
        advice_code: null,
        network_advice_code: null,
        network_decline_code: null,
        network_status: 'declined_by_network',
        reason: result.declineCode,
        seller_message: 'The bank did not return any further details with this decline.',
        type: 'issuer_declined',
      }
    : {
        advice_code: null,
        network_advice_code: null,
        network_decline_code: null,
        network_status: 'approved_by_network',
        reason: null,
        seller_message: 'Payment complete.',
        type: 'authorized',
      };

const createCharge = (
  tx: Tx,
  intent: PaymentIntent,
  method: PaymentMethod,
  result: PaymentResult,
): Charge => {
  const isPaid = result.kind === 'paid';
  const id = tx.newId('ch');
  const charge: Charge = {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: isPaid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'TAPEDECK',
    captured: isPaid,
    created: tx.now,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: result.kind === 'declined' ? result.code : null,
    failure_message: result.kind === 'declined' ? result.message : null,
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: outcomeOf(result),
    paid: isPaid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: isPaid ? `${tx.rules.publicUrl}/i/receipt/${id}` : null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: isPaid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  };
  tx.put('charge', charge);
  return charge;
};

const succeed = (tx: Tx, intent: PaymentIntent, method: PaymentMethod, invoice: string): void => {
  const charge = createCharge(tx, intent, method, { kind: 'paid' });
  const succeeded: PaymentIntent = {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    payment_method: method.id,
    status: 'succeeded',
  };
  tx.put('payment_intent', succeeded);
  tx.emit('payment_intent.succeeded', succeeded);
  tx.emit('charge.succeeded', charge);
  const payment = paymentOf(tx, invoice);
  if (!payment) return;
  const paid = {
    ...payment,
    amount_paid: intent.amount,
    status: 'paid',
    status_transitions: { canceled_at: null, paid_at: tx.now },
  };
  tx.put('invoice_payment', paid);
  tx.emit('invoice_payment.paid', paid);
};

const fail = (tx: Tx, intent: PaymentIntent, method: PaymentMethod, result: Declined): void => {
  const charge = createCharge(tx, intent, method, result);
  const failed: PaymentIntent = {
    ...intent,
    last_payment_error: {
      charge: charge.id,
      code: result.code,
      decline_code: result.declineCode,
      message: result.message,
      payment_method_type: 'card',
      type: 'card_error',
    },
    latest_charge: charge.id,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  };
  tx.put('payment_intent', failed);
  tx.emit('charge.failed', charge);
  tx.emit('payment_intent.payment_failed', failed);
};

const requireConfirmation = (
  tx: Tx,
  intent: PaymentIntent,
  method: PaymentMethod,
  invoice: Invoice,
): void => {
  const url = `${tx.rules.publicUrl}/i/${invoice.id}/confirm`;
  const waiting: PaymentIntent = {
    ...intent,
    next_action: { type: 'redirect_to_url', redirect_to_url: { return_url: null, url } },
    payment_method: method.id,
    status: 'requires_action',
  };
  tx.put('payment_intent', waiting);
  tx.emit('payment_intent.requires_action', waiting);
};

/** One attempt to pay an open invoice with a card. */
export const attemptPayment = (
  tx: Tx,
  invoice: Invoice,
  method: PaymentMethod,
  result: PaymentResult,
): void => {
  const intent = paymentIntentOf(tx, invoice.id) ?? createIntent(tx, invoice);
  if (result.kind === 'paid') succeed(tx, intent, method, invoice.id);
  else if (result.kind === 'declined') fail(tx, intent, method, result);
  else requireConfirmation(tx, intent, method, invoice);
};

export const cancelIntent = (tx: Tx, invoice: string): void => {
  const intent = paymentIntentOf(tx, invoice);
  if (!intent || intent.status === 'succeeded' || intent.status === 'canceled') return;
  const canceled: PaymentIntent = {
    ...intent,
    canceled_at: tx.now,
    cancellation_reason: 'void_invoice',
    next_action: null,
    status: 'canceled',
  };
  tx.put('payment_intent', canceled);
  tx.emit('payment_intent.canceled', canceled);
};

export const cardLabel = (tx: Tx, paymentMethod: string | null): string => {
  const card = paymentMethod === null ? undefined : tx.get('card', paymentMethod);
  return card ? `Visa •••• ${cards[card.behaviour].last4}` : 'no card';
};
