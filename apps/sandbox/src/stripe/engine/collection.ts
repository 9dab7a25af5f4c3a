import { resultOf, type PaymentResult } from './cards.ts';
import { livingCustomer } from './customers.ts';
import { invalid } from './failure.ts';
import { markPaid, subscriptionOf, voidInvoice } from './invoices.ts';
import type { Invoice, PaymentMethod, Subscription } from './objects.ts';
import { attemptPayment, cancelIntent } from './payments.ts';
import {
  cancelSubscription,
  finalStatuses,
  ledgerOf,
  recordDebits,
  updateSubscription,
  withItems,
} from './subscription-state.ts';
import { change, type Tx } from './transaction.ts';

export type Attempt = Readonly<{
  /** Whether the buyer takes part and can confirm. */
  onSession: boolean;
  paymentMethod?: string | undefined;
  /** The outcome of a confirmation, instead of the card's usual answer. */
  result?: PaymentResult | undefined;
  /** False for an invoice whose failure has no effect but that it stays open. */
  isTriedAgain?: boolean;
}>;

export type Collected = Readonly<{ invoice: Invoice; result: PaymentResult }>;

const noCard: PaymentResult = {
  kind: 'declined',
  code: 'card_declined',
  declineCode: 'generic_decline',
  message: 'The customer has no card.',
};

const methodOf = (
  tx: Tx,
  subscription: Subscription,
  wanted: string | undefined,
): PaymentMethod | undefined => {
  const customer = livingCustomer(tx, subscription.customer);
  const id =
    wanted ?? subscription.default_payment_method ?? customer.invoice_settings.default_payment_method;
  const method = id === null ? undefined : tx.require('payment_method', id, 'payment_method');
  if (method && method.customer !== customer.id)
    throw invalid(`The payment method '${method.id}' does not belong to the customer.`, 'payment_method');
  return method;
};

/** The card's answer, unless the next renewal was set to fail. */
const answerOf = (tx: Tx, invoice: Invoice, method: PaymentMethod, attempt: Attempt): PaymentResult => {
  if (attempt.result) return attempt.result;
  const ledger = ledgerOf(tx, subscriptionOf(invoice));
  if (!attempt.onSession && ledger.failRenewals > 0 && invoice.billing_reason === 'subscription_cycle') {
    tx.put('ledger', { ...ledger, failRenewals: ledger.failRenewals - 1 });
    return { ...noCard, message: 'Your card was declined.' };
  }
  return resultOf(tx, method.id, attempt.onSession);
};

/** The day after the first failure on which the invoice is tried again; null after the last. */
const nextAttempt = (tx: Tx, invoice: Invoice): number | null => {
  const first = invoice.status_transitions.finalized_at ?? invoice.created;
  const days = tx.rules.retryDays.find((day) => first + day * 86_400 > tx.now);
  return days === undefined ? null : first + days * 86_400;
};

const applyPendingUpdate = (tx: Tx, subscription: Subscription, invoice: Invoice): Subscription => {
  const { pending_update: update } = subscription;
  if (!update || update.subscription_items.length === 0) return subscription;
  const applied = {
    ...subscription,
    ...withItems(subscription, update.subscription_items),
    billing_cycle_anchor: update.billing_cycle_anchor ?? subscription.billing_cycle_anchor,
    pending_update: null,
  };
  tx.put('subscription', applied);
  tx.emit('customer.subscription.pending_update_applied', applied);
  tx.emit('customer.subscription.updated', applied, {
    items: subscription.items,
    pending_update: update,
  });
  recordDebits(tx, subscription.id, invoice);
  return applied;
};

