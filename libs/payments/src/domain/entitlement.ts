import { isSamePlan, rankOf, type Plan } from '@tapedeck/plans/contract';
import type { Entitlement } from './subscription-events.ts';
import type { Failure, ObservedSnapshot, PaidInvoice, Subscription } from './subscription.ts';

/** A refund that is under way counts; one that has failed does not. */
const countsAsRefund: readonly string[] = ['pending', 'succeeded'];

export const refundedAmount = (
  { refunds }: Pick<Subscription, 'refunds'>,
  { invoiceId, chargeId }: Pick<PaidInvoice, 'invoiceId' | 'chargeId'>,
): number =>
  Object.values(refunds)
    .filter(({ status }) => countsAsRefund.includes(status))
    .filter((refund) =>
      refund.invoiceId === null
        ? refund.chargeId !== null && refund.chargeId === chargeId
        : refund.invoiceId === invoiceId,
    )
    .reduce((sum, { amount }) => sum + amount, 0);

export const isFullyRefunded = (state: Subscription, payment: PaidInvoice): boolean =>
  payment.amountPaid > 0 && refundedAmount(state, payment) >= payment.amountPaid;

/** The bank has taken all of the payment for good, by a dispute: nothing of it can be given back any more. */
export const isTakenByBank = (
  { disputes }: Pick<Subscription, 'disputes'>,
  { invoiceId, chargeId }: Pick<PaidInvoice, 'invoiceId' | 'chargeId'>,
): boolean =>
  Object.values(disputes).some(
    (dispute) =>
      dispute.outcome === 'lost' &&
      (dispute.invoiceId === null
        ? dispute.chargeId !== null && dispute.chargeId === chargeId
        : dispute.invoiceId === invoiceId),
  );

const maxText = (texts: readonly string[]): string | null =>
  texts.reduce<string | null>((max, text) => (max === null || text > max ? text : max), null);

/** The newest payment first; the order does not depend on when the payments became known. */
export const paymentsOf = ({ payments }: Subscription): readonly PaidInvoice[] =>
  Object.values(payments)
    .map((payment) => [`${payment.periodEnd} ${payment.paidAt} ${payment.invoiceId}`, payment] as const)
    .sort(([one], [other]) => (one < other ? 1 : -1))
    .map(([, payment]) => payment);

/** A later payment may be for a shorter period. */
export const firstPaymentOf = (state: Subscription): PaidInvoice | undefined =>
  paymentsOf(state).reduce<PaidInvoice | undefined>(
    (first, payment) => (first && first.paidAt < payment.paidAt ? first : payment),
    undefined,
  );

/** The plan that was paid first; before a payment that of the snapshot. */
const boughtPlanOf = (state: Subscription): Plan | null => {
  const first = firstPaymentOf(state);
  return first ? first.plan : (state.observed?.plan ?? null);
};

/** A tampered plan grants nothing. */
export const isBoughtPlan = (state: Subscription, plan: Plan): boolean => {
  const bought = boughtPlanOf(state);
  return bought !== null && isSamePlan(bought, plan);
};

/**
 * The plan of the payment among some whose time begins last; a payment for an unknown price says nothing. A renewal may be
 * charged an hour after its period has begun, and so after an upgrade within it.
 */
const newestPlanOf = (payments: readonly PaidInvoice[]): Plan | null => {
  const paid = payments.flatMap(({ plan, periodStart, paidAt }) =>
    plan ? [{ plan, since: `${periodStart} ${paidAt}` }] : [],
  );
  // Stripe's times are whole seconds.
  const newest = maxText(paid.map(({ since }) => since));
  const ofNewest = paid.filter(({ since }) => since === newest).map(({ plan }) => plan);
  return ofNewest.sort((a, b) => rankOf(b.tier) - rankOf(a.tier))[0] ?? null;
};

/** What is subscribed. At a price that is not known any more it is the plan that was paid last: Stripe goes on charging it. */
export const subscribedPlanOf = (state: Subscription): Plan | null =>
  state.observed?.plan ?? newestPlanOf(paymentsOf(state));

