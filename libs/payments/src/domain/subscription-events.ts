import { defineEvents, type DomainEvent, type Personal } from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';
import type { CardSummary, RefundStatus, StripeStatus, SubscriptionSnapshot } from '@tapedeck/stripe/port';
import type { IntentId } from './checkout.ts';
import type { BillingPeriod, PaidTier, Plan } from '@tapedeck/plans/contract';
import { moneyActionEvents, type MoneyActionEvent } from './money-action-events.ts';
import { moneyFindingEvents, type MoneyFindingEvent } from './money-finding-events.ts';
import { priceNoticeEvents, type PriceNoticeEvent } from './price-events.ts';

export type { CardSummary, RefundStatus, StripeStatus };
export type * from './money-action-events.ts';
export type * from './money-finding-events.ts';
export type * from './price-events.ts';

/**
 * A subscription as it was read from Stripe: of two snapshots the one whose request began later holds. Times are ISO 8601
 * UTC, amounts are in minor units.
 */
export type SubscriptionObserved = DomainEvent<
  'SubscriptionObserved',
  {
    subscriptionId: string;
    card: Personal<CardSummary | null>;
    /** `observedAt` of the snapshot before, when that one said something else. */
    replaces?: string;
    /** From when on the card is refused, so that a date can depend on it; absent without a card. */
    cardExpiresAt?: string;
    /** The subscription: its key encrypts the snapshots of this stream too. */
    personalSubject: string;
  } & Omit<SubscriptionSnapshot['subscription'], 'card'>
>;

/** A paid invoice, and what it is for. Access lasts until `periodEnd`. */
export type PaymentRecorded = DomainEvent<
  'PaymentRecorded',
  { subscriptionId: string } & SubscriptionSnapshot['payments'][number]
>;

export type PaymentFailed = DomainEvent<
  'PaymentFailed',
  { subscriptionId: string } & SubscriptionSnapshot['failures'][number]
>;

/** An invoice that was tried in vain is not to be paid any more. */
export type InvoiceVoided = DomainEvent<
  'InvoiceVoided',
  { subscriptionId: string } & SubscriptionSnapshot['voided'][number]
>;

/** One refund in one state; a later state is a further event of the same refund. */
export type RefundRecorded = DomainEvent<
  'RefundRecorded',
  { subscriptionId: string } & SubscriptionSnapshot['refunds'][number]
>;

export type DisputeOpened = DomainEvent<
  'DisputeOpened',
  { subscriptionId: string } & SubscriptionSnapshot['disputes'][number]
>;

export type DisputeClosed = DomainEvent<
  'DisputeClosed',
  { subscriptionId: string } & SubscriptionSnapshot['closedDisputes'][number]
>;

/** How the claimant has proved to be the buyer. */
export type ClaimProof = 'checkout' | 'browser' | 'mailbox' | 'support';

/** The purchase belongs to the account from now on. */
export type PaymentClaimed = DomainEvent<
  'PaymentClaimed',
  { subscriptionId: string; intentId: IntentId; accountId: AccountId; proof: ClaimProof }
>;

/** The same, where the account has another e-mail address than the purchase, or took it over from another account. */
export type PaymentTransferred = DomainEvent<
  'PaymentTransferred',
  {
    subscriptionId: string;
    intentId: IntentId;
    /** The account before; null for a purchase that was not claimed. */
    fromAccountId: AccountId | null;
    /** Keyed hash of the address that paid. */
    fromEmailHash: string;
    toAccountId: AccountId;
    proof: ClaimProof;
  }
>;

/**
 * It is paid and has no owner: it grants nothing until it is claimed. Reminders are due at `remindAt`, and it is refunded
 * at `refundAt`.
 */
export type PurchaseUnclaimed = DomainEvent<
  'PurchaseUnclaimed',
  {
    subscriptionId: string;
    intentId: IntentId;
    plan: Plan;
    paidAt: string;
    remindAt: readonly Readonly<{ day: number; at: string }>[];
    refundAt: string;
  }
>;

export type ClaimReminderDue = DomainEvent<
  'ClaimReminderDue',
  { subscriptionId: string; intentId: IntentId; plan: Plan; day: number; refundAt: string }
>;

/** `days` before the renewal of what an invoice has paid by the year. Whether it still renews is seen when the mail is sent. */
export type RenewalNoticeDue = DomainEvent<
  'RenewalNoticeDue',
  { subscriptionId: string; invoiceId: string; days: number; renewsAt: string }
>;

/** The last month of a card has begun. Whether it still pays is seen when the mail is sent. */
export type CardNoticeDue = DomainEvent<'CardNoticeDue', { subscriptionId: string; expiresAt: string }>;

/** It was not claimed in time, or has ended before. */
export type ClaimPeriodEnded = DomainEvent<
  'ClaimPeriodEnded',
  { subscriptionId: string; intentId: IntentId; reason: 'refunded' | 'ended' }
