import { defineProjection, type RecordedEvent, type RowChange, type SealedEvent } from '@tapedeck/eventing';
import type { CheckoutStarted } from '../domain/checkout.ts';
import { isRestored } from '../domain/stripe-requests.ts';
import type {
  BuyerForgotten,
  ClaimPeriodEnded,
  DisputeClosed,
  DisputeOpened,
  DriftDetected,
  MoneyFindingAccepted,
  MoneyFindingClosed,
  MoneyFindingOpened,
  PaymentClaimed,
  PaymentTransferred,
  PurchaseReturnBegun,
  PurchaseReturnCompleted,
  PurchaseUnclaimed,
  StripeRequest,
  StripeWriteAbandoned,
  StripeWriteCompleted,
  StripeWriteRefused,
  StripeWriteRequested,
  SubscriptionObserved,
} from '../domain/subscription-events.ts';

import { paymentQueueTables } from './payment-queue-tables.ts';

type Read =
  | BuyerForgotten
  | CheckoutStarted
  | ClaimPeriodEnded
  | DisputeClosed
  | DisputeOpened
  | DriftDetected
  | MoneyFindingAccepted
  | MoneyFindingClosed
  | MoneyFindingOpened
  | PaymentClaimed
  | PaymentTransferred
  | PurchaseReturnBegun
  | PurchaseReturnCompleted
  | PurchaseUnclaimed
  | StripeWriteAbandoned
  | StripeWriteCompleted
  | StripeWriteRefused
  | StripeWriteRequested
  | SubscriptionObserved;

type AboutRequest = Pick<RecordedEvent, 'metadata' | 'version'> &
  Readonly<{ data: Pick<StripeWriteRequested['data'], 'requestId' | 'subscriptionId'> }>;

/** Stripe charges nothing more for these. */
const endedStatuses: ReadonlySet<string> = new Set(['incomplete', 'incomplete_expired', 'canceled']);

const observed = ({ data }: RecordedEvent<SealedEvent<SubscriptionObserved>>): RowChange => {
  const at = { table: 'queued_subscriptions', key: { subscription_id: data.subscriptionId } } as const;
  if (endedStatuses.has(data.status)) return { op: 'remove', ...at };
  return {
    op: 'put',
    ...at,
    row: {
      price_id: data.priceId,
      tier: data.plan?.tier ?? null,
      period: data.plan?.period ?? null,
      amount: data.amount,
      currency: data.currency,
      stripe_status: data.status,
      started_at: data.startedAt,
      ends_at: data.cancelAt ?? (data.cancelAtPeriodEnd ? data.periodEnd : null),
    },
  };
};

const ownedBy = (subscriptionId: string, accountId: string): readonly RowChange[] => [
  {
    op: 'put',
    table: 'queued_owners',
    key: { subscription_id: subscriptionId },
    row: { account_id: accountId },
  },
  { op: 'remove', table: 'queued_purchases', key: { subscription_id: subscriptionId } },
];

/** Of these the product waits for Stripe. */
const queuedKinds: readonly string[] = ['refund', 'end-now', 'announced-price', 'keep-price'];

/** Changes of the plan are the member's own, who sees what has become of them, but for one that is restored. */
const isQueued = (write: StripeRequest): boolean => queuedKinds.includes(write.kind) || isRestored(write);

const causeOf = (write: StripeRequest): string => {
  if ('cause' in write) return write.cause;
  return isRestored(write) ? 'upgrade-in-vain' : 'announcement';
};

const requestRow = (
  write: StripeRequest,
  { data: { requestId, subscriptionId }, metadata, version }: AboutRequest,
  code: string | null,
): RowChange => ({
  op: 'put',
  table: 'queued_requests',
  key: { request_id: requestId },
  row: {
    subscription_id: subscriptionId,
    version,
    kind: write.kind,
    invoice_id: write.kind === 'refund' ? write.invoiceId : null,
    cause: causeOf(write),
    requested_at: metadata.occurredAt,
    code,
  },
});

const requestChanges = (event: RecordedEvent<SealedEvent<StripeWriteRequested>>): readonly RowChange[] => {
  const { write, repeats } = event.data;
  if (!isQueued(write)) return [];
  const put = requestRow(write, event, null);
  if (repeats === undefined) return [put];
  return [{ op: 'remove', table: 'queued_requests', key: { request_id: repeats } }, put];
};

/** One that Stripe had accepted before has left the queue. */
const refusalChanges = (event: RecordedEvent<SealedEvent<StripeWriteRefused>>): readonly RowChange[] => {
  const { requestId, kind, code, write } = event.data;
  // Of a member's own downgrade there is no row.
  if (!queuedKinds.includes(kind) && kind !== 'downgrade') return [];
  if (write) return [requestRow(write, event, code)];
  return [{ op: 'patch', table: 'queued_requests', key: { request_id: requestId }, row: { code } }];
};