/** The plan that access is for: neither more than what is subscribed, nor more than what was paid last and not refunded. */
const accessPlanOf = (state: Subscription): Plan | null => {
  const subscribed = subscribedPlanOf(state);
  const paid = newestPlanOf(paymentsOf(state).filter((payment) => !isFullyRefunded(state, payment)));
  if (!subscribed || !paid) return subscribed;
  return rankOf(paid.tier) < rankOf(subscribed.tier) ? paid : subscribed;
};

type Status = Pick<Entitlement, 'phase' | 'endReason' | 'endedAt'> & Readonly<{ endsAt?: string | null }>;

const inPhase = (phase: Entitlement['phase']): Status => ({ phase, endReason: null, endedAt: null });
const ended = (endReason: Entitlement['endReason'], endedAt: string | null): Status => ({
  phase: 'ended',
  endReason,
  endedAt,
});

/** The refund after which nothing of the newest period is paid; undefined when it is paid. */
export const refundedPeriodOf = (
  state: Subscription,
): Readonly<{ invoiceId: string; at: string; isFinal: boolean }> | undefined => {
  const payments = paymentsOf(state);
  const [newest] = payments;
  const isPaid = payments.some(
    (payment) => payment.periodEnd === newest?.periodEnd && !isFullyRefunded(state, payment),
  );
  if (!newest || isPaid) return undefined;
  const refunds = Object.values(state.refunds).filter(({ status }) => countsAsRefund.includes(status));
  return {
    invoiceId: newest.invoiceId,
    at: maxText(refunds.map(({ refundedAt }) => refundedAt)) ?? newest.paidAt,
    isFinal: refunds.every(({ status }) => status === 'succeeded'),
  };
};

export const lostDisputeOf = ({
  disputes,
}: Subscription): Readonly<{ disputeId: string; closedAt: string | null }> | undefined => {
  const lost = Object.entries(disputes).filter(([, { outcome }]) => outcome === 'lost');
  const [first] = lost.sort(([a], [b]) => (a < b ? -1 : 1));
  return first && { disputeId: first[0], closedAt: first[1].closedAt };
};

/** The bank decides about the money of a disputed payment. Which payment it is may not be known. */
export const isDisputedPayment = ({ disputes }: Subscription, { chargeId }: PaidInvoice): boolean =>
  Object.values(disputes).some(
    (dispute) =>
      (dispute.outcome === null || dispute.outcome === 'lost') &&
      (chargeId === null || dispute.chargeId === null || dispute.chargeId === chargeId),
  );

/** Nothing of the purchase is kept: its access ends with the decision. */
const returnedAll = ({ purchaseReturn }: Subscription): Status | undefined =>
  purchaseReturn && purchaseReturn.keeps.length === 0
    ? ended(purchaseReturn.reason, purchaseReturn.begunAt)
    : undefined;

const hasRequested = ({ requests }: Subscription, cause: 'unclaimed' | 'account-closed'): boolean =>
  Object.values(requests).some(
    ({ write, outcome }) => write.kind === 'end-now' && write.cause === cause && outcome !== 'refused',
  );

/** Attempts whose invoice is neither paid nor voided. */
export const openFailures = ({ failures, payments, voided }: Subscription): readonly Failure[] =>
  Object.values(failures).filter(
    ({ invoiceId }) => payments[invoiceId] === undefined && voided[invoiceId] === undefined,
  );

/** It was ended because its payment went back, which it then did not: the period remains paid. */
const wasEndedInVain = (state: Subscription): boolean => {
  const [newest] = paymentsOf(state);
  const endedBecause = (cause: 'refund' | 'dispute-lost'): boolean =>
    Object.values(state.requests).some(({ write }) => write.kind === 'end-now' && write.cause === cause);
  const hasFailedRefund = Object.values(state.refunds).some(
    ({ status, invoiceId, chargeId }) =>
      status === 'failed' &&
      (invoiceId === null ? chargeId === newest?.chargeId : invoiceId === newest?.invoiceId),
  );
  const hasWonAppeal = Object.values(state.disputes).some(({ outcome }) => outcome === 'won');
  return (endedBecause('refund') && hasFailedRefund) || (endedBecause('dispute-lost') && hasWonAppeal);
};

