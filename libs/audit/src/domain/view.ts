import { accessAt, featuresOf, type Access, type Membership } from '@tapedeck/membership/rules';
import { termsOf as computeWorth, type Subscription } from '@tapedeck/payments/rules';
import type { ChangedField, MembershipView } from './membership-view.ts';
import { explainedMembership } from './answer.ts';
import { subscriptionAfter } from './facts.ts';
import {
  eventsUntil,
  membershipEventsOf,
  subscriptionEventsOf,
  type HistoryOptions,
  type MemberHistory,
} from './history.ts';
import { remember } from './remember.ts';

/** It sorts all payments. */
const termsOf = remember(computeWorth);

export type Subscriptions = ReadonlyMap<string, Subscription>;

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

const countsAsRefund: readonly string[] = ['pending', 'succeeded'];

const money = (owned: readonly Subscription[]): Pick<MembershipView, 'paid' | 'refunded'> => ({
  paid: sum(owned.flatMap(({ payments }) => Object.values(payments).map(({ amountPaid }) => amountPaid))),
  refunded: sum(
    owned.flatMap(({ refunds }) =>
      Object.values(refunds)
        .filter(({ status }) => countsAsRefund.includes(status))
        .map(({ amount }) => amount),
    ),
  ),
});

type Charge = Pick<MembershipView, 'nextChargeAt' | 'nextChargeAmount' | 'currency'>;

const nextCharge = ({ status, subscription }: Access, state: Subscription | undefined): Charge => {
  const observed = state?.observed ?? null;
  const renews = (status === 'active' || status === 'grace') && subscription?.endsAt === null;
  if (!state || !observed || !renews) {
    return { nextChargeAt: null, nextChargeAmount: null, currency: observed?.currency ?? null };
  }
  const terms = termsOf(state);
  const at = terms?.phase === 'past-due' ? terms.nextAttemptAt : observed.periodEnd;
  return {
    nextChargeAt: at,
    nextChargeAmount: at === null ? null : observed.amount,
    currency: observed.currency,
  };
};

const planText = (plan: Readonly<{ tier: string; period: string }> | null | undefined): string | null =>
  plan ? `${plan.tier} ${plan.period}` : null;

const scheduledText = (state: Subscription | undefined): string | null => {
  const plan = state?.observed?.scheduledPlan;
  return plan ? `${plan.tier} ${plan.period} from ${plan.at}` : null;
};

const sourceText = ({ source }: Access): string | null => {
  if (!source) return null;
  return source.kind === 'subscription' ? source.subscriptionId : `grant ${source.grantId}`;
};

const grantView = (
  { grants }: Membership,
  at: string,
): Pick<MembershipView, 'complimentary' | 'complimentaryUntil'> => {
  const { status, tier, until } = accessAt({ subscriptions: [], grants, endedGrants: [] }, at);
  return status === 'complimentary'
    ? { complimentary: tier, complimentaryUntil: until }
    : { complimentary: null, complimentaryUntil: null };
};

/** What the membership and the subscriptions say of an instant. */
export const viewOf = (
  membership: Membership,
  subscriptions: Subscriptions,
  at: string,
  { accountId, mode }: HistoryOptions,
): MembershipView => {
  const access = accessAt(membership, at);
  const { subscription } = access;
  const state = subscription ? subscriptions.get(subscription.subscriptionId) : undefined;
  const owned = [...subscriptions.values()].filter(({ owner }) => owner?.accountId === accountId);
  return {
    tier: access.tier,
    status: access.status,
    hasAccess: access.hasAccess,
    accessUntil: access.until,
    source: sourceText(access),
    features: [...featuresOf(access.tier, mode)],
    subscriptionId: subscription?.subscriptionId ?? null,
    stripeStatus: state?.observed?.status ?? null,
    plan: planText(state?.observed?.plan),
    paidUntil: (state && termsOf(state)?.paidUntil) ?? null,
    graceUntil: access.status === 'grace' ? (subscription?.graceUntil ?? null) : null,
    endsAt: access.hasAccess ? (subscription?.endsAt ?? null) : null,
    ...nextCharge(access, state),
    scheduledPlan: scheduledText(state),
    ...grantView(membership, at),
    isDisputed: owned.some(({ disputes }) => Object.values(disputes).some(({ outcome }) => outcome === null)),
    ...money(owned),
  };
};

/** As it was known at an instant: from what was recorded by then. */
export const viewAt = (history: MemberHistory, at: string): MembershipView => {
  const events = eventsUntil(history, at);
  const { membership } = explainedMembership(membershipEventsOf(events));
  const subscriptions = new Map(
    [...subscriptionEventsOf(events)].map(([id, own]) => [id, subscriptionAfter(own)] as const),
  );
  return viewOf(membership, subscriptions, at, history.options);
};

/** The fields in which two views differ. */
export const changedFields = (before: MembershipView, after: MembershipView): readonly ChangedField[] =>
  (Object.keys(after) as readonly (keyof MembershipView)[])
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({ field, before: before[field], after: after[field] }));
