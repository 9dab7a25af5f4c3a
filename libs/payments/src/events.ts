import { defineEvents } from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';
import type { CheckoutEvent, IntentId } from './domain/checkout-events.ts';
import type { ClaimEvent } from './domain/claim-events.ts';
import type { IntroPriceEvent } from './domain/intro-price-events.ts';
import type { SubscriptionEvent } from './domain/subscription-events.ts';

export type * from './domain/checkout-events.ts';
export type * from './domain/claim-events.ts';
export type * from './domain/intro-price-events.ts';
export type * from './domain/subscription-events.ts';

export const checkoutEvents = defineEvents<CheckoutEvent>({
  CheckoutStarted: { version: 1, personal: ['email'], subject: 'personalSubject' },
  CheckoutSessionOpened: { version: 1 },
  CheckoutPaid: { version: 1 },
  CheckoutRefused: { version: 1 },
  CheckoutExpired: { version: 1 },
});

export const subscriptionEvents = defineEvents<SubscriptionEvent>({
  SubscriptionObserved: { version: 1, personal: ['card'], subject: 'personalSubject' },
  PaymentRecorded: { version: 1 },
  PaymentFailed: { version: 1 },
  RefundRecorded: { version: 1 },
  DisputeOpened: { version: 1 },
  DisputeClosed: { version: 1 },
  PaymentClaimed: { version: 1 },
  PaymentTransferred: { version: 1 },
  PurchaseUnclaimed: { version: 1 },
  ClaimReminderDue: { version: 1 },
  ClaimPeriodEnded: { version: 1 },
  BuyerForgotten: { version: 1 },
  StripeWriteRequested: { version: 1, personal: ['comment'], subject: 'personalSubject' },
  StripeWriteCompleted: { version: 1 },
  StripeWriteRefused: { version: 1 },
  DriftDetected: { version: 1 },
  EntitlementChanged: { version: 1 },
});

export const claimEvents = defineEvents<ClaimEvent>({
  ClaimCodeRequested: { version: 1, personal: ['email', 'code'], subject: 'accountId' },
  ClaimCodeFailed: { version: 1 },
  MailboxProved: { version: 1 },
});

export const introPriceEvents = defineEvents<IntroPriceEvent>({
  IntroPriceReserved: { version: 1 },
  IntroPriceReleased: { version: 1 },
  IntroPriceUsed: { version: 1 },
});

export const paymentEvents = {
  ...checkoutEvents,
  ...subscriptionEvents,
  ...claimEvents,
  ...introPriceEvents,
};

export const checkoutStream = (intentId: IntentId): string => `checkout-${intentId}`;
export const subscriptionStream = (subscriptionId: string): string => `subscription-${subscriptionId}`;
export const claimStream = (accountId: AccountId): string => `claim-${accountId}`;

export const introPriceStream = (personHash: string): string => `introPrice-${personHash}`;

/** The keys of personal data that belong to a purchase: forgetting its owner deletes them too. */
export { subscriptionSubject } from './domain/subscription-subject.ts';
export const intentSubject = (intentId: IntentId): string => `checkout:${intentId}`;
