import type { DomainEvent, Personal } from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';
import type { BillingPeriod, PaidTier } from '@tapedeck/plans/contract';

/** The server's own random id of one intention to buy; a checkout session and a subscription carry it. */
export type IntentId = string;

export type CheckoutStarted = DomainEvent<
  'CheckoutStarted',
  {
    intentId: IntentId;
    /** Who pays while signed in; null for a purchase by e-mail, which grants nothing until it is claimed. */
    accountId: AccountId | null;
    email: Personal<string>;
    /** Keyed hash of the folded e-mail address: the same address has the same hash, also once it is forgotten. */
    emailHash: string;
    tier: PaidTier;
    period: BillingPeriod;
    /** Whether the first month has the introductory price (docs/product-decisions.md#introductory-price). */
    intro: boolean;
    /** SHA-256 of the claim secret in the buyer's browser; null while signed in. */
    claimSecretHash: string | null;
    /** The key of the personal fields: the account, or the intent for a purchase by e-mail. */
    personalSubject: string;
  }
>;

export type CheckoutSessionOpened = DomainEvent<
  'CheckoutSessionOpened',
  { intentId: IntentId; sessionId: string; expiresAt: string }
>;

/** The session is complete and its subscription is known. Whether it is paid, the subscription's events say. */
export type CheckoutPaid = DomainEvent<
  'CheckoutPaid',
  { intentId: IntentId; sessionId: string; subscriptionId: string; customerId: string; paidAt: string }
>;

/** The session was paid, but not for the plan of the intent: it grants nothing, support decides. */
export type CheckoutRefused = DomainEvent<
  'CheckoutRefused',
  { intentId: IntentId; sessionId: string; subscriptionId: string | null; reason: 'other-price' }
>;

export type CheckoutExpired = DomainEvent<
  'CheckoutExpired',
  { intentId: IntentId; sessionId: string | null }
>;

export type CheckoutEvent =
  CheckoutStarted | CheckoutSessionOpened | CheckoutPaid | CheckoutRefused | CheckoutExpired;