>;

/** Its owner or its payer has deleted the account: nothing that identifies a person is recorded from now on. */
export type BuyerForgotten = DomainEvent<
  'BuyerForgotten',
  {
    subscriptionId: string;
    customerId: string;
    intentId: IntentId;
    /** The deleted account; missing in older events, where it is that of the owner. */
    accountId?: AccountId;
    /** Another account owns it, and keeps what is paid. */
    isOwnedByAnother?: true;
  }
>;

/** Why a purchase is given back as a whole, beside refunds that a person decides on. */
export type ReturnReason = 'other-price' | 'second-purchase' | 'account-closed' | 'unclaimed' | 'withdrawn';

/**
 * The subscription ends, and its payments go back: all but those of `keeps`, also those that become known later. It is
 * under way until `PurchaseReturnCompleted`.
 */
export type PurchaseReturnBegun = DomainEvent<
  'PurchaseReturnBegun',
  {
    subscriptionId: string;
    intentId: IntentId;
    /** The buyer's account, be it the owner or not; null for a purchase by e-mail. */
    accountId: AccountId | null;
    reason: ReturnReason;
    /** Ids of invoices. */
    keeps: readonly string[];
    begunAt: string;
  }
>;

/** Everything of it has arrived, and Stripe charges nothing more. `amount` went back, in minor units. */
export type PurchaseReturnCompleted = DomainEvent<
  'PurchaseReturnCompleted',
  {
    subscriptionId: string;
    intentId: IntentId;
    accountId: AccountId | null;
    reason: ReturnReason;
    amount: number;
    currency: string;
  }
>;

/** A change that a member, support or a due date wants; the outbox makes it at Stripe under `requestId`. */
export type StripeRequest =
  | Readonly<{ kind: 'cancel'; reason: string | null }>
  | Readonly<{ kind: 'resume' }>
  /** At once, and charged now: the tier changes when it is paid. */
  | Readonly<{
      kind: 'upgrade';
      plan: Plan;
      prorationDate: string;
      expectedAmount: number;
      /** What was scheduled before it. */
      replaces?: Plan;
    }>
  /** At the end of the period. `restores`: the upgrade in vain that has removed it; missing where the member wants it. */
  | Readonly<{ kind: 'downgrade'; plan: Plan; restores?: string }>
  | Readonly<{ kind: 'keep-plan' }>
  /**
   * The next renewal is charged the price that is sold; refused when that is not `amount`, in minor units, or when the renewal
   * is before `notBefore`.
   */
  | Readonly<{
      kind: 'announced-price';
      announcementId: string;
      plan: Plan;
      amount: number;
      notBefore: string;
    }>
  /** Undoes it: the plan is charged `amount` further, in minor units. Both are missing in older events. */
  | Readonly<{ kind: 'keep-price'; plan?: Plan; amount?: number }>
  | Readonly<{ kind: 'end-now'; cause: 'refund' | 'dispute-lost' | 'support' | ReturnReason }>
  /** Without an `amount`, in minor units, all that is left of the payment. */
  | Readonly<{
      kind: 'refund';
      invoiceId: string;
      cause: 'declined' | 'support' | ReturnReason;
      amount?: number;
    }>
  /** Charges an open invoice once more; refused when it would charge another amount. */
  | Readonly<{ kind: 'pay'; invoiceId: string; expectedAmount: number }>;

export type StripeWriteRequested = DomainEvent<
  'StripeWriteRequested',
  {
    subscriptionId: string;
    requestId: string;
    /** The request. */
    write: StripeRequest;
    /** The refused request that this one repeats. */
    repeats?: string;
    /** The action of support that it is a part of. */
    actionId?: string;
    /** What the member or support has written about it. */
    comment: Personal<string | null>;
    personalSubject: string;
  }
>;

export type StripeWriteCompleted = DomainEvent<
  'StripeWriteCompleted',
  { subscriptionId: string; requestId: string; kind: StripeRequest['kind'] }
>;

/** Stripe has refused it, or the payment was declined; nothing has changed. */
export type StripeWriteRefused = DomainEvent<
  'StripeWriteRefused',
  {
    subscriptionId: string;
    requestId: string;
    kind: StripeRequest['kind'];
    code: string;
    /** Stripe's page on which the buyer can confirm or pay. */
    fixUrl: string | null;
    /** The request, where Stripe had accepted it before: its refund has failed later. */
    write?: StripeRequest;
  }
>;

/** A refused request is not repeated any more; nothing has changed at Stripe. */
export type StripeWriteAbandoned = DomainEvent<
  'StripeWriteAbandoned',
  {
    subscriptionId: string;
    requestId: string;
    kind: StripeRequest['kind'];
    reason: Personal<string | null>;
    personalSubject: string;
  }