const changesOf = (event: RecordedEvent<SealedEvent<Read>>): readonly RowChange[] => {
  switch (event.type) {
    case 'SubscriptionObserved':
      return [observed(event)];
    case 'CheckoutStarted': {
      const { accountId, intentId, email } = event.data;
      if (accountId !== null) return [];
      return [{ op: 'put', table: 'queued_buyers', key: { intent_id: intentId }, row: { email } }];
    }
    case 'PurchaseUnclaimed': {
      const { subscriptionId, intentId, plan, paidAt, refundAt } = event.data;
      const row = { intent_id: intentId, ...plan, paid_at: paidAt, refund_at: refundAt };
      return [{ op: 'put', table: 'queued_purchases', key: { subscription_id: subscriptionId }, row }];
    }
    case 'PaymentClaimed':
      return ownedBy(event.data.subscriptionId, event.data.accountId);
    case 'PaymentTransferred':
      return ownedBy(event.data.subscriptionId, event.data.toAccountId);
    case 'ClaimPeriodEnded':
      return [
        { op: 'remove', table: 'queued_purchases', key: { subscription_id: event.data.subscriptionId } },
      ];
    case 'BuyerForgotten':
      if (event.data.isOwnedByAnother) return [];
      return [{ op: 'remove', table: 'queued_owners', key: { subscription_id: event.data.subscriptionId } }];
    case 'PurchaseReturnBegun': {
      const { subscriptionId, accountId, reason, begunAt } = event.data;
      const row = { account_id: accountId, reason, begun_at: begunAt };
      return [{ op: 'put', table: 'queued_returns', key: { subscription_id: subscriptionId }, row }];
    }
    case 'PurchaseReturnCompleted':
      return [{ op: 'remove', table: 'queued_returns', key: { subscription_id: event.data.subscriptionId } }];
    case 'StripeWriteRequested':
      return requestChanges(event);
    case 'StripeWriteAbandoned':
    case 'StripeWriteCompleted':
      return [{ op: 'remove', table: 'queued_requests', key: { request_id: event.data.requestId } }];
    case 'StripeWriteRefused':
      return refusalChanges(event);
    case 'DisputeOpened': {
      const { disputeId, subscriptionId, amount, currency, reason, openedAt, evidenceDueBy } = event.data;
      const row = {
        subscription_id: subscriptionId,
        amount,
        currency,
        reason,
        opened_at: openedAt,
        evidence_due_by: evidenceDueBy,
      };
      return [{ op: 'put', table: 'queued_disputes', key: { dispute_id: disputeId }, row }];
    }
    case 'DisputeClosed':
      return [{ op: 'remove', table: 'queued_disputes', key: { dispute_id: event.data.disputeId } }];
    case 'DriftDetected': {
      const { subscriptionId, fields, detectedAt } = event.data;
      const row = { subscription_id: subscriptionId, fields, detected_at: detectedAt };
      return [{ op: 'put', table: 'queued_drift', key: { event_id: event.id }, row }];
    }
    case 'MoneyFindingOpened': {
      const { subscriptionId, kind, amount, currency, foundAt } = event.data;
      const row = { kind, amount, currency, found_at: foundAt };
      return [{ op: 'put', table: 'queued_findings', key: { subscription_id: subscriptionId }, row }];
    }
    case 'MoneyFindingClosed':
    case 'MoneyFindingAccepted':
      return [
        { op: 'remove', table: 'queued_findings', key: { subscription_id: event.data.subscriptionId } },
      ];
    default:
      return event satisfies never;
  }
};

/** Matters of money that need the decision of a person. */
export const paymentQueues = defineProjection<Read>({
  name: 'payment_queues',
  version: 4,
  database: 'tapedeck',
  // It repeats what other read models say.
  replay: {},
  types: {
    BuyerForgotten: true,
    CheckoutStarted: true,
    ClaimPeriodEnded: true,
    DisputeClosed: true,
    DisputeOpened: true,
    DriftDetected: true,
    MoneyFindingAccepted: true,
    MoneyFindingClosed: true,
    MoneyFindingOpened: true,
    PaymentClaimed: true,
    PaymentTransferred: true,
    PurchaseReturnBegun: true,
    PurchaseReturnCompleted: true,
    PurchaseUnclaimed: true,
    StripeWriteAbandoned: true,
    StripeWriteCompleted: true,
    StripeWriteRefused: true,
    StripeWriteRequested: true,
    SubscriptionObserved: true,
  },
  tables: paymentQueueTables,
  fold: (events) => events.flatMap(changesOf),
});
