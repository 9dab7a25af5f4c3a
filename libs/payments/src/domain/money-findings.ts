import { DomainError } from '@tapedeck/kernel';
import { isFullyRefunded, paymentsOf, refundedAmount } from './entitlement.ts';
import { failedReturns, isGone } from './purchase-return.ts';
import type { StripeStatus } from '@tapedeck/stripe/port';
import {
  subscriptionSubject,
  type EntitlementEnd,
  type EntitlementPhase,
  type MoneyFinding,
  type SubscriptionEvent,
} from './subscription-events.ts';
import { evolve, type Subscription } from './subscription.ts';

/** One subscription as the ledger, the entitlements and Stripe have it, and whether it waits for somebody already. */
export type SubscriptionBooks = Readonly<{
  currency: string;
  ledger: Readonly<{
    /** Paid for a time to come, and not given back. */
    ahead: number;
    /** The end of the last period that is paid and not given back; null without one. */
    until: string | null;
  }>;
  /** Null without an owner. */
  entitlement: Readonly<{ phase: EntitlementPhase; endReason: EntitlementEnd | null }> | null;
  stripe: Readonly<{ status: StripeStatus; amount: number }>;
  /** The end of the period that Stripe charges. */
  periodEnd: string;
  isQueued: boolean;
}>;

/** Phases that give access, or did until a renewal failed. */
const accessPhases: readonly EntitlementPhase[] = ['active', 'past-due', 'suspended'];

/** Of these Stripe charges again. */
const chargedStatuses: readonly StripeStatus[] = ['active', 'past_due', 'unpaid', 'trialing'];

/** The bank has taken the money, or the owner left it with the account. */
const settledEnds: readonly (EntitlementEnd | null)[] = ['dispute-lost', 'account-closed'];

/** Stripe makes the invoice of a renewal an hour after the period, and tells of it within three days even when it is down. */
const renewalMs = 3 * 86_400_000;

/**
 * The rule behind all queues: no money without access, and no access without money, unless it waits for somebody or has its
 * reason. `now` is ISO 8601 UTC.
 */
export const reconcile = (books: SubscriptionBooks, now: string): MoneyFinding | undefined => {
  const { currency, ledger, entitlement, stripe, periodEnd, isQueued } = books;
  const hasAccess = entitlement !== null && accessPhases.includes(entitlement.phase);
  if (!hasAccess && !isQueued) {
    const isCharged = chargedStatuses.includes(stripe.status);
    const isSettled = settledEnds.includes(entitlement?.endReason ?? null) && entitlement !== null;
    if (isCharged || (ledger.ahead > 0 && !isSettled)) {
      const { ahead, until } = ledger;
      return { kind: 'money-without-access', amount: ahead || stripe.amount, currency, until };
    }
  }
  const isUnpaid = ledger.until === null || Date.parse(ledger.until) + renewalMs < Date.parse(now);
  if (entitlement?.phase === 'active' && isUnpaid)
    return { kind: 'access-without-money', amount: stripe.amount, currency, until: periodEnd };
  return undefined;
};

const waitsForStripeOrPerson = ({ requests, disputes, unclaimed, purchaseReturn }: Subscription): boolean =>
  unclaimed === 'waiting' ||
  purchaseReturn?.isCompleted === false ||
  Object.values(disputes).some(({ outcome }) => outcome === null) ||
  Object.values(requests).some(
    ({ write: { kind }, outcome }) =>
      (kind === 'refund' || kind === 'end-now') && (outcome === 'requested' || outcome === 'refused'),
  );

/** Undefined before anything was read from Stripe. */
export const booksOf = (state: Subscription, now: string): SubscriptionBooks | undefined => {
  const { observed, published, owner } = state;
  if (!observed) return undefined;
  const paid = paymentsOf(state).filter(
    (payment) => !isFullyRefunded(state, payment) && !isGone(state, payment),
  );
  const ahead = paid
    .filter(({ periodEnd }) => periodEnd > now)
    .reduce((sum, payment) => sum + payment.amountPaid - refundedAmount(state, payment), 0);
  return {
    currency: observed.currency,
    ledger: { ahead, until: paid[0]?.periodEnd ?? null },
    entitlement: owner && published ? { phase: published.phase, endReason: published.endReason } : null,
    stripe: { status: observed.status, amount: observed.amount },
    periodEnd: observed.periodEnd,
    isQueued: waitsForStripeOrPerson(state),
  };
};

/** Compares the books of the subscription, and records what is new. */
export type CheckMoney = Readonly<{ type: 'CheckMoney'; now: string }>;

/** A person has looked at what was found, and it is right as it is. */
export type AcceptFinding = Readonly<{
  type: 'AcceptFinding';
  kind: MoneyFinding['kind'];
  reason: string;
}>;

const isSame = (a: MoneyFinding | null | undefined, b: MoneyFinding | null | undefined): boolean =>
  a?.kind === b?.kind && a?.amount === b?.amount;

/** What was accepted is accepted for the time that it was about: each further charge or period is another matter. */
const isAccepted = (found: MoneyFinding, { acceptedFinding: accepted }: Subscription): boolean =>
  accepted?.until !== undefined && accepted.until === found.until && isSame(accepted, found);

const subscriptionIdOf = ({ observed }: Subscription): string => observed?.subscriptionId ?? '';

const findingEvents = (state: Subscription, now: string): readonly SubscriptionEvent[] => {
  const { finding } = state;
  const books = booksOf(state, now);
  if (!books) return [];
  const found = reconcile(books, now);
  const subscriptionId = subscriptionIdOf(state);
  const closed: readonly SubscriptionEvent[] =
    finding && !isSame(finding, found)
      ? [{ type: 'MoneyFindingClosed', data: { subscriptionId, kind: finding.kind } }]
      : [];
  if (!found || isSame(finding, found) || isAccepted(found, state)) return closed;
  const accountId = state.owner?.accountId ?? null;
  const opened = { subscriptionId, accountId, ...found, foundAt: now };
  return [...closed, { type: 'MoneyFindingOpened', data: opened }];
};

/** What a return still owes waits among the refused requests, and is no finding beside that. */
export const checkMoney = ({ now }: CheckMoney, state: Subscription): readonly SubscriptionEvent[] => {
  const owed = failedReturns(state);
  return [...owed, ...findingEvents(owed.reduce(evolve, state), now)];
};

export const acceptFinding = (
  { kind, reason }: AcceptFinding,
  state: Subscription,
): readonly SubscriptionEvent[] => {
  const { finding, acceptedFinding, isForgotten } = state;
  if (finding?.kind !== kind) {
    if (acceptedFinding?.kind === kind) return [];
    throw new DomainError(
      'conflict',
      'FINDING_OVER',
      'This has been solved in the meantime: reload the page.',
    );
  }
  const subscriptionId = subscriptionIdOf(state);
  const personalSubject = subscriptionSubject(subscriptionId);
  const data = { subscriptionId, ...finding, reason: isForgotten ? null : reason, personalSubject };
  return [{ type: 'MoneyFindingAccepted', data }];
};
