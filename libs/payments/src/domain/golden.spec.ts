import { goldenEvents } from '@tapedeck/eventing/testing';
import { accountId } from '@tapedeck/kernel';
import { paymentEvents } from '../events.ts';
import type { BuyerEvent } from './buyer.ts';
import type { CheckoutEvent } from './checkout.ts';
import type { ClaimEvent } from './claim.ts';
import type { IntroPriceEvent } from './intro-price.ts';
import { priceSubject, type PriceChangeEvent } from './price-change.ts';
import type { SubscriptionEvent } from './subscription-events.ts';

type PaymentEvent =
  | CheckoutEvent
  | SubscriptionEvent
  | ClaimEvent
  | IntroPriceEvent
  | BuyerEvent
  | PriceChangeEvent;
type Samples = {
  readonly [Type in PaymentEvent['type']]: Extract<PaymentEvent, { type: Type }>['data'];
};

const ann = accountId('0e0d6a2e-8f0c-5d8e-9a53-3f1d6d1f3a10');
const bob = accountId('1f1d6a2e-8f0c-5d8e-9a53-3f1d6d1f3a11');
const intentId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const subscriptionId = 'sub_1MowQVLkdIwHu7ix';
const sessionId = 'cs_test_a11YYufWQzNY63zpQ6QSNRQh';
const customerId = 'cus_Na6dX7aXxi11N4';
const invoiceId = 'in_1MtHbELkdIwHu7ix';
const chargeId = 'ch_3MtHbELkdIwHu7ix';
const pro = { tier: 'Pro', period: 'monthly' } as const;
const elite = { tier: 'Elite', period: 'monthly' } as const;
const personalSubject = `subscription:${subscriptionId}`;
const requestId = '2b1e6679-7425-40de-944b-e07fc1f90ae7';
const claimId = '3b1e6679-7425-40de-944b-e07fc1f90ae7';
const first = '2026-11-22T10:00:00.000Z';
const second = '2026-12-22T10:00:00.000Z';
const finding = { kind: 'money-without-access', amount: 999, currency: 'usd' } as const;

