import { defineProjection, type RecordedEvent, type RowChange, type SealedEvent } from '@tapedeck/eventing';
import type {
  ClaimProof,
  EntitlementChanged,
  PaymentClaimed,
  PaymentFailed,
  PaymentRecorded,
  PaymentTransferred,
  RefundRecorded,
} from '@tapedeck/payments/events';
import type { StripeEventReceived } from '@tapedeck/stripe/events';
import {
  failuresTable,
  ownersTable,
  paymentsTable,
  purchasesTable,
  refundsTable,
  webhooksTable,
} from './figure-tables.ts';
import { figureKey, figureKeyOrNull } from './keys.ts';

type Read =
  | EntitlementChanged
  | PaymentClaimed
  | PaymentTransferred
  | PaymentRecorded
  | RefundRecorded
  | PaymentFailed
  | StripeEventReceived;

type Recorded = RecordedEvent<SealedEvent<Read>>;

/** Who has paid as a member has owned it from the payment on, however late that became known. */
const ownedSince = (proof: ClaimProof, occurredAt: string): string | null =>
  proof === 'checkout' ? null : occurredAt;

const ownedBy = (
  {
    version,
    metadata,
    data,
  }: Pick<Recorded, 'version' | 'metadata'> & {
    readonly data: Readonly<{ subscriptionId: string; proof: ClaimProof }>;
  },
  accountId: string,
): RowChange => ({
  op: 'put',
  table: ownersTable.name,
  key: { purchase: figureKey('purchase', data.subscriptionId), version },
  row: { member: figureKey('member', accountId), claimed_at: ownedSince(data.proof, metadata.occurredAt) },
});

const entitled = ({ data, metadata }: RecordedEvent<EntitlementChanged>): RowChange => ({
  op: 'put',
  table: purchasesTable.name,
  key: { purchase: figureKey('purchase', data.subscriptionId) },
  row: {
    phase: data.phase,
    tier: data.tier,
    period: data.period,
    ends_at: data.endsAt,
    ended_at: data.endedAt,
    recorded_at: metadata.occurredAt,
  },
});

const paid = ({ data }: RecordedEvent<PaymentRecorded>): RowChange => ({
  op: 'put',
  table: paymentsTable.name,
  key: { invoice: figureKey('invoice', data.invoiceId) },
  row: {
    purchase: figureKey('purchase', data.subscriptionId),
    charge: figureKeyOrNull('charge', data.chargeId),
    amount: data.amountPaid,
    currency: data.currency,
    tier: data.plan?.tier ?? null,
    period: data.plan?.period ?? null,
    period_end: data.periodEnd,
    paid_at: data.paidAt,
  },
});

const refunded = ({ data }: RecordedEvent<RefundRecorded>): RowChange => ({
  op: 'put',
  table: refundsTable.name,
  key: { refund: figureKey('refund', data.refundId) },
  row: {
    purchase: figureKey('purchase', data.subscriptionId),
    invoice: figureKeyOrNull('invoice', data.invoiceId),
    charge: figureKeyOrNull('charge', data.chargeId),
    amount: data.amount,
    status: data.status,
    refunded_at: data.refundedAt,
  },
});

const changesOf = (event: Recorded): readonly RowChange[] => {
  switch (event.type) {
    case 'EntitlementChanged':
      return [entitled(event)];
    case 'PaymentClaimed':
      return [ownedBy(event, event.data.accountId)];
    case 'PaymentTransferred':
      return [ownedBy(event, event.data.toAccountId)];
    case 'PaymentRecorded':
      return [paid(event)];
    case 'RefundRecorded':
      return [refunded(event)];
    case 'PaymentFailed': {
      const key = { invoice: figureKey('invoice', event.data.invoiceId) };
      return [{ op: 'put', table: failuresTable.name, key, row: { failed_at: event.data.failedAt } }];
    }
    case 'StripeEventReceived': {
      const { source } = event.data;
      if (source !== 'webhook') return [];
      const received = Date.parse(event.metadata.occurredAt);
      return [{ op: 'put', table: webhooksTable.name, key: { source }, row: { received_ms: received } }];
    }
    default:
      return event satisfies never;
  }
};

/**
 * The facts that figures are counted from, one row each, dated as Stripe dates them. Each row comes from one stream, so
 * their order between streams does not matter, and a fact that is recorded again is the same row.
 */
export const figures = defineProjection<Read>({
  name: 'figures',
  version: 1,
  database: 'tapedeck',
  // Other read models say the same.
  replay: {},
  types: {
    EntitlementChanged: true,
    PaymentClaimed: true,
    PaymentTransferred: true,
    PaymentRecorded: true,
    RefundRecorded: true,
    PaymentFailed: true,
    StripeEventReceived: true,
  },
  tables: [ownersTable, purchasesTable, paymentsTable, refundsTable, failuresTable, webhooksTable],
  fold: (events) => events.flatMap(changesOf),
});