/** What a paid invoice changes in its subscription. */
const afterPaid = (tx: Tx, invoice: Invoice): void => {
  const subscription = tx.require('subscription', subscriptionOf(invoice));
  if (subscription.latest_invoice !== invoice.id || finalStatuses.has(subscription.status)) return;
  const applied = applyPendingUpdate(tx, subscription, invoice);
  if (applied.status === 'incomplete') {
    const isTrial = applied.trial_end !== null && applied.trial_end > tx.now;
    updateSubscription(tx, applied, { status: isTrial ? 'trialing' : 'active' });
  } else if (applied.status === 'past_due' || applied.status === 'unpaid')
    updateSubscription(tx, applied, { status: 'active' });
};

const isTriedAgain = (subscription: Subscription, invoice: Invoice, attempt: Attempt): boolean =>
  attempt.isTriedAgain !== false &&
  !finalStatuses.has(subscription.status) &&
  subscription.status !== 'incomplete' &&
  subscription.status !== 'unpaid' &&
  !(subscription.pending_update && subscription.latest_invoice === invoice.id);

const afterFailed = (tx: Tx, subscription: Subscription, invoice: Invoice): void => {
  if (invoice.next_payment_attempt !== null) {
    updateSubscription(tx, subscription, { status: 'past_due' });
  } else if (tx.rules.afterRetries === 'unpaid') {
    updateSubscription(tx, subscription, { status: 'unpaid' });
  } else {
    cancelSubscription(tx, subscription, 'payment_failed');
  }
};

const failed = (tx: Tx, invoice: Invoice, result: PaymentResult, attempt: Attempt): Invoice => {
  const subscription = tx.require('subscription', subscriptionOf(invoice));
  const isRetried = isTriedAgain(subscription, invoice, attempt);
  const next = isRetried ? nextAttempt(tx, invoice) : null;
  const after = change(
    tx,
    'invoice',
    invoice,
    { attempt_count: invoice.attempt_count + 1, attempted: true, next_payment_attempt: next },
    'invoice.updated',
  );
  if (result.kind === 'confirm') tx.emit('invoice.payment_action_required', after);
  if (result.kind === 'declined' || invoice.billing_reason !== 'subscription_create')
    tx.emit('invoice.payment_failed', after);
  if (isRetried) afterFailed(tx, subscription, after);
  return after;
};

/** One attempt to pay an open invoice, with all that follows from its outcome. */
export const collect = (tx: Tx, invoice: Invoice, attempt: Attempt): Collected => {
  const subscription = tx.require('subscription', subscriptionOf(invoice));
  const method = invoice.amount_due === 0 ? undefined : methodOf(tx, subscription, attempt.paymentMethod);
  const result: PaymentResult =
    invoice.amount_due === 0 ? { kind: 'paid' } : method ? answerOf(tx, invoice, method, attempt) : noCard;
  if (method) attemptPayment(tx, invoice, method, result);
  if (result.kind !== 'paid') return { invoice: failed(tx, invoice, result, attempt), result };
  const paid = markPaid(tx, invoice);
  afterPaid(tx, paid);
  return { invoice: paid, result };
};

/** The invoice of a change of plan that is not paid. */
const voidPendingInvoice = (tx: Tx, { latest_invoice: id }: Subscription): void => {
  const invoice = id === null ? undefined : tx.get('invoice', id);
  if (invoice?.status !== 'open') return;
  cancelIntent(tx, invoice.id);
  voidInvoice(tx, invoice);
};

/** The unpaid change of plan lapses; its invoice is void. */
export const expirePendingUpdate = (tx: Tx, subscription: Subscription): void => {
  voidPendingInvoice(tx, subscription);
  const expired = { ...subscription, pending_update: null };
  tx.put('subscription', expired);
  tx.emit('customer.subscription.pending_update_expired', expired);
  tx.emit('customer.subscription.updated', expired, { pending_update: subscription.pending_update });
};

/** A further change of plan replaces one that is not paid. */
export const discardPendingUpdate = (tx: Tx, subscription: Subscription): Subscription => {
  if (subscription.pending_update === null) return subscription;
  voidPendingInvoice(tx, subscription);
  return updateSubscription(tx, subscription, { pending_update: null });
};
