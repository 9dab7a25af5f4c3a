import { invalid } from './failure.ts';
import type { Charge, Refund } from './objects.ts';
import type { RefundOutcome } from './tables.ts';
import { previousOf, type Tx } from './transaction.ts';

export type RefundRequest = Readonly<{
  charge: Charge;
  amount: number;
  reason: 'duplicate' | 'fraudulent' | 'requested_by_customer' | null;
  metadata: Readonly<Record<string, string>>;
  /** `later` stays pending until a day has passed, and then succeeds or fails. */
  outcome?: 'succeeds' | 'succeeds_later' | 'fails_later' | undefined;
}>;

const settleSeconds = 86_400;

const adjustCharge = (tx: Tx, charge: Charge, amount: number): void => {
  const refunded = charge.amount_refunded + amount;
  const after = { ...charge, amount_refunded: refunded, refunded: refunded === charge.amount };
  tx.put('charge', after);
  tx.emit(amount > 0 ? 'charge.refunded' : 'charge.updated', after, previousOf(charge, after));
};

export const createRefund = (tx: Tx, request: RefundRequest): Refund => {
  const { charge, amount, outcome = 'succeeds' } = request;
  const left = charge.amount - charge.amount_refunded;
  if (!charge.paid) throw invalid(`Charge ${charge.id} was not paid.`, 'charge');
  if (left === 0)
    throw invalid(`Charge ${charge.id} has already been refunded.`, 'charge', 'charge_already_refunded');
  if (charge.disputed)
    throw invalid(`Charge ${charge.id} has been charged back.`, 'charge', 'charge_disputed');
  if (amount <= 0)
    throw invalid('This value must be greater than or equal to 1.', 'amount', 'parameter_invalid_integer');
  if (amount > left)
    throw invalid(
      `Refund amount ($${(amount / 100).toFixed(2)}) is greater than unrefunded amount on charge ($${(left / 100).toFixed(2)})`,
      'amount',
    );
  const refund: Refund = {
    id: tx.newId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: tx.now,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: {
      card: {
        reference: '0000000000000000',
        reference_status: 'available',
        reference_type: 'acquirer_reference_number',
        type: 'refund',
      },
      type: 'card',
    },
    metadata: request.metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: request.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: outcome === 'succeeds' ? 'succeeded' : 'pending',
    transfer_reversal: null,
  };
  tx.put('refund', refund);
  adjustCharge(tx, charge, amount);
  tx.emit('refund.created', refund);
  if (outcome !== 'succeeds') {
    const status = outcome === 'fails_later' ? 'failed' : 'succeeded';
    tx.put('refund_outcome', { id: refund.id, at: tx.now + settleSeconds, status });
  }
  return refund;
};

/** A pending refund reaches the card, or comes back. */
export const settleRefund = (tx: Tx, outcome: RefundOutcome): void => {
  tx.remove('refund_outcome', outcome.id);
  const refund = tx.require('refund', outcome.id);
  const settled: Refund = {
    ...refund,
    status: outcome.status,
    ...(outcome.status === 'failed' ? { failure_reason: 'lost_or_stolen_card' } : {}),
  };
  tx.put('refund', settled);
  const previous = previousOf(refund, settled);
  tx.emit('refund.updated', settled, previous);
  if (outcome.status !== 'failed') return;
  tx.emit('refund.failed', settled, previous);
  adjustCharge(tx, tx.require('charge', refund.charge), -refund.amount);
};

/** Also of a refund that had succeeded: banks return money days later. */
export const failRefund = (tx: Tx, id: string): Refund => {
  const refund = tx.require('refund', id);
  if (refund.status === 'failed') throw invalid('This refund has failed already.');
  settleRefund(tx, { id, at: tx.now, status: 'failed' });
  return tx.require('refund', id);
};
