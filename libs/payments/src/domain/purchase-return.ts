import { derivedId, type AccountId } from '@tapedeck/kernel';
import type { IntentId } from './checkout.ts';
import {
  isDisputedPayment,
  isFullyRefunded,
  isTakenByBank,
  paymentsOf,
  refundedAmount,
} from './entitlement.ts';
import { requestEvent } from './stripe-requests.ts';
import type { ReturnReason, StripeRequest, SubscriptionEvent } from './subscription-events.ts';
import {
  isFinal,
  type PaidInvoice,
  type PurchaseReturn,
  type RecordedRequest,
  type Subscription,
} from './subscription.ts';

/** The account has this purchase twice: this one is given back. */
export type ReturnPurchase = Readonly<{
  type: 'ReturnPurchase';
  reason: Extract<ReturnReason, 'second-purchase'>;
  now: string;
}>;

/** The owner or the payer has deleted the account. `isLate`: before the purchase became known, so that all of it goes back. */
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

/** The card that pays it is removed: it ends with its period, rather than by a renewal that cannot be charged. */
const endedWithPeriod = (state: Subscription, payer: AccountId): readonly SubscriptionEvent[] => {
  const { observed, purchaseReturn } = state;
  if (!observed || purchaseReturn || isFinal(observed)) return [];
  if (observed.cancelAtPeriodEnd || observed.cancelAt !== null) return [];
  const requestId = derivedId('payer has left', observed.subscriptionId, payer);
  return [requestEvent(state, requestId, { kind: 'cancel', reason: null })];
};

/**
 * Nothing of it identifies the person any more, the subscription ends, and what is paid from now on goes back. What was
 * paid before is not. What the account pays for another one ends with its period.
 */
export const closeAccount = (
  { accountId, isLate, now }: CloseAccount,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const { observed, owner, payer, closedAccounts, payments, purchaseReturn } = state;
  const claimant = [owner, payer].find((one) => one?.accountId === accountId);
  if (!observed || !claimant || closedAccounts.includes(accountId)) return [];
  const { subscriptionId, customerId } = observed;
  const { intentId } = claimant;
  const data = { subscriptionId, customerId, intentId, accountId };
  if (owner?.accountId !== accountId) {
    const forgotten = { type: 'BuyerForgotten', data: { ...data, isOwnedByAnother: true } } as const;
    return [forgotten, ...endedWithPeriod(state, accountId)];
  }
  const forgotten = { type: 'BuyerForgotten', data } as const;
  if (purchaseReturn || (isFinal(observed) && !isLate)) return [forgotten];
  const keeps = isLate ? [] : Object.keys(payments);
  return [forgotten, returnBegun(state, { reason: 'account-closed', intentId, accountId, keeps, now })];
};

const isRefundOfAll = (write: StripeRequest, invoiceId: string): boolean =>
  // A part of it is not all of it.
  write.kind === 'refund' && write.invoiceId === invoiceId && write.amount === undefined;

/** A person has paid in another way what the return owed. */
const isSettled = ({ purchaseReturn, requests }: Subscription, { invoiceId }: PaidInvoice): boolean =>
  Object.values(requests).some(
    ({ write, outcome }) =>
      outcome === 'abandoned' &&
      isRefundOfAll(write, invoiceId) &&
      'cause' in write &&
      write.cause === purchaseReturn?.reason,
  );

/** Nothing of the payment is to go back any more, although it did not go back by a refund. */
export const isGone = (state: Subscription, payment: PaidInvoice): boolean =>
  isTakenByBank(state, payment) || isSettled(state, payment);

/** What goes back, whether it has gone back already or not. */
const returnedPayments = (state: Subscription, { keeps }: PurchaseReturn): readonly PaidInvoice[] =>
  paymentsOf(state).filter(
    (payment) => payment.amountPaid > 0 && !keeps.includes(payment.invoiceId) && !isGone(state, payment),
  );

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
  wanted.kind === 'refund' ? isRefundOfAll(write, wanted.invoiceId) : write.kind === wanted.kind;

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

const hasFailedRefund = ({ refunds }: Subscription, { invoiceId, chargeId }: PaidInvoice): boolean =>
  Object.values(refunds).some(
    (refund) =>
      (refund.status === 'failed' || refund.status === 'canceled') &&
      (refund.invoiceId === null ? refund.chargeId === chargeId : refund.invoiceId === invoiceId),
  );

const waits: readonly RecordedRequest['outcome'][] = ['requested', 'refused'];

/**
 * Stripe has accepted to give a payment back, and now it is not on its way: the bank has sent it back, also after the return
 * was completed. What is owed waits for a person.
 */
export const failedReturns = (state: Subscription): readonly SubscriptionEvent[] => {
  const { observed, purchaseReturn } = state;
  if (!observed || !purchaseReturn) return [];
  const owed = returnedPayments(state, purchaseReturn).filter((payment) => !isFullyRefunded(state, payment));
  return owed.flatMap((payment): readonly SubscriptionEvent[] => {
    const requests = Object.entries(state.requests).filter(([, { write }]) =>
      isRefundOfAll(write, payment.invoiceId),
    );
    const newest = requests.findLast(([, { outcome }]) => outcome === 'completed');
    if (!newest || requests.some(([, { outcome }]) => waits.includes(outcome))) return [];
    const [requestId, { write }] = newest;
    const code = hasFailedRefund(state, payment) ? 'refund_failed' : 'NOT_CONFIRMED';
    const refused = { requestId, kind: write.kind, code, fixUrl: null, write };
    return [{ type: 'StripeWriteRefused', data: { subscriptionId: observed.subscriptionId, ...refused } }];
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
