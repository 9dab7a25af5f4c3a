import type { DomainEvent, Personal } from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';

/** What of the payments of a period goes back when a subscription is ended at once. */
export type EndRefund = 'nothing' | 'unused' | 'all';

/** What support does about a purchase. Amounts are in minor units. */
export type MoneyAction =
  | Readonly<{ kind: 'refund'; invoiceId: string; amount: number }>
  /** At the end of the period. */
  | Readonly<{ kind: 'cancel' }>
  | Readonly<{ kind: 'resume' }>
  | Readonly<{ kind: 'end'; refund: EndRefund }>
  /** Charges an open invoice once more. */
  | Readonly<{ kind: 'retry'; invoiceId: string; amount: number }>
  /** Gives a purchase without an owner to an account. */
  | Readonly<{ kind: 'attach'; toAccountId: AccountId }>
  | Readonly<{ kind: 'transfer'; toAccountId: AccountId }>;

/** An amount of one payment, in minor units. */
export type PaymentPart = Readonly<{ invoiceId: string; amount: number }>;

type OfAction = Readonly<{
  subscriptionId: string;
  /** The member on whose page it was done. */
  accountId: AccountId;
  action: MoneyAction;
  /** What goes back. */
  refunds: readonly PaymentPart[];
  currency: string;
  /** What counts for the rule of two people, in minor units. */
  stake: number;
  /** Of support: in their own words. */
  reason: Personal<string | null>;
  personalSubject: string;
}>;

/** Support has done it; what Stripe has to do for it follows as requests with the same `actionId`. */
export type MoneyActionTaken = DomainEvent<
  'MoneyActionTaken',
  {
    actionId: string;
    by: AccountId;
    takenAt: string;
    /** The second person, and why; null for an action that needs none. */
    approvedBy: AccountId | null;
    approvalReason: Personal<string | null>;
  } & OfAction
>;

/** An action above the limit: it waits for the approval of another admin until `expiresAt`. */
export type MoneyActionProposed = DomainEvent<
  'MoneyActionProposed',
  { proposalId: string; by: AccountId; proposedAt: string; expiresAt: string } & OfAction
>;

/** An admin has refused a proposal, or who has made it has withdrawn it. */
export type MoneyActionRejected = DomainEvent<
  'MoneyActionRejected',
  {
    subscriptionId: string;
    accountId: AccountId;
    proposalId: string;
    by: AccountId;
    isWithdrawn: boolean;
    reason: Personal<string | null>;
    personalSubject: string;
  }
>;

export type MoneyActionExpired = DomainEvent<
  'MoneyActionExpired',
  { subscriptionId: string; accountId: AccountId; proposalId: string }
>;

export type MoneyActionEvent =
  | MoneyActionTaken
  | MoneyActionProposed
  | MoneyActionRejected
  | MoneyActionExpired;

/** For `defineEvents` of the stream of a subscription. */
export const moneyActionEvents = {
  MoneyActionTaken: { version: 1, personal: ['reason', 'approvalReason'], subject: 'personalSubject' },
  MoneyActionProposed: { version: 1, personal: ['reason'], subject: 'personalSubject' },
  MoneyActionRejected: { version: 1, personal: ['reason'], subject: 'personalSubject' },
  MoneyActionExpired: { version: 1 },
} as const;