goldenEvents(new URL('golden/', import.meta.url), paymentEvents, {
  CheckoutStarted: {
    intentId,
    accountId: null,
    email: 'ann@example.com',
    emailHash: 'b4c9a289',
    ...pro,
    intro: true,
    claimSecretHash: '9f86d081',
    personalSubject: `checkout:${intentId}`,
  },
  CheckoutSessionOpened: { intentId, sessionId, expiresAt: second },
  CheckoutPaid: { intentId, sessionId, subscriptionId, customerId, paidAt: first },
  CheckoutRefused: { intentId, sessionId, subscriptionId, reason: 'other-price' },
  CheckoutExpired: { intentId, sessionId },
  BuyerCheckoutOpened: { buyerId: ann, intentId },
  BuyerCheckoutClosed: { buyerId: ann, intentId },
  IntroPriceReserved: { personHash: 'b4c9a289', intentId, until: second },
  IntroPriceReleased: { personHash: 'b4c9a289', intentId },
  IntroPriceUsed: { personHash: 'b4c9a289', intentId },
  SubscriptionObserved: {
    subscriptionId,
    customerId,
    intentId,
    status: 'active',
    priceId: 'price_pro_monthly',
    plan: pro,
    amount: 999,
    currency: 'usd',
    startedAt: first,
    periodStart: first,
    periodEnd: second,
    cancelAtPeriodEnd: false,
    cancelAt: null,
    endedAt: null,
    latestInvoiceId: invoiceId,
    scheduledPlan: null,
    pendingPlan: { ...elite, expiresAt: second },
    card: { brand: 'visa', last4: '4242', expMonth: 8, expYear: 2030 },
    observedAt: first,
    apiVersion: '2026-10-28.endive',
    personalSubject,
  },
  PaymentRecorded: {
    subscriptionId,
    invoiceId,
    amountPaid: 499,
    currency: 'usd',
    reason: 'subscription_create',
    plan: pro,
    periodStart: first,
    periodEnd: second,
    chargeId,
    paymentIntentId: 'pi_1Gszvd2eZvKYlo2C',
    paidAt: first,
  },
  PaymentFailed: {
    subscriptionId,
    invoiceId: 'in_2MtHbELkdIwHu7ix',
    attempt: 1,
    nextAttemptAt: '2026-12-24T10:00:00.000Z',
    needsAction: false,
    failedAt: second,
  },
  InvoiceVoided: { subscriptionId, invoiceId, voidedAt: second },
  RefundRecorded: {
    subscriptionId,
    refundId: 're_1Nispe2eZvKYlo2C',
    invoiceId,
    chargeId,
    amount: 499,
    currency: 'usd',
    status: 'succeeded',
    refundedAt: first,
  },
  DisputeOpened: {
    subscriptionId,
    disputeId: 'dp_1MtJUT2eZvKYlo2C',
    chargeId,
    amount: 499,
    currency: 'usd',
    reason: 'fraudulent',
    evidenceDueBy: second,
    openedAt: first,
  },
  DisputeClosed: { subscriptionId, disputeId: 'dp_1MtJUT2eZvKYlo2C', outcome: 'won', closedAt: second },
  PaymentClaimed: { subscriptionId, intentId, accountId: ann, proof: 'mailbox' },
  PaymentTransferred: {
    subscriptionId,
    intentId,
    fromAccountId: ann,
    fromEmailHash: 'b4c9a289',
    toAccountId: bob,
    proof: 'mailbox',
  },
  PurchaseUnclaimed: {
    subscriptionId,
    intentId,
    plan: pro,
    paidAt: first,
    remindAt: [{ day: 1, at: '2026-11-23T10:00:00.000Z' }],
    refundAt: second,
  },
  ClaimReminderDue: { subscriptionId, intentId, plan: pro, day: 1, refundAt: second },
  RenewalNoticeDue: { subscriptionId, invoiceId, days: 30, renewsAt: second },
  CardNoticeDue: { subscriptionId, expiresAt: second },
  ClaimPeriodEnded: { subscriptionId, intentId, reason: 'refunded' },
  BuyerForgotten: { subscriptionId, customerId, intentId },
  PurchaseReturnBegun: {
    subscriptionId,
    intentId,
    accountId: ann,
    reason: 'account-closed',
    keeps: [invoiceId],
    begunAt: second,
  },
  PurchaseReturnCompleted: {
    subscriptionId,
    intentId,
    accountId: null,
    reason: 'other-price',
    amount: 999,
    currency: 'usd',
  },
  StripeWriteRequested: {
    subscriptionId,
    requestId,
    write: { kind: 'cancel', reason: 'unused' },
    comment: 'I trade by hand now.',
    personalSubject,
  },
  StripeWriteCompleted: { subscriptionId, requestId, kind: 'cancel' },
  StripeWriteRefused: { subscriptionId, requestId, kind: 'upgrade', code: 'card_declined', fixUrl: null },
  MoneyFindingOpened: { subscriptionId, accountId: ann, ...finding, foundAt: second },
  MoneyFindingClosed: { subscriptionId, kind: 'money-without-access' },
  MoneyFindingAccepted: { subscriptionId, ...finding, reason: 'Agreed with the member.', personalSubject },
  StripeWriteAbandoned: {
    subscriptionId,
    requestId,
    kind: 'refund',
    reason: 'The bank has given the money back itself.',
    personalSubject,
  },
  StripeWriteAbandonProposed: {
    subscriptionId,
    requestId,
    kind: 'refund',
    reason: 'Paid to the account that she named.',
    personalSubject,
    by: bob,
  },
  MoneyActionTaken: {
    subscriptionId,
    actionId: requestId,
    accountId: ann,
    action: { kind: 'end', refund: 'unused' },
    refunds: [{ invoiceId, amount: 250 }],
    currency: 'usd',
    stake: 250,
    by: bob,
    takenAt: first,
    approvedBy: null,
    approvalReason: null,
    reason: 'She cannot use it.',
    personalSubject,
  },
  MoneyActionProposed: {
    subscriptionId,
    proposalId: requestId,
    accountId: ann,
    action: { kind: 'refund', invoiceId, amount: 499 },
    refunds: [{ invoiceId, amount: 499 }],
    currency: 'usd',
    stake: 499,
    by: bob,
    proposedAt: first,
    expiresAt: '2026-11-29T10:00:00.000Z',
    reason: 'Charged by mistake.',
    personalSubject,
  },
  MoneyActionRejected: {
    subscriptionId,
    accountId: ann,
    proposalId: requestId,
    by: bob,
    isWithdrawn: true,
    reason: 'She keeps it.',
    personalSubject,
  },
  MoneyActionExpired: { subscriptionId, accountId: ann, proposalId: requestId },
  PriceChangeAnnounced: {
    announcementId: requestId,
    plan: pro,
    amount: 1499,
    currency: 'usd',
    from: '2027-03-01T00:00:00.000Z',
    noticeDays: 30,
    formerAmounts: [{ amount: 999, currency: 'usd', subscriptions: 12 }],
    by: bob,
    announcedAt: second,
    reason: 'The data of the exchange costs more.',
    personalSubject: priceSubject(requestId),
  },
  PriceChangeWithdrawn: {
    announcementId: requestId,
    plan: pro,
    by: bob,
    withdrawnAt: second,
    reason: 'The exchange has changed its mind.',
    personalSubject: priceSubject(requestId),
  },
  PriceNoticeGiven: {
    subscriptionId,
    accountId: ann,
    announcementId: requestId,
    announcedAt: second,
    plan: pro,
    fromAmount: 999,
    toAmount: 1499,
    currency: 'usd',
    renewsAt: '2027-03-22T10:00:00.000Z',
    givenAt: second,
  },
  PriceNoticeWithdrawn: { subscriptionId, accountId: ann, announcementId: requestId, withdrawnAt: second },
  AnnouncedPriceDue: { subscriptionId, announcementId: requestId },
  DriftDetected: { subscriptionId, fields: ['status'], detectedAt: second },
  EntitlementChanged: {
    accountId: ann,
    subscriptionId,
    intentId,
    phase: 'active',
    stripeStatus: 'active',
    ...pro,
    paidUntil: second,
    pastDueSince: null,
    nextAttemptAt: null,
    endsAt: null,
    endReason: null,
    endedAt: null,
    scheduledPlan: null,
    isDisputed: false,
  },
  ClaimCodeRequested: {
    accountId: ann,
    claimId,
    email: 'ann@example.com',
    emailHash: 'b4c9a289',
    codeHash: '2c26b46b',
    code: '482913',
    expiresAt: '2026-11-22T10:30:00.000Z',
  },
  ClaimCodeFailed: { accountId: ann, claimId, attempt: 1 },
  MailboxProved: { accountId: ann, claimId, emailHash: 'b4c9a289', until: '2026-11-22T11:00:00.000Z' },
} satisfies Samples);
