import type { EntitlementPhase } from '@tapedeck/payments/events';
import type { BillingPeriod, PaidTier, Plan } from '@tapedeck/plans/contract';
import type { Facts, FailedInvoice } from '../domain/daily-figures.ts';
import type { Owner, Payment, Purchase, Refund, Verdict } from '../domain/purchase.ts';

type PlanColumns = Readonly<{ tier: PaidTier | null; period: BillingPeriod | null }>;

export type OwnerRow = Readonly<{
  purchase: string;
  version: number;
  member: string;
  claimed_at: Date | null;
}>;
export type PurchaseRow = PlanColumns &
  Readonly<{
    purchase: string;
    phase: EntitlementPhase;
    ends_at: Date | null;
    ended_at: Date | null;
    recorded_at: Date;
  }>;
export type PaymentRow = PlanColumns &
  Readonly<{
    invoice: string;
    purchase: string;
    charge: string | null;
    amount: string;
    currency: string;
    period_end: Date;
    paid_at: Date;
  }>;
export type RefundRow = Readonly<{
  refund: string;
  purchase: string;
  invoice: string | null;
  charge: string | null;
  amount: string;
  status: string;
  refunded_at: Date;
}>;
export type FailureRow = Readonly<{ failed_at: Date; paid_at: Date | null }>;

export type FigureRows = Readonly<{
  owners: readonly OwnerRow[];
  purchases: readonly PurchaseRow[];
  payments: readonly PaymentRow[];
  refunds: readonly RefundRow[];
  failures: readonly FailureRow[];
}>;

/** One that is under way counts. */
const countingStatuses: readonly string[] = ['pending', 'succeeded'];

const planOf = ({ tier, period }: PlanColumns): Plan | null => (tier && period ? { tier, period } : null);
const msOf = (time: Date | null): number | null => time && time.getTime();

const byPurchase = <Row extends Readonly<{ purchase: string }>>(
  rows: readonly Row[],
): ReadonlyMap<string, readonly Row[]> => {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.purchase);
    if (group) group.push(row);
    else groups.set(row.purchase, [row]);
  }
  return groups;
};

/** A refund names the invoice; an older one only the charge. */
const refundsOf = (payment: PaymentRow, refunds: readonly RefundRow[]): readonly Refund[] =>
  refunds
    .filter(({ status }) => countingStatuses.includes(status))
    .filter(({ invoice, charge }) =>
      invoice === null ? charge !== null && charge === payment.charge : invoice === payment.invoice,
    )
    .map(({ amount, refunded_at: at }) => ({ amount: Number(amount), at: at.getTime() }));

const paymentOf = (row: PaymentRow, refunds: readonly RefundRow[]): Payment => ({
  amount: Number(row.amount),
  currency: row.currency,
  plan: planOf(row),
  paidAt: row.paid_at.getTime(),
  end: row.period_end.getTime(),
  refunds: refundsOf(row, refunds),
});

const verdictOf = (row: PurchaseRow): Verdict => ({
  phase: row.phase,
  plan: planOf(row),
  endsAt: msOf(row.ends_at),
  endedAt: msOf(row.ended_at),
  recordedAt: row.recorded_at.getTime(),
});

const ownersOf = (rows: readonly OwnerRow[]): readonly Owner[] =>
  rows
    .toSorted((a, b) => a.version - b.version)
    .map(({ member, claimed_at: claimedAt }) => ({ member, from: msOf(claimedAt) }));

const failedOf = ({ failed_at: failedAt, paid_at: paidAt }: FailureRow): FailedInvoice => ({
  failedAt: failedAt.getTime(),
  paidAt: msOf(paidAt),
});

export const factsOf = (rows: FigureRows, graceMs: number): Facts => {
  const [owners, payments, refunds] = [
    byPurchase(rows.owners),
    byPurchase(rows.payments),
    byPurchase(rows.refunds),
  ];
  const purchases = rows.purchases.map((row): Purchase => ({
    owners: ownersOf(owners.get(row.purchase) ?? []),
    verdict: verdictOf(row),
    payments: (payments.get(row.purchase) ?? []).map((payment) =>
      paymentOf(payment, refunds.get(row.purchase) ?? []),
    ),
  }));
  return { purchases, failed: rows.failures.map(failedOf), graceMs };
};
