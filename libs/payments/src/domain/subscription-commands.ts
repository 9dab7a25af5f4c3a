import type { AccountId } from '@tapedeck/kernel';
import type { IntentId } from './checkout-events.ts';
import type { Plan } from '@tapedeck/plans/contract';
import type { ClaimProof, StripeRequest } from './subscription-events.ts';
import type { SubscriptionSnapshot } from '@tapedeck/stripe/port';

/** What the checkout says about who has bought. `accountId` is null for a purchase by e-mail. */
export type Buyer = Readonly<{ intentId: IntentId; accountId: AccountId | null; plan: Plan }>;

/** All that was read from Stripe in one go; what is known already is not recorded again. */
export type RecordSubscription = Readonly<{
  type: 'RecordSubscription';
  snapshot: SubscriptionSnapshot;
  /** Null when no checkout of ours is behind it. */
  buyer: Buyer | null;
  /** Whether a sweep has read it: what is new then is a mismatch. */
  isSweep: boolean;
  /** After this time an unclaimed purchase is refunded (docs/product-decisions.md#grace-refunds-disputes). */
  unclaimedRefundDays: number;
}>;

type Claimed = Readonly<{
  intentId: IntentId;
  proof: ClaimProof;
  now: string;
  /** Another live subscription of the same account refuses the claim. */
  hasOtherSubscription: boolean;
}>;

/** The first claim holds. `plan` is the plan of the checkout, which must be the one that was paid. */
export type ClaimPurchase = Readonly<
  {
    type: 'ClaimPurchase';
    accountId: AccountId;
    plan: Plan;
    /** Keyed hash of the address that paid, when the account has another one; otherwise null. */
    fromEmailHash: string | null;
  } & Claimed
>;

/** From the account that owns it, or from nobody, to another one. */
export type TransferPurchase = Readonly<
  { type: 'TransferPurchase'; toAccountId: AccountId; fromEmailHash: string } & Claimed
>;

export type RequestStripeChange = Readonly<{
  type: 'RequestStripeChange';
  requestId: string;
  write: StripeRequest;
  comment: string | null;
  /** The member who wants it; null for support and due dates. */
  by: AccountId | null;
}>;

export type CompleteStripeRequest = Readonly<{ type: 'CompleteStripeRequest'; requestId: string }>;
export type RefuseStripeRequest = Readonly<{
  type: 'RefuseStripeRequest';
  requestId: string;
  code: string;
  fixUrl: string | null;
}>;

/** Its outcome is not known, and nobody tries it any more: what was observed decides. */
export type ResolveStripeRequest = Readonly<{ type: 'ResolveStripeRequest'; requestId: string }>;

export type RemindOfClaim = Readonly<{ type: 'RemindOfClaim'; day: number; refundAt: string }>;
export type RefundUnclaimed = Readonly<{ type: 'RefundUnclaimed' }>;

/** The owner has deleted the account. */
export type CloseAccount = Readonly<{ type: 'CloseAccount'; accountId: AccountId }>;

export type SubscriptionCommand =
  | RecordSubscription
  | ClaimPurchase
  | TransferPurchase
  | RequestStripeChange
  | CompleteStripeRequest
  | RefuseStripeRequest
  | ResolveStripeRequest
  | RemindOfClaim
  | RefundUnclaimed
  | CloseAccount;
