import { derivedId, type AccountId } from '@tapedeck/kernel';
import type { IntentId } from './checkout.ts';
import { isDisputedPayment, isFullyRefunded, paymentsOf, refundedAmount } from './entitlement.ts';
import { requestEvent } from './stripe-requests.ts';
import type { ReturnReason, StripeRequest, SubscriptionEvent } from './subscription-events.ts';
import { isFinal, type PaidInvoice, type PurchaseReturn, type Subscription } from './subscription.ts';

/** The account has this purchase twice: this one is given back. */
export type ReturnPurchase = Readonly<{
  type: 'ReturnPurchase';
  reason: Extract<ReturnReason, 'second-purchase'>;
  now: string;
}>;

/** The owner has deleted the account. `isLate`: before the purchase became known, so that all of it goes back. */
export type CloseAccount = Readonly<{
  type: 'CloseAccount';
  accountId: AccountId;
  isLate: boolean;
  now: string;
}>;

export type ReturnOf = Readonly<{
  reason: ReturnReason;
  intentId: IntentId;
  accountId: AccountId | null;
  /** Invoices whose payments are not given back. */
  keeps: readonly string[];
  now: string;
}>;

/** The event after which all payments but `keeps` go back, those that become known later too, and the subscription ends. */
export const returnBegun = (
  { observed }: Subscription,
  { now, ...of }: ReturnOf,
): Extract<SubscriptionEvent, { type: 'PurchaseReturnBegun' }> => ({
  type: 'PurchaseReturnBegun',
  data: { subscriptionId: observed?.subscriptionId ?? '', ...of, begunAt: now },
});

/** Nothing when it ended or is given back already. */
export const returnPurchase = (
  { reason, now }: ReturnPurchase,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const { observed, owner, purchaseReturn } = state;
  if (!observed || !owner || purchaseReturn || isFinal(observed)) return [];
  const { intentId, accountId } = owner;
  return [returnBegun(state, { reason, intentId, accountId, keeps: [], now })];
};

/**
 * Nothing of it identifies the person any more, the subscription ends, and what is paid from now on goes back. What was
 * paid before is not.
 */
export const closeAccount = (
  { accountId, isLate, now }: CloseAccount,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const { observed, owner, isForgotten, payments, purchaseReturn } = state;
  if (!observed || owner?.accountId !== accountId || isForgotten) return [];
  const { subscriptionId, customerId } = observed;
  const { intentId } = owner;
  const forgotten = { type: 'BuyerForgotten', data: { subscriptionId, customerId, intentId } } as const;
  if (purchaseReturn || (isFinal(observed) && !isLate)) return [forgotten];
  const keeps = isLate ? [] : Object.keys(payments);
  return [forgotten, returnBegun(state, { reason: 'account-closed', intentId, accountId, keeps, now })];
};

/** What goes back, whether it has gone back already or not. */
const returnedPayments = (state: Subscription, { keeps }: PurchaseReturn): readonly PaidInvoice[] =>
  paymentsOf(state).filter(({ invoiceId, amountPaid }) => amountPaid > 0 && !keeps.includes(invoiceId));

/** What is to go back in all, and what has gone back of it or is on its way. */
export const returnAmounts = (state: Subscription): Readonly<{ amount: number; refunded: number }> => {
  const payments = state.purchaseReturn ? returnedPayments(state, state.purchaseReturn) : [];
  return {
    amount: payments.reduce((sum, { amountPaid }) => sum + amountPaid, 0),
    refunded: payments.reduce((sum, payment) => sum + refundedAmount(state, payment), 0),
  };
};

export type AmountBack = Readonly<{
  /** In minor units. */
  amount: number;
  /** A part was refunded before. */
  isRest: boolean;
  /** The bank decides, or has decided, about a payment: Stripe does not refund it. */
  isDisputed: boolean;
}>;

/** What goes back when a purchase is returned now, but for the invoices of `keeps`. */
export const amountBack = (state: Subscription, keeps: readonly string[] = []): AmountBack => {
  const left = paymentsOf(state)
    .filter(({ invoiceId, amountPaid }) => amountPaid > 0 && !keeps.includes(invoiceId))
    .map((payment) => ({ payment, refunded: refundedAmount(state, payment) }))
    .filter(({ payment, refunded }) => refunded < payment.amountPaid);
  const free = left.filter(({ payment }) => !isDisputedPayment(state, payment));
  return {
    amount: free.reduce((sum, { payment, refunded }) => sum + payment.amountPaid - refunded, 0),
    isRest: free.some(({ refunded }) => refunded > 0),
    isDisputed: free.length < left.length,
  };
};

const isSame = (write: StripeRequest, wanted: StripeRequest): boolean =>
  write.kind === 'refund' && wanted.kind === 'refund'
    ? // A part of it is not all of it.
      write.invoiceId === wanted.invoiceId && write.amount === undefined
    : write.kind === wanted.kind;

const isRequested = ({ requests }: Subscription, wanted: StripeRequest): boolean =>
  Object.values(requests).some(({ write, outcome }) => outcome !== 'abandoned' && isSame(write, wanted));

/** What a return still needs of Stripe. Each is requested once: what Stripe refuses waits for a person. */
export const returnRequests = (state: Subscription): readonly SubscriptionEvent[] => {
  const { observed, purchaseReturn } = state;
  if (!observed || !purchaseReturn) return [];
  const { subscriptionId } = observed;
  const { reason: cause } = purchaseReturn;
  const wanted: readonly StripeRequest[] = [
    ...returnedPayments(state, purchaseReturn)
      .filter((payment) => !isFullyRefunded(state, payment))
      .map(({ invoiceId }) => ({ kind: 'refund', invoiceId, cause }) as const),
    ...(isFinal(observed) ? [] : [{ kind: 'end-now', cause } as const]),
  ];
  return wanted
    .filter((request) => !isRequested(state, request))
    .map((request) => {
      const what = request.kind === 'refund' ? request.invoiceId : request.kind;
      return requestEvent(state, derivedId('return', subscriptionId, what), request);
    });
};

const hasArrived = (state: Subscription, payment: PaidInvoice): boolean => {
  const refunds = Object.fromEntries(
    Object.entries(state.refunds).filter(([, { status }]) => status === 'succeeded'),
  );
  return isFullyRefunded({ ...state, refunds }, payment);
};

/** Once, when the subscription has ended and all that was to go back has gone back. */
export const returnCompleted = (state: Subscription): readonly SubscriptionEvent[] => {
  const { observed, purchaseReturn } = state;
  if (!observed || !purchaseReturn || purchaseReturn.isCompleted || !isFinal(observed)) return [];
  const payments = returnedPayments(state, purchaseReturn);
  if (!payments.every((payment) => hasArrived(state, payment))) return [];
  const { reason, intentId, accountId } = purchaseReturn;
  const amount = payments.reduce((sum, payment) => sum + refundedAmount(state, payment), 0);
  const { subscriptionId, currency } = observed;
  return [
    {
      type: 'PurchaseReturnCompleted',
      data: { subscriptionId, intentId, accountId, reason, amount, currency },
    },
  ];
};
