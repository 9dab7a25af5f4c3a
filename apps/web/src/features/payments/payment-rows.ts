import type { Billing, PaidState } from '@tapedeck/payments/contract';

export type PaymentRow = Readonly<{
  key: string;
  at: string;
  text: string;
  /** Null where it is not known. */
  amount: number | null;
  refunded: number;
  currency: string;
  state: PaidState | 'failed';
  /** Why it failed; null when it was paid. */
  failure: string | null;
  /** Null where the account has no invoice of it. */
  invoiceId: string | null;
}>;

/** What was paid and what has failed, the newest first. */
export const paymentRows = ({
  payments,
  failedPayments,
}: Pick<Billing, 'payments' | 'failedPayments'>): readonly PaymentRow[] =>
  [
    ...payments.map(({ invoiceId, hasInvoice, ...paid }) => ({
      ...paid,
      key: invoiceId,
      failure: null,
      invoiceId: hasInvoice ? invoiceId : null,
    })),
    ...failedPayments.map(({ invoiceId, attempt, reason, ...failed }) => ({
      ...failed,
      key: `${invoiceId} ${attempt}`,
      refunded: 0,
      state: 'failed' as const,
      failure: reason,
      invoiceId: null,
    })),
  ].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));

type Badge = Readonly<{ text: string; look: 'ok' | 'plain' | 'danger' }>;

export const badges: Readonly<Record<PaymentRow['state'], Badge>> = {
  paid: { text: 'Paid', look: 'ok' },
  'partly-refunded': { text: 'Refunded in part', look: 'plain' },
  refunded: { text: 'Refunded', look: 'plain' },
  disputed: { text: 'Disputed', look: 'danger' },
  'charged-back': { text: 'Charged back', look: 'danger' },
  failed: { text: 'Failed', look: 'danger' },
};
