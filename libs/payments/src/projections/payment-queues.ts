import {
  defineProjection,
  type RecordedEvent,
  type RowChange,
  type Sealed,
  type SealedEvent,
} from '@tapedeck/eventing';
import type { CheckoutStarted } from '../domain/checkout.ts';
import type {
  BuyerForgotten,
  ClaimPeriodEnded,
  DisputeClosed,
  DisputeOpened,
  DriftDetected,
  PaymentClaimed,
  PaymentTransferred,
  PurchaseUnclaimed,
  SubscriptionObserved,
} from '../domain/subscription-events.ts';

type Read =
  | BuyerForgotten
  | CheckoutStarted
  | ClaimPeriodEnded
  | DisputeClosed
  | DisputeOpened
  | DriftDetected
  | PaymentClaimed
  | PaymentTransferred
  | PurchaseUnclaimed
  | SubscriptionObserved;

/** What Stripe has said last of a subscription that can charge again. */
export type QueuedSubscriptionRow = Readonly<{
  subscription_id: string;
  price_id: string;
  /** Null for a price that belongs to no plan. */
  tier: string | null;
  period: string | null;
  amount: string;
  currency: string;
  stripe_status: string;
  started_at: Date;
  ends_at: Date | null;
}>;

export type QueuedPurchaseRow = Readonly<{
  subscription_id: string;
  tier: string;
  period: string;
  paid_at: Date;
  refund_at: Date;
}>;

export type QueuedDisputeRow = Readonly<{
  dispute_id: string;
  subscription_id: string;
  amount: string;
  currency: string;
  reason: string;
  opened_at: Date;
  evidence_due_by: Date | null;
}>;

export type QueuedMismatchRow = Readonly<{
  event_id: string;
  subscription_id: string;
  fields: readonly string[];
  detected_at: Date;
}>;

/** The address of a buyer without an account. */
export type AnonymousBuyerRow = Readonly<{ intent_id: string; email: Sealed<string> }>;

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
      return [{ op: 'remove', table: 'queued_owners', key: { subscription_id: event.data.subscriptionId } }];
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
    default:
      return event satisfies never;
  }
};

/** Matters of money that need the decision of a person. */
export const paymentQueues = defineProjection<Read>({
  name: 'payment_queues',
  version: 2,
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
    PaymentClaimed: true,
    PaymentTransferred: true,
    PurchaseUnclaimed: true,
    SubscriptionObserved: true,
  },
  tables: [
    {
      name: 'queued_subscriptions',
      key: ['subscription_id'],
      columns: {
        subscription_id: 'text not null',
        price_id: 'text not null',
        tier: 'text',
        period: 'text',
        amount: 'bigint not null',
        currency: 'text not null',
        stripe_status: 'text not null',
        started_at: 'timestamptz not null',
        ends_at: 'timestamptz',
      },
    },
    {
      name: 'queued_owners',
      key: ['subscription_id'],
      columns: { subscription_id: 'text not null', account_id: 'uuid not null' },
      indexes: ['(account_id)'],
    },
    {
      name: 'queued_buyers',
      key: ['intent_id'],
      columns: { intent_id: 'uuid not null', email: 'text not null' },
    },
    {
      name: 'queued_purchases',
      key: ['subscription_id'],
      columns: {
        subscription_id: 'text not null',
        intent_id: 'uuid not null',
        tier: 'text not null',
        period: 'text not null',
        paid_at: 'timestamptz not null',
        refund_at: 'timestamptz not null',
      },
      indexes: ['(paid_at)'],
    },
    {
      name: 'queued_disputes',
      key: ['dispute_id'],
      columns: {
        dispute_id: 'text not null',
        subscription_id: 'text not null',
        amount: 'bigint not null',
        currency: 'text not null',
        reason: 'text not null',
        opened_at: 'timestamptz not null',
        evidence_due_by: 'timestamptz',
      },
      indexes: ['(evidence_due_by)'],
    },
    {
      name: 'queued_drift',
      key: ['event_id'],
      columns: {
        event_id: 'uuid not null',
        subscription_id: 'text not null',
        fields: 'text[] not null',
        detected_at: 'timestamptz not null',
      },
      indexes: ['(detected_at)'],
    },
  ],
  fold: (events) => events.flatMap(changesOf),
});
