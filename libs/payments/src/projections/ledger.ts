import { defineProjection, type RecordedEvent, type RowChange } from '@tapedeck/eventing';
import type { PaymentRecorded, RefundRecorded } from '../domain/subscription-events.ts';

/** Amounts are in minor units. */
export type PaymentRow = Readonly<{
  invoice_id: string;
  subscription_id: string;
  amount: string;
  currency: string;
  reason: string;
  tier: string | null;
  period: string | null;
  period_end: Date;
  paid_at: Date;
}>;

const changeOf = ({ type, data }: RecordedEvent<PaymentRecorded | RefundRecorded>): RowChange => {
  switch (type) {
    case 'PaymentRecorded':
      return {
        op: 'put',
        table: 'payments',
        key: { invoice_id: data.invoiceId },
        row: {
          subscription_id: data.subscriptionId,
          amount: data.amountPaid,
          currency: data.currency,
          reason: data.reason,
          tier: data.plan?.tier ?? null,
          period: data.plan?.period ?? null,
          period_end: data.periodEnd,
          paid_at: data.paidAt,
        },
      };
    case 'RefundRecorded':
      return {
        op: 'put',
        table: 'refunds',
        key: { refund_id: data.refundId },
        row: {
          subscription_id: data.subscriptionId,
          invoice_id: data.invoiceId,
          amount: data.amount,
          currency: data.currency,
          status: data.status,
          refunded_at: data.refundedAt,
        },
      };
    default:
      return type satisfies never;
  }
};

/** What was paid and what was given back. */
export const ledger = defineProjection<PaymentRecorded | RefundRecorded>({
  name: 'ledger',
  version: 1,
  database: 'tapedeck',
  replay: { compares: { payments: 'Payment', refunds: 'Refund' } },
  types: { PaymentRecorded: true, RefundRecorded: true },
  tables: [
    {
      name: 'payments',
      key: ['invoice_id'],
      columns: {
        invoice_id: 'text not null',
        subscription_id: 'text not null',
        amount: 'bigint not null',
        currency: 'text not null',
        reason: 'text not null',
        tier: 'text',
        period: 'text',
        period_end: 'timestamptz not null',
        paid_at: 'timestamptz not null',
      },
      indexes: ['(subscription_id)'],
    },
    {
      name: 'refunds',
      key: ['refund_id'],
      columns: {
        refund_id: 'text not null',
        subscription_id: 'text not null',
        invoice_id: 'text',
        amount: 'bigint not null',
        currency: 'text not null',
        status: 'text not null',
        refunded_at: 'timestamptz not null',
      },
      indexes: ['(subscription_id)'],
    },
  ],
  fold: (events) => events.map(changeOf),
});