const statusOfCanceled = (
  state: Subscription,
  { endedAt }: ObservedSnapshot,
  paidUntil: string | null,
): Status => {
  if (hasRequested(state, 'unclaimed')) return ended('unclaimed', endedAt);
  if (hasRequested(state, 'account-closed')) return ended('account-closed', endedAt);
  if (wasEndedInVain(state) && paidUntil !== null && endedAt !== null && paidUntil > endedAt) {
    return { ...inPhase('active'), endsAt: paidUntil };
  }
  return ended(openFailures(state).length > 0 ? 'unpaid' : 'canceled', endedAt);
};

const statusOf = (state: Subscription, observed: ObservedSnapshot, paidUntil: string | null): Status => {
  const lost = lostDisputeOf(state);
  if (lost) return ended('dispute-lost', lost.closedAt);
  const returned = returnedAll(state);
  if (returned) return returned;
  if (observed.status === 'incomplete_expired') return inPhase('abandoned');
  const refunded = refundedPeriodOf(state);
  if (refunded) {
    return ended(hasRequested(state, 'unclaimed') ? 'unclaimed' : 'refunded', refunded.at);
  }
  if (observed.status === 'canceled') return statusOfCanceled(state, observed, paidUntil);
  if (subscribedPlanOf(state) === null) return ended('other-price', null);
  if (paidUntil === null || observed.status === 'incomplete') return inPhase('pending');
  switch (observed.status) {
    case 'trialing':
    case 'active':
      return inPhase('active');
    case 'past_due':
      return inPhase('past-due');
    case 'unpaid':
    case 'paused':
      return inPhase('suspended');
    default:
      return observed.status satisfies never;
  }
};

/** Of the attempts whose invoice is neither paid nor voided. */
export const newestFailure = (state: Subscription): Failure | undefined =>
  [...openFailures(state)].sort((a, b) => b.attempt - a.attempt || (a.failedAt < b.failedAt ? 1 : -1))[0];

const nextAttemptOf = (state: Subscription): string | null => newestFailure(state)?.nextAttemptAt ?? null;

const scheduledEndOf = ({ cancelAt, cancelAtPeriodEnd, periodEnd }: ObservedSnapshot): string | null =>
  cancelAt ?? (cancelAtPeriodEnd ? periodEnd : null);

/**
 * The terms of the entitlement by a subscription, without its owner; undefined before the first snapshot. They depend on
 * what is recorded, not on the order in which it was recorded.
 */
export const termsOf = (state: Subscription): Omit<Entitlement, 'accountId' | 'intentId'> | undefined => {
  const { observed } = state;
  if (!observed) return undefined;
  const paid = paymentsOf(state).filter((payment) => !isFullyRefunded(state, payment));
  const paidUntil = paid[0]?.periodEnd ?? null;
  const { phase, endReason, endedAt, endsAt } = statusOf(state, observed, paidUntil);
  const plan = accessPlanOf(state);
  const isOver = phase === 'ended' || phase === 'abandoned';
  return {
    subscriptionId: observed.subscriptionId,
    phase,
    stripeStatus: observed.status,
    tier: plan?.tier ?? null,
    period: plan?.period ?? null,
    paidUntil,
    pastDueSince: phase === 'past-due' ? paidUntil : null,
    nextAttemptAt: phase === 'past-due' ? nextAttemptOf(state) : null,
    endsAt: isOver ? null : (endsAt ?? scheduledEndOf(observed)),
    endReason,
    endedAt,
    scheduledPlan: isOver ? null : observed.scheduledPlan,
    isDisputed: Object.values(state.disputes).some(({ outcome }) => outcome === null),
  };
};

/** Whether the present period is paid. Otherwise Stripe may still charge it, also after a cancellation. */
export const isPeriodPaid = (state: Subscription): boolean => {
  const paidUntil = termsOf(state)?.paidUntil ?? null;
  return paidUntil !== null && paidUntil >= (state.observed?.periodEnd ?? '');
};

/** It is paid, renews, and none of it goes back. */
export const goesOn = (state: Subscription): boolean => {
  const terms = termsOf(state);
  return (
    !state.isForgotten && state.purchaseReturn === null && terms?.phase === 'active' && terms.endsAt === null
  );
};

/** The entitlement of the account that owns the subscription; undefined without an owner. */
export const entitlementOf = (state: Subscription): Entitlement | undefined => {
  const terms = termsOf(state);
  if (!terms || !state.owner) return undefined;
  const { accountId, intentId, proof } = state.owner;
  return { accountId, intentId, proof, ...terms };
};
