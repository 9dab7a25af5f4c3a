import { invalid } from './failure.ts';
import type { Charge, Dispute } from './objects.ts';
import { previousOf, type Tx } from './transaction.ts';

export const disputeOutcomes = ['won', 'lost', 'warning_closed'] as const;
export type DisputeOutcome = (typeof disputeOutcomes)[number];

const evidenceSeconds = 9 * 86_400;

const noEvidence: Dispute['evidence'] = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

/** The bank takes the money back; a warning only asks. */
export const openDispute = (
  tx: Tx,
  charge: Charge,
  options: Readonly<{ reason: string; isWarning: boolean }>,
): Dispute => {
  if (!charge.paid || charge.disputed)
    throw invalid(`Charge ${charge.id} is not paid, or is disputed already.`, 'charge');
  const dispute: Dispute = {
    id: tx.newId('du'),
    object: 'dispute',
    amount: charge.amount - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    created: tx.now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: tx.now + evidenceSeconds,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: options.isWarning,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: options.reason,
    status: options.isWarning ? 'warning_needs_response' : 'needs_response',
  };
  const disputed = { ...charge, disputed: true };
  tx.put('dispute', dispute);
  tx.put('charge', disputed);
  tx.emit('charge.dispute.created', dispute);
  tx.emit('charge.updated', disputed, { disputed: false });
  if (!options.isWarning) tx.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
};

export const closeDispute = (tx: Tx, id: string, outcome: DisputeOutcome): Dispute => {
  const dispute = tx.require('dispute', id);
  const isWarning = dispute.status.startsWith('warning');
  if (dispute.status === 'won' || dispute.status === 'lost' || dispute.status === 'warning_closed')
    throw invalid('This dispute is closed already.');
  if (isWarning !== (outcome === 'warning_closed'))
    throw invalid('A warning ends as warning_closed, a dispute as won or lost.', 'outcome');
  const closed: Dispute = { ...dispute, status: outcome };
  tx.put('dispute', closed);
  const previous = previousOf(dispute, closed);
  tx.emit('charge.dispute.updated', closed, previous);
  tx.emit('charge.dispute.closed', closed, previous);
  if (outcome === 'won') tx.emit('charge.dispute.funds_reinstated', closed);
  return closed;
};