>;

/**
 * Somebody has settled in another way what the product owes, above the limit for one person: another admin has to abandon the
 * request.
 */
export type StripeWriteAbandonProposed = DomainEvent<
  'StripeWriteAbandonProposed',
  StripeWriteAbandoned['data'] & { by: AccountId }
>;

/** A full sweep has found fields that differ from the newest snapshot: an event of Stripe was lost. */
export type DriftDetected = DomainEvent<
  'DriftDetected',
  { subscriptionId: string; fields: readonly string[]; detectedAt: string }
>;

/** The phase of an entitlement, which follows from Stripe's status and the payments. */
export type EntitlementPhase = 'pending' | 'active' | 'past-due' | 'suspended' | 'ended' | 'abandoned';

export type EntitlementEnd =
  | 'canceled'
  | 'refunded'
  | 'dispute-lost'
  | 'unpaid'
  | 'unclaimed'
  | 'account-closed'
  | 'transferred'
  | 'other-price'
  | 'second-purchase'
  | 'withdrawn';

/** All that a membership needs of a subscription; each event contains the whole, so the newest one holds. */
export type Entitlement = Readonly<{
  accountId: AccountId;
  subscriptionId: string;
  /** The checkout behind it. */
  intentId: IntentId;
  /** How the account has proved to be the buyer; missing in older events. */
  proof?: ClaimProof;
  phase: EntitlementPhase;
  stripeStatus: StripeStatus;
  tier: PaidTier | null;
  period: BillingPeriod | null;
  /** The end of the last period that is paid and not refunded; null when nothing is paid. */
  paidUntil: string | null;
  /** Since when a renewal is unpaid. */
  pastDueSince: string | null;
  nextAttemptAt: string | null;
  /** When it ends by the member's own wish; null while it renews. */
  endsAt: string | null;
  endReason: EntitlementEnd | null;
  endedAt: string | null;
  scheduledPlan: (Plan & Readonly<{ at: string }>) | null;
  isDisputed: boolean;
}>;

/** The result of the other events of this stream for the account that owns it: published to the other modules. */
export type EntitlementChanged = DomainEvent<'EntitlementChanged', Entitlement>;

export type SubscriptionEvent =
  | SubscriptionObserved
  | PaymentRecorded
  | PaymentFailed
  | InvoiceVoided
  | RefundRecorded
  | DisputeOpened
  | DisputeClosed
  | PaymentClaimed
  | PaymentTransferred
  | PurchaseUnclaimed
  | ClaimReminderDue
  | RenewalNoticeDue
  | CardNoticeDue
  | ClaimPeriodEnded
  | BuyerForgotten
  | PurchaseReturnBegun
  | PurchaseReturnCompleted
  | StripeWriteRequested
  | StripeWriteCompleted
  | StripeWriteRefused
  | StripeWriteAbandoned
  | StripeWriteAbandonProposed
  | MoneyActionEvent
  | PriceNoticeEvent
  | DriftDetected
  | MoneyFindingEvent
  | EntitlementChanged;

export const subscriptionEvents = defineEvents<SubscriptionEvent>({
  SubscriptionObserved: { version: 1, personal: ['card'], subject: 'personalSubject' },
  PaymentRecorded: { version: 1 },
  PaymentFailed: { version: 1 },
  InvoiceVoided: { version: 1 },
  RefundRecorded: { version: 1 },
  DisputeOpened: { version: 1 },
  DisputeClosed: { version: 1 },
  PaymentClaimed: { version: 1 },
  PaymentTransferred: { version: 1 },
  PurchaseUnclaimed: { version: 1 },
  ClaimReminderDue: { version: 1 },
  RenewalNoticeDue: { version: 1 },
  CardNoticeDue: { version: 1 },
  ClaimPeriodEnded: { version: 1 },
  BuyerForgotten: { version: 1 },
  PurchaseReturnBegun: { version: 1 },
  PurchaseReturnCompleted: { version: 1 },
  StripeWriteRequested: { version: 1, personal: ['comment'], subject: 'personalSubject' },
  StripeWriteCompleted: { version: 1 },
  StripeWriteRefused: { version: 1 },
  StripeWriteAbandoned: { version: 1, personal: ['reason'], subject: 'personalSubject' },
  StripeWriteAbandonProposed: { version: 1, personal: ['reason'], subject: 'personalSubject' },
  ...moneyActionEvents,
  ...priceNoticeEvents,
  DriftDetected: { version: 1 },
  ...moneyFindingEvents,
  EntitlementChanged: { version: 1 },
});

export const subscriptionStream = (subscriptionId: string): string => `subscription-${subscriptionId}`;

/** The key of the personal data of a subscription: forgetting its owner deletes it. */
export const subscriptionSubject = (subscriptionId: string): string => `subscription:${subscriptionId}`;
