import { paymentsOf, refundedAmount } from '../entitlement.ts';
import type { PaidInvoice, Subscription } from '../subscription.ts';
import type { EndRefund, PaymentPart } from '../money-action-events.ts';

/** What requests that are not done yet will give back. One for all that is left leaves nothing. */
const reservedAmount = ({ requests }: Subscription, { invoiceId, amountPaid }: PaidInvoice): number =>
  Object.values(requests)
    .filter(({ outcome }) => outcome === 'requested' || outcome === 'refused')
    .reduce(
      (sum, { write }) =>
        write.kind === 'refund' && write.invoiceId === invoiceId ? sum + (write.amount ?? amountPaid) : sum,
      0,
    );

/** What can still be given back of a payment, in minor units. */
export const refundableAmount = (state: Subscription, payment: PaidInvoice): number =>
  Math.max(0, payment.amountPaid - refundedAmount(state, payment) - reservedAmount(state, payment));

/** Those for the time until the end of the newest period. */
const paymentsOfPeriod = (state: Subscription): readonly PaidInvoice[] => {
  const payments = paymentsOf(state).filter(({ amountPaid }) => amountPaid > 0);
  return payments.filter(({ periodEnd }) => periodEnd === payments[0]?.periodEnd);
};

/** What of a payment is for the time after `at`: rounded down, in minor units. */
const unusedAmount = ({ amountPaid, periodStart, periodEnd }: PaidInvoice, at: string): number => {
  const [start, end, now] = [periodStart, periodEnd, at].map((time) => Date.parse(time)) as [
    number,
    number,
    number,
  ];
  if (end <= start || now >= end) return 0;
  return Math.floor((amountPaid * (end - Math.max(start, now))) / (end - start));
};

/** What goes back of the payments of the newest period, when the subscription ends at an instant. */
export const partsOfPeriod = (state: Subscription, refund: EndRefund, at: string): readonly PaymentPart[] => {
  if (refund === 'nothing') return [];
  return paymentsOfPeriod(state)
    .map((payment) => {
      const left = refundableAmount(state, payment);
      const amount = refund === 'all' ? left : Math.min(left, unusedAmount(payment, at));
      return { invoiceId: payment.invoiceId, amount };
    })
    .filter(({ amount }) => amount > 0);
};

export const sumOf = (parts: readonly PaymentPart[]): number =>
  parts.reduce((sum, { amount }) => sum + amount, 0);
