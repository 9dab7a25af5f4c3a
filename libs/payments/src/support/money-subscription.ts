import type { AccountId } from '@tapedeck/kernel';
import type { StripePages } from '@tapedeck/stripe/pages';
import { declineText } from '../domain/decline-texts.ts';
import {
  isDisputedPayment,
  openFailures,
  paymentsOf,
  refundedAmount,
  subscribedPlanOf,
  termsOf,
} from '../domain/entitlement.ts';
import { failedAmount } from '../domain/failed-payments.ts';
import { possibleKinds } from '../domain/money-actions/assert-possible.ts';
import { refundableAmount } from '../domain/money-actions/refundable.ts';
import { isTriedUntilDone } from '../domain/stripe-requests.ts';
import { paidForText } from '../domain/payment-purpose.ts';
import type { Failure, PaidInvoice, Subscription } from '../domain/subscription.ts';
import type { MoneyPayment, MoneySubscription } from '../wire/money.ts';

const paymentOf = (state: Subscription, payment: PaidInvoice, pageOf: StripePages): MoneyPayment => {
  const { invoiceId, paidAt, amountPaid, plan, reason } = payment;
  const isDisputed = isDisputedPayment(state, payment);
  return {
    invoiceId,
    stripeUrl: pageOf(invoiceId),
    paidAt,
    amount: amountPaid,
    refunded: refundedAmount(state, payment),
    refundable: isDisputed ? 0 : refundableAmount(state, payment),
    isDisputed,
    text: paidForText(plan, reason),
  };
};

/** Of each open invoice the newest attempt. */
const newestFailures = (state: Subscription): readonly Failure[] => {
  const newest = new Map<string, Failure>();
  for (const failure of openFailures(state)) {
    const known = newest.get(failure.invoiceId);
    if (!known || known.attempt < failure.attempt) newest.set(failure.invoiceId, failure);
  }
  return [...newest.values()];
};

const isTrying = ({ requests }: Subscription, invoiceId: string): boolean =>
  Object.values(requests).some(
    ({ write, outcome }) => write.kind === 'pay' && write.invoiceId === invoiceId && outcome === 'requested',
  );

const openInvoicesOf = (state: Subscription, pageOf: StripePages): MoneySubscription['openInvoices'] =>
  newestFailures(state).map((failure) => {
    const { invoiceId, attempt, failedAt, nextAttemptAt, declineCode = null } = failure;
    return {
      invoiceId,
      stripeUrl: pageOf(invoiceId),
      amount: state.observed && failedAmount(failure, state.observed),
      attempt,
      failedAt,
      nextAttemptAt,
      declineCode,
      reason: declineText(failure, state),
      isTrying: isTrying(state, invoiceId),
    };
  });

/** Under way, or refused and not abandoned. A refused change has changed nothing, and can be begun again. */
const openRequests = ({ requests }: Subscription): MoneySubscription['requests'] =>
  Object.entries(requests)
    .filter(
      ([, { outcome, write }]) =>
        outcome === 'requested' || (outcome === 'refused' && isTriedUntilDone(write)),
    )
    .map(([requestId, { write, refusal, outcome }]) => ({
      requestId,
      kind: write.kind,
      amount:
        write.kind === 'refund' ? (write.amount ?? null) : write.kind === 'pay' ? write.expectedAmount : null,
      code: outcome === 'refused' ? (refusal?.code ?? '') : null,
    }));

/** A subscription as support sees it; nothing before its first snapshot. */
export const moneySubscription = (
  state: Subscription,
  account: AccountId,
  pageOf: StripePages,
): readonly MoneySubscription[] => {
  const { observed } = state;
  const terms = termsOf(state);
  if (!observed || !terms) return [];
  const plan = subscribedPlanOf(state);
  const isOver = terms.phase === 'ended' || terms.phase === 'abandoned';
  return [
    {
      subscriptionId: observed.subscriptionId,
      stripeUrl: pageOf(observed.subscriptionId),
      tier: plan?.tier ?? null,
      period: plan?.period ?? null,
      phase: terms.phase,
      amount: observed.amount,
      currency: observed.currency,
      paidUntil: terms.paidUntil,
      endsAt: terms.endsAt,
      endedAt: terms.endedAt,
      isDisputed: terms.isDisputed,
      isReturned: state.purchaseReturn !== null,
      actions: [...possibleKinds(state, account)],
      payments: paymentsOf(state)
        .filter(({ amountPaid }) => amountPaid > 0)
        .map((payment) => paymentOf(state, payment, pageOf)),
      openInvoices: isOver ? [] : openInvoicesOf(state, pageOf),
      requests: openRequests(state),
    },
  ];
};
