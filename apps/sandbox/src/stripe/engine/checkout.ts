import type { Stripe } from 'stripe';
import { attachCard, authenticationFailed, type PaymentResult } from './cards.ts';
import { collect, type Collected } from './collection.ts';
import { createCustomer, livingCustomer, noDetails, updateCustomer } from './customers.ts';
import { invalid } from './failure.ts';
import type { Customer, EventType, Invoice, Session } from './objects.ts';
import { createSubscription, expireIncomplete } from './subscriptions.ts';
import { updateSubscription } from './subscription-state.ts';
import type { CardBehaviour, CheckoutAttempt } from './tables.ts';
import { previousOf, type Tx } from './transaction.ts';

/** The order in which Stripe sends the events of a purchase, as far as it can be observed. */
const purchaseOrder: readonly EventType[] = [
  'payment_intent.created',
  'payment_intent.succeeded',
  'charge.succeeded',
  'customer.created',
  'payment_method.attached',
  'customer.updated',
  'customer.subscription.created',
  'invoice.created',
  'invoice.finalized',
  'invoice.updated',
  'invoice.paid',
  'invoice.payment_succeeded',
  'invoice_payment.paid',
  'customer.subscription.updated',
  'checkout.session.completed',
];

const rankOf = (type: EventType): number => {
  const index = purchaseOrder.indexOf(type);
  return index === -1 ? purchaseOrder.length : index;
};

const buyerOf = (tx: Tx, session: Session, email: string): Customer => {
  const known = tx.get('checkout_attempt', session.id)?.customer ?? session.customer;
  if (known === null) return createCustomer(tx, { ...noDetails, email });
  const customer = livingCustomer(tx, known);
  return session.customer === null || customer.email === null
    ? updateCustomer(tx, customer, { email })
    : customer;
};

/** An attempt before this one has left a subscription with an unpaid invoice. */
const unpaidInvoice = (tx: Tx, attempt: CheckoutAttempt | undefined): Invoice | undefined => {
  const subscription = attempt && tx.get('subscription', attempt.subscription);
  if (subscription?.status !== 'incomplete' || subscription.latest_invoice === null) return undefined;
  return tx.get('invoice', subscription.latest_invoice);
};

/** What the buyer has entered for taxes and the invoice. */
type Billing = Readonly<{ address: Stripe.Address | null; taxId: string | null }>;

/** On the session from the first attempt on: the bank may ask for a confirmation before it is complete. */
const withBilling = (session: Session, customer: Customer, { address, taxId }: Billing): Session => ({
  ...session,
  ...(session.automatic_tax.enabled
    ? { automatic_tax: { ...session.automatic_tax, status: 'complete' } }
    : {}),
  customer_details: {
    address,
    business_name: null,
    email: customer.email,
    individual_name: null,
    name: customer.name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: taxId === null ? [] : [{ type: 'unknown', value: taxId }],
  },
});

const complete = (tx: Tx, session: Session, invoice: Invoice, customer: Customer): Session => {
  const done: Session = {
    ...session,
    status: 'complete',
    payment_status: invoice.amount_due === 0 ? 'no_payment_required' : 'paid',
    customer: customer.id,
    invoice: invoice.id,
    subscription: invoice.parent.subscription_details.subscription,
    url: null,
  };
  tx.put('session', done);
  tx.emit('checkout.session.completed', done);
  tx.orderEvents(rankOf);
  return done;
};

export type CheckoutResult = Readonly<{ result: PaymentResult; session: Session; invoice: string }>;

const openSession = (tx: Tx, id: string): Session => {
  const session = tx.require('session', id);
  if (session.status !== 'open')
    throw invalid(
      session.status === 'complete' ? 'This purchase is complete.' : 'This checkout session has expired.',
    );
  return session;
};

const finish = (tx: Tx, session: Session, customer: string, { invoice, result }: Collected): CheckoutResult =>
  result.kind === 'paid'
    ? {
        result,
        session: complete(tx, session, invoice, livingCustomer(tx, customer)),
        invoice: invoice.id,
      }
    : { result, session, invoice: invoice.id };

/** The buyer pays with a card. A declined card leaves the session open. */
export const payCheckout = (
  tx: Tx,
  sessionId: string,
  buyer: Readonly<{ email: string; card: CardBehaviour; billing?: Billing }>,
): CheckoutResult => {
  const opened = openSession(tx, sessionId);
  const known = buyerOf(tx, opened, opened.customer_email ?? buyer.email);
  const { billing = { address: null, taxId: null } } = buyer;
  const customer = billing.address === null ? known : updateCustomer(tx, known, { address: billing.address });
  const session = withBilling(opened, customer, billing);
  tx.put('session', session);
  const method = attachCard(tx, buyer.card, customer.id, customer.email);
  const before = tx.get('checkout_attempt', sessionId);
  const unpaid = unpaidInvoice(tx, before);
  if (unpaid && before) {
    const subscription = tx.require('subscription', before.subscription);
    updateSubscription(tx, subscription, { default_payment_method: method.id });
    return finish(tx, session, customer.id, collect(tx, unpaid, { onSession: true }));
  }
  const plan = tx.require('session_plan', sessionId);
  const { subscription, invoice } = createSubscription(tx, {
    customer: customer.id,
    price: tx.require('price', plan.price),
    quantity: plan.quantity,
    paymentMethod: method.id,
    coupon: plan.coupon,
    trialEnd: plan.trialEnd,
    metadata: plan.subscriptionMetadata,
    session: sessionId,
  });
  tx.put('checkout_attempt', { id: sessionId, customer: customer.id, subscription: subscription.id });
  return finish(tx, session, customer.id, collect(tx, invoice, { onSession: true }));
};

/** The buyer answers the bank's question. */
export const confirmCheckout = (tx: Tx, sessionId: string, isConfirmed: boolean): CheckoutResult => {
  const session = openSession(tx, sessionId);
  const attempt = tx.get('checkout_attempt', sessionId);
  const invoice = unpaidInvoice(tx, attempt);
  if (!attempt || !invoice) throw invalid('No payment waits for a confirmation.');
  const result: PaymentResult = isConfirmed ? { kind: 'paid' } : authenticationFailed;
  return finish(tx, session, attempt.customer, collect(tx, invoice, { onSession: true, result }));
};

export const expireSession = (tx: Tx, session: Session): Session => {
  if (session.status !== 'open')
    throw invalid(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
    );
  const expired: Session = { ...session, status: 'expired', url: null };
  tx.put('session', expired);
  tx.emit('checkout.session.expired', expired, previousOf(session, expired));
  const attempt = tx.get('checkout_attempt', session.id);
  const subscription = attempt && tx.get('subscription', attempt.subscription);
  if (subscription?.status === 'incomplete') expireIncomplete(tx, subscription);
  return expired;
};
