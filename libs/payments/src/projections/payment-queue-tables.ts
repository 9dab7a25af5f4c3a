import type { ProjectionTable, Sealed } from '@tapedeck/eventing';
import type { MoneyFinding, ReturnReason } from '../domain/subscription-events.ts';

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

/** A purchase that goes back, until all of it has. */
export type QueuedReturnRow = Readonly<{
  subscription_id: string;
  account_id: string | null;
  reason: ReturnReason;
  begun_at: Date;
}>;

/** What was requested of Stripe, and no member waits for; `code` once it is refused. */
export type QueuedRequestRow = Readonly<{
  request_id: string;
  subscription_id: string;
  /** Of its event, in the stream of the subscription. */
  version: number;
  kind: 'refund' | 'end-now' | 'announced-price' | 'keep-price' | 'downgrade';
  invoice_id: string | null;
  cause: string;
  requested_at: Date;
  code: string | null;
}>;

/** Money without access, or access without money. */
export type QueuedFindingRow = Readonly<{
  subscription_id: string;
  kind: MoneyFinding['kind'];
  amount: string;
  currency: string;
  found_at: Date;
}>;

/** The address of a buyer without an account. */
export type AnonymousBuyerRow = Readonly<{ intent_id: string; email: Sealed<string> }>;

/** Of the read model `payment_queues`. */
export const paymentQueueTables: readonly ProjectionTable[] = [
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
    name: 'queued_returns',
    key: ['subscription_id'],
    columns: {
      subscription_id: 'text not null',
      account_id: 'uuid',
      reason: 'text not null',
      begun_at: 'timestamptz not null',
    },
    indexes: ['(begun_at)'],
  },
  {
    name: 'queued_requests',
    key: ['request_id'],
    columns: {
      request_id: 'uuid not null',
      subscription_id: 'text not null',
      version: 'integer not null',
      kind: 'text not null',
      invoice_id: 'text',
      cause: 'text not null',
      requested_at: 'timestamptz not null',
      code: 'text',
    },
    indexes: ['(requested_at) where code is not null'],
  },
  {
    name: 'queued_findings',
    key: ['subscription_id'],
    columns: {
      subscription_id: 'text not null',
      kind: 'text not null',
      amount: 'bigint not null',
      currency: 'text not null',
      found_at: 'timestamptz not null',
    },
    indexes: ['(found_at)'],
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
];
