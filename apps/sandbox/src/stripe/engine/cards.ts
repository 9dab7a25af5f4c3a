import { createHash } from 'node:crypto';
import { change, type Tx } from './transaction.ts';
import { invalid } from './failure.ts';
import type { PaymentMethod } from './objects.ts';
import type { CardBehaviour } from './tables.ts';

type Card = Readonly<{
  label: string;
  last4: string;
  brand: string;
  expMonth: number;
  expYear: number;
  /** The answer of the bank to a payment that the buyer starts, and to one without the buyer. */
  onSession: PaymentResult;
  offSession: PaymentResult;
}>;

export type PaymentResult =
  | Readonly<{ kind: 'paid' }>
  | Readonly<{ kind: 'confirm' }>
  | Readonly<{
      kind: 'declined';
      code: 'card_declined' | 'expired_card';
      declineCode: string;
      message: string;
    }>;

const paid: PaymentResult = { kind: 'paid' };
const confirm: PaymentResult = { kind: 'confirm' };
const declined = (declineCode: string, message: string): PaymentResult => ({
  kind: 'declined',
  code: 'card_declined',
  declineCode,
  message,
});

export const genericDecline = declined('generic_decline', 'Your card was declined.');
export const authenticationFailed = declined(
  'authentication_not_handled',
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
);
const insufficientFunds = declined('insufficient_funds', 'Your card has insufficient funds.');
const expired: PaymentResult = {
  kind: 'declined',
  code: 'expired_card',
  declineCode: 'expired_card',
  message: 'Your card has expired.',
};

const card = (
  label: string,
  last4: string,
  onSession: PaymentResult,
  offSession: PaymentResult = onSession,
  expYear = 2034,
): Card => ({ label, last4, brand: 'visa', expMonth: 12, expYear, onSession, offSession });

/** The cards of the sandbox, by what the bank does. The last four digits are those of Stripe's test cards. */
export const cards = {
  ok: card('A card that works', '4242', paid),
  declined: card('A card that is declined', '0002', genericDecline),
  insufficient_funds: card('A card without sufficient funds', '9995', insufficientFunds),
  confirm: card('A card that needs confirmation (3-D Secure)', '3155', confirm, paid),
  confirm_always: card('A card that needs confirmation for every payment', '3184', confirm),
  fails_at_renewal: card('A card that works once and is declined at renewal', '0341', paid, genericDecline),
  expired: card('A card that has expired', '0069', expired, expired, 2025),
} as const satisfies Readonly<Record<CardBehaviour, Card>>;

export const cardBehaviours = Object.keys(cards) as readonly CardBehaviour[];

export const isCardBehaviour = (text: string): text is CardBehaviour => Object.hasOwn(cards, text);

export const cardBehaviour = (text: string): CardBehaviour => {
  if (!isCardBehaviour(text))
    throw invalid(`No such card: '${text}'. Choose one of ${cardBehaviours.join(', ')}.`, 'card');
  return text;
};

/** The bank's answer for a saved card. */
export const resultOf = (tx: Tx, paymentMethod: string, isOnSession: boolean): PaymentResult => {
  const { behaviour } = tx.require('card', paymentMethod);
  return isOnSession ? cards[behaviour].onSession : cards[behaviour].offSession;
};

const methodFor = (
  tx: Tx,
  behaviour: CardBehaviour,
  customer: string,
  email: string | null,
): PaymentMethod => {
  const { last4, brand, expMonth, expYear } = cards[behaviour];
  return {
    id: tx.newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: { address: null, email, name: null, phone: null, tax_id: null },
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: brand,
      exp_month: expMonth,
      exp_year: expYear,
      // Of the number: the same card has the same fingerprint for every customer.
      fingerprint: createHash('sha256').update(last4).digest('hex').slice(0, 16),
      funding: 'credit',
      generated_from: null,
      last4,
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: tx.now,
    customer,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
};

export const attachCard = (
  tx: Tx,
  behaviour: CardBehaviour,
  customer: string,
  email: string | null,
): PaymentMethod => {
  const method = methodFor(tx, behaviour, customer, email);
  tx.put('payment_method', method);
  tx.put('card', { id: method.id, behaviour });
  tx.emit('payment_method.attached', method);
  return method;
};

export const detachCard = (tx: Tx, id: string): PaymentMethod => {
  const method = tx.require('payment_method', id);
  if (method.customer === null)
    throw invalid(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
    );
  const detached = { ...method, customer: null };
  tx.put('payment_method', detached);
  tx.emit('payment_method.detached', detached, { customer: method.customer });
  return detached;
};

/** The card of every further payment of the customer, instead of the one before. */
export const replaceCard = (tx: Tx, customer: string, behaviour: CardBehaviour): PaymentMethod => {
  const owner = tx.require('customer', customer);
  if (owner.deleted) throw invalid(`No such customer: '${customer}'`, 'customer', 'resource_missing');
  const before = tx.related('payment_method', customer);
  const method = attachCard(tx, behaviour, customer, owner.email);
  const settings = { ...owner.invoice_settings, default_payment_method: method.id };
  change(tx, 'customer', owner, { invoice_settings: settings }, 'customer.updated');
  for (const subscription of tx.related('subscription', customer)) {
    if (subscription.status === 'canceled') continue;
    change(
      tx,
      'subscription',
      subscription,
      { default_payment_method: method.id },
      'customer.subscription.updated',
    );
  }
  for (const old of before) detachCard(tx, old.id);
  return method;
};
