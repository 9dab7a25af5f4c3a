import type { AccountId } from '@tapedeck/kernel';
import type { StartCheckout } from '../domain/checkout.ts';
import type { Plan } from '@tapedeck/plans/contract';
import type { RecordSubscription } from '../domain/record-subscription.ts';
import type { StripeStatus } from '../domain/subscription-events.ts';
import type { SubscriptionSnapshot } from '@tapedeck/stripe/port';

export const subscriptionId = 'sub_1';
export const intentId = 'intent-1';
export const pro: Plan = { tier: 'Pro', period: 'monthly' };
export const elite: Plan = { tier: 'Elite', period: 'monthly' };

/** Midnight of a day of 2026, such as `day('03-31')`. */
export const day = (monthAndDay: string): string => `2026-${monthAndDay}T00:00:00.000Z`;

export const paidInvoice = (
  invoiceId: string,
  [periodStart, periodEnd]: readonly [string, string],
  given: Partial<SubscriptionSnapshot['payments'][number]> = {},
): SubscriptionSnapshot['payments'][number] => ({
  invoiceId,
  amountPaid: 999,
  currency: 'usd',
  reason: 'subscription_cycle',
  plan: pro,
  periodStart,
  periodEnd,
  chargeId: `ch_${invoiceId}`,
  paymentIntentId: `pi_${invoiceId}`,
  paidAt: periodStart,
  ...given,
});

export const refundOf = (
  invoiceId: string,
  status: SubscriptionSnapshot['refunds'][number]['status'],
  amount = 999,
): SubscriptionSnapshot['refunds'][number] => ({
  refundId: `re_${invoiceId}_${amount}`,
  invoiceId,
  chargeId: `ch_${invoiceId}`,
  amount,
  currency: 'usd',
  status,
  refundedAt: day('01-20'),
});

export const failure = (
  invoiceId: string,
  attempt: number,
  nextAttemptAt: string | null,
): SubscriptionSnapshot['failures'][number] => ({
  invoiceId,
  attempt,
  nextAttemptAt,
  needsAction: false,
  failedAt: day('02-01'),
});

export const openedDispute = (disputeId: string): SubscriptionSnapshot['disputes'][number] => ({
  disputeId,
  chargeId: 'ch_in_1',
  amount: 999,
  currency: 'usd',
  reason: 'fraudulent',
  evidenceDueBy: null,
  openedAt: day('01-10'),
});

export const january = [day('01-01'), day('02-01')] as const;
export const february = [day('02-01'), day('03-01')] as const;

/** A monthly Pro subscription in its first month, paid, as Stripe answers on January 1. */
export const snapshot = (
  status: StripeStatus = 'active',
  given: Partial<SubscriptionSnapshot['subscription']> = {},
  money: Partial<Omit<SubscriptionSnapshot, 'subscription'>> = {},
): SubscriptionSnapshot => ({
  subscriptionId,
  subscription: {
    customerId: 'cus_1',
    intentId,
    status,
    priceId: 'price_pro_monthly',
    plan: pro,
    amount: 999,
    currency: 'usd',
    startedAt: day('01-01'),
    periodStart: january[0],
    periodEnd: january[1],
    cancelAtPeriodEnd: false,
    cancelAt: null,
    endedAt: null,
    latestInvoiceId: 'in_1',
    scheduledPlan: null,
    pendingPlan: null,
    card: { brand: 'visa', last4: '4242', expMonth: 4, expYear: 2030 },
    observedAt: day('01-01'),
    apiVersion: '2026-10-28.endive',
    ...given,
  },
  payments: [paidInvoice('in_1', january, { reason: 'subscription_create' })],
  failures: [],
  voided: [],
  refunds: [],
  disputes: [],
  closedDisputes: [],
  ...money,
});

export const record = (
  read: SubscriptionSnapshot,
  buyer: RecordSubscription['buyer'] = null,
  given: Partial<RecordSubscription> = {},
): RecordSubscription => ({
  type: 'RecordSubscription',
  snapshot: read,
  buyer,
  isSweep: false,
  unclaimedRefundDays: 30,
  ...given,
});

/** A checkout of the monthly Pro plan by a signed-in account. */
export const startCheckoutOf = (accountId: AccountId, intent: string, email: string): StartCheckout => ({
  type: 'StartCheckout',
  checkout: {
    intentId: intent,
    accountId,
    email,
    emailHash: `hash of ${email}`,
    ...pro,
    intro: false,
    claimSecretHash: null,
    personalSubject: accountId,
  },
});
