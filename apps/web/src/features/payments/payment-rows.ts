import type { Billing } from '@tapedeck/payments/contract';

export type PaymentRow = Readonly<{
  key: string;
  at: string;
  text: string;
  /** Null where it is not known. */
  amount: number | null;
  refunded: number;
  currency: string;
  /** Why it failed; null when it was paid. */
  failure: string | null;
}>;

/** What was paid and what has failed, the newest first. */
export const paymentRows = ({
  payments,
  failedPayments,
}: Pick<Billing, 'payments' | 'failedPayments'>): readonly PaymentRow[] =>
  [
    ...payments.map(({ invoiceId, ...paid }) => ({ ...paid, key: invoiceId, failure: null })),
    ...failedPayments.map(({ invoiceId, attempt, reason, ...failed }) => ({
      ...failed,
      key: `${invoiceId} ${attempt}`,
      refunded: 0,
      failure: reason,
    })),
  ].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
