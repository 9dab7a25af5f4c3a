import type { ProjectionTable, RowChange } from '@tapedeck/eventing';
import { stripeSubject, type Recorded } from './timeline-rows.ts';

export type ReferenceKind =
  | 'subscription'
  | 'customer'
  | 'invoice'
  | 'charge'
  | 'payment intent'
  | 'checkout session'
  | 'refund'
  | 'dispute'
  | 'event'
  /** The subject of an event of Stripe that names neither a purchase nor a customer: the reference itself. */
  | 'alone';

/** Ids that belong to a purchase: to its subscription, or to its checkout, `subject`. */
export const referencesTable: ProjectionTable = {
  name: 'audit_references',
  key: ['reference', 'subject'],
  columns: { reference: 'text not null', subject: 'text not null', kind: 'text not null' },
  indexes: ['(subject, kind)', `(reference) where kind = 'alone'`],
};

/** Who owns a purchase from a position on; the first owner has its history from the beginning. */
export const ownersTable: ProjectionTable = {
  name: 'audit_owners',
  key: ['subject', 'position'],
  columns: { subject: 'text not null', position: 'bigint not null', account_id: 'uuid not null' },
  indexes: ['(account_id)'],
};

type Reference = readonly [kind: ReferenceKind, reference: string | null];

const to = (subject: string, references: readonly Reference[]): readonly RowChange[] =>
  references.flatMap(([kind, reference]) =>
    reference === null
      ? []
      : [{ op: 'put', table: referencesTable.name, key: { reference, subject }, row: { kind } } as const],
  );

const owner = (
  accountId: string,
  subjects: readonly string[],
  { position }: Recorded,
): readonly RowChange[] =>
  subjects.map((subject) => ({
    op: 'put',
    table: ownersTable.name,
    key: { subject, position: String(position) },
    row: { account_id: accountId },
  }));

const ofStripeEvent = (
  data: Extract<Recorded, { type: 'StripeEventReceived' }>['data'],
): readonly RowChange[] => {
  const subject = stripeSubject(data);
  const isAlone = (data.subscriptionId ?? data.intentId ?? data.customerId) === null;
  return [...to(subject, [['event', data.eventId]]), ...(isAlone ? to(subject, [['alone', subject]]) : [])];
};

/** What an event says about ids and owners. */
export const referenceChanges = (event: Recorded): readonly RowChange[] => {
  switch (event.type) {
    case 'StripeEventReceived':
      return ofStripeEvent(event.data);
    case 'CheckoutStarted':
      return event.data.accountId === null ? [] : owner(event.data.accountId, [event.data.intentId], event);
    case 'CheckoutSessionOpened':
      return to(event.data.intentId, [['checkout session', event.data.sessionId]]);
    case 'CheckoutPaid': {
      const { intentId, subscriptionId, customerId } = event.data;
      return [
        ...to(intentId, [['subscription', subscriptionId]]),
        ...to(subscriptionId, [['customer', customerId]]),
      ];
    }
    case 'CheckoutRefused':
      return to(event.data.intentId, [['subscription', event.data.subscriptionId]]);
    case 'SubscriptionObserved': {
      const { subscriptionId, customerId, latestInvoiceId } = event.data;
      return to(subscriptionId, [
        ['customer', customerId],
        ['invoice', latestInvoiceId],
      ]);
    }
    case 'PaymentRecorded': {
      const { subscriptionId, invoiceId, chargeId, paymentIntentId } = event.data;
      return to(subscriptionId, [
        ['invoice', invoiceId],
        ['charge', chargeId],
        ['payment intent', paymentIntentId],
      ]);
    }
    case 'PaymentFailed':
      return to(event.data.subscriptionId, [['invoice', event.data.invoiceId]]);
    case 'RefundRecorded': {
      const { subscriptionId, refundId, invoiceId, chargeId } = event.data;
      return to(subscriptionId, [
        ['refund', refundId],
        ['invoice', invoiceId],
        ['charge', chargeId],
      ]);
    }
    case 'DisputeOpened':
      return to(event.data.subscriptionId, [
        ['dispute', event.data.disputeId],
        ['charge', event.data.chargeId],
      ]);
    case 'PaymentClaimed': {
      const { accountId, subscriptionId, intentId } = event.data;
      return owner(accountId, [subscriptionId, intentId], event);
    }
    case 'PaymentTransferred': {
      const { toAccountId, subscriptionId, intentId } = event.data;
      return owner(toAccountId, [subscriptionId, intentId], event);
    }
    default:
      return [];
  }
};
