import * as z from 'zod';
import { billingPeriods, paidTiers, type PaidTier, type Plan } from '@tapedeck/plans/contract';

export const PaidTierName = z.enum(paidTiers);
export const Period = z.enum(billingPeriods);

// Not linear: bodies are limited in size, and the length is checked first (docs/product-decisions.md#texts-with-placeholders).
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
export const Email = z.string().max(254).regex(emailPattern, 'Please enter a valid email address');

/** Optional: absent means monthly (docs/product-decisions.md#period-of-a-checkout). */
export const CheckoutBody = z.object({ period: Period.optional() }).optional().meta({ id: 'CheckoutBody' });
export type CheckoutBody = z.infer<typeof CheckoutBody>;

export const AnonymousCheckoutBody = z.object({ email: Email }).meta({ id: 'AnonymousCheckoutBody' });
export type AnonymousCheckoutBody = z.infer<typeof AnonymousCheckoutBody>;

export const Checkout = z.object({ checkoutUrl: z.string() }).meta({ id: 'Checkout' });
export type Checkout = z.infer<typeof Checkout>;

/** `returned`: it was paid, and goes back as a whole. Nothing was charged where it `failed` or `expired`. */
export const PaymentState = z.enum(['processing', 'paid', 'returned', 'failed', 'expired']);
export type PaymentState = z.infer<typeof PaymentState>;

export const PaymentVerification = z
  .object({
    success: z.boolean(),
    state: PaymentState,
    tier: PaidTierName,
    period: Period,
    /** For the browser and the account that have bought; otherwise null. */
    email: z.string().nullable(),
    subscriptionId: z.string().nullable(),
    /** Whether the purchase has an owner. */
    claimed: z.boolean(),
    /** Whether that is the account that is signed in. */
    isOwner: z.boolean(),
    /** For the owner: what the purchase gives now; null when it gives nothing, or not all is paid. */
    grantedTier: PaidTierName.nullable(),
    /** Another account has claimed it by its mailbox; this browser has paid, and may take it over. */
    canTakeOver: z.boolean(),
  })
  .meta({ id: 'PaymentVerification' });
export type PaymentVerification = z.infer<typeof PaymentVerification>;

/** Both are hints: the claim secret in a cookie, or a proved mailbox, is what counts. */
export const LinkPaymentBody = z
  .object({ sessionId: z.string().max(200).optional(), paymentEmail: z.string().max(254).optional() })
  .meta({ id: 'LinkPaymentBody' });
export type LinkPaymentBody = z.infer<typeof LinkPaymentBody>;

export const LinkedPayment = z
  .object({ emailTransferred: z.boolean(), to: z.string(), tier: PaidTierName })
  .meta({ id: 'LinkedPayment' });
export type LinkedPayment = z.infer<typeof LinkedPayment>;

export const ClaimCodeBody = z.object({ email: Email }).meta({ id: 'ClaimCodeBody' });
export type ClaimCodeBody = z.infer<typeof ClaimCodeBody>;

/** The same answer for every address. */
export const ClaimCodeSent = z
  .object({ message: z.string(), expiresAt: z.string() })
  .meta({ id: 'ClaimCodeSent' });
export type ClaimCodeSent = z.infer<typeof ClaimCodeSent>;

export const ClaimBody = z
  .object({ code: z.string().regex(/^\d{6}$/, 'must be the six digits from the e-mail') })
  .meta({ id: 'ClaimBody' });
export type ClaimBody = z.infer<typeof ClaimBody>;

export const cancellationReasons = [
  'too-expensive',
  'missing-features',
  'switched-service',
  'unused',
  'customer-service',
  'too-complex',
  'low-quality',
  'other',
] as const;

/** Which of several subscriptions is meant; absent: that of `Billing.subscription`. */
const subscriptionId = z.string().max(100).optional();

export const SubscriptionBody = z.object({ subscriptionId }).optional().meta({ id: 'SubscriptionBody' });
export type SubscriptionBody = z.infer<typeof SubscriptionBody>;

export const CancelBody = z
  .object({
    reason: z.enum(cancellationReasons).optional(),
    comment: z.string().max(1_000).optional(),
    subscriptionId,
  })
  .optional()
  .meta({ id: 'CancelBody' });
export type CancelBody = z.infer<typeof CancelBody>;

export const WithdrawBody = z
  .object({ subscriptionId: z.string().regex(/^[A-Za-z0-9_]{1,100}$/) })
  .meta({ id: 'WithdrawBody' });
export type WithdrawBody = z.infer<typeof WithdrawBody>;

/** The acknowledgement of a withdrawal; a mail says the same. */
export const WithdrawalReceived = z
  .object({ receivedAt: z.string(), message: z.string() })
  .meta({ id: 'WithdrawalReceived' });
export type WithdrawalReceived = z.infer<typeof WithdrawalReceived>;

/** `done`: Stripe has confirmed it. `processing`: it will be done; the screen follows `GET /api/membership/billing`. */
export const BillingChange = z
  .object({
    state: z.enum(['done', 'processing', 'refused']),
    message: z.string(),
    /** Where the buyer can confirm or pay what was refused. */
    fixUrl: z.string().nullable(),
  })
  .meta({ id: 'BillingChange' });
export type BillingChange = z.infer<typeof BillingChange>;

export const ChangePlanBody = z
  .object({ tier: PaidTierName, period: Period, previewId: z.string().max(1_000).optional() })
  .meta({ id: 'ChangePlanBody' });
export type ChangePlanBody = z.infer<typeof ChangePlanBody>;

export const ChangePreview = z
  .object({
    kind: z.enum(['upgrade', 'downgrade']),
    tier: PaidTierName,
    period: Period,
    currency: z.string(),
    /** Minor units. What is charged now; 0 for a downgrade. */
    dueNow: z.number().int(),
    /** Minor units. The unused part of the current period, which is taken off. */
    credit: z.number().int(),
    /** Minor units. What the next renewal will cost, and when. */
    nextAmount: z.number().int(),
    nextAt: z.string(),
    /** Send it with the change, so that what was shown is charged. */
    previewId: z.string(),
    expiresAt: z.string(),
  })
  .meta({ id: 'ChangePreview' });
export type ChangePreview = z.infer<typeof ChangePreview>;

/** `disputed`: the bank has taken it back until that is decided. `charged-back`: the dispute was lost. */
export const PaidState = z.enum(['paid', 'partly-refunded', 'refunded', 'disputed', 'charged-back']);
export type PaidState = z.infer<typeof PaidState>;

export const Payment = z.object({
  invoiceId: z.string(),
  at: z.string(),
  amount: z.number().int(),
  refunded: z.number().int(),
  currency: z.string(),
  text: z.string(),
  state: PaidState,
  /** Whether the account may see the invoice: `GET /api/membership/invoices/{invoiceId}`. */
  hasInvoice: z.boolean(),
});

/** At the payment provider; null where it has none. */
export const InvoiceLinks = z
  .object({ page: z.string().nullable(), pdf: z.string().nullable() })
  .meta({ id: 'InvoiceLinks' });
export type InvoiceLinks = z.infer<typeof InvoiceLinks>;

export const FailedPayment = z.object({
  invoiceId: z.string(),
  attempt: z.number().int(),
  at: z.string(),
  /** Null where it is not known. */
  amount: z.number().int().nullable(),
  currency: z.string(),
  text: z.string(),
  /** A sentence: why it failed, and what becomes of it. */
  reason: z.string(),
});

/** What is said of every subscription of a member. Amounts are in minor units. */
const SubscriptionTerms = z.object({
  subscriptionId: z.string(),
  tier: PaidTierName,
  period: Period,
  amount: z.number().int(),
  currency: z.string(),
  /** Whether Stripe adds taxes to its amounts. */
  addsTaxes: z.boolean(),
  /** What was announced to the member, for renewals from then on. Null where the price stays. */
  announcedPrice: z.object({ amount: z.number().int(), from: z.string() }).nullable(),
  /** Of the renewal after the present period; null once it ends. */
  nextChargeAt: z.string().nullable(),
  /** When it ends by itself; null while it renews. */
  endsAt: z.string().nullable(),
  /** Otherwise the present period may still be charged, also after a cancellation. */
  isPeriodPaid: z.boolean(),
  /** A renewal has failed and is not paid yet, be it that access lasts or has stopped. */
  isDue: z.boolean(),
  /** When Stripe tries that renewal again; null when that is not known, or is over. */
  nextAttemptAt: z.string().nullable(),
  /** The account has not proved to have paid: the payer's card and pages at Stripe stay closed. */
  isPaidByAnother: z.boolean(),
});

const OtherSubscription = SubscriptionTerms.extend({ startedAt: z.string() });

/** A contract from which the account can withdraw until then, with `amount` (minor units) back. */
const Withdrawable = z.object({
  subscriptionId: z.string(),
  plan: z.object({ tier: PaidTierName, period: Period }).nullable(),
  paidAt: z.string(),
  until: z.string(),
  amount: z.number().int(),
  currency: z.string(),
  /** The bank decides about a payment of it, which `amount` leaves out. */
  isDisputed: z.boolean(),
  /** Nothing is left to end: what was paid goes back. */
  hasEnded: z.boolean(),
});

const PlanOffer = z.object({
  tier: PaidTierName,
  period: Period,
  amount: z.number().int(),
  currency: z.string(),
  /** The amount of the first month (docs/product-decisions.md#introductory-price); null for plans without one. */
  introAmount: z.number().int().nullable(),
});

/** What a member pays, has paid and would pay; `subscription` is null without one. Amounts are in minor units. */
export const Billing = z
  .object({
    /** The one with the highest plan, of those that the account pays itself and that give access; it stays so at each renewal. */
    subscription: SubscriptionTerms.extend({
      nextAmount: z.number().int().nullable(),
      scheduledPlan: z.object({ tier: PaidTierName, period: Period, at: z.string() }).nullable(),
      pendingPlan: z.object({ tier: PaidTierName, period: Period, expiresAt: z.string() }).nullable(),
      card: z
        .object({ brand: z.string(), last4: z.string(), expMonth: z.number(), expYear: z.number() })
        .nullable(),
      pastDueSince: z.string().nullable(),
      isDisputed: z.boolean(),
      /** The bank wants the member to confirm the payment: `POST /api/membership/payment-page`. */
      needsConfirmation: z.boolean(),
      /** A sentence: the change that is under way. */
      processing: z.string().nullable(),
      /** The newest change that Stripe has refused: for a day, or while an upgrade waits for its payment. `fixUrl`: only then. */
      refused: z.object({ message: z.string(), fixUrl: z.string().nullable() }).nullable(),
    }).nullable(),
    /** Further subscriptions that have not ended. */
    others: z.array(OtherSubscription),
    payments: z.array(Payment),
    /** Attempts to charge that have failed, the newest first; `payments` has what was paid later. */
    failedPayments: z.array(FailedPayment),
    /** Whether the account pays, or has paid, with a card of its own: Stripe's pages for cards and invoices open. */
    hasPortal: z.boolean(),
    /** Purchases with this account's address that are not claimed. */
    unclaimed: z.array(z.object({ tier: PaidTierName, period: Period, paidAt: z.string() })),
    /** What this account would be charged; its own plan at the price that it pays. */
    offers: z.array(PlanOffer),
    /** Contracts from which the account can withdraw now. */
    withdrawable: z.array(Withdrawable),
    /** Why a checkout would be refused; null when it would not. */
    purchaseRefusal: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: 'Billing' });
export type Billing = z.infer<typeof Billing>;

export const BillingPortal = z.object({ url: z.string() }).meta({ id: 'BillingPortal' });
export type BillingPortal = z.infer<typeof BillingPortal>;

export const PaymentPage = z
  .object({
    /** Null when nothing is to be paid or confirmed. */
    url: z.string().nullable(),
    /** Paying changes the plan, and is no renewal; `amount` in minor units is what is still to be paid. Null otherwise. */
    change: z
      .object({ tier: PaidTierName, period: Period, amount: z.number().int(), currency: z.string() })
      .nullable(),
  })
  .meta({ id: 'PaymentPage' });
export type PaymentPage = z.infer<typeof PaymentPage>;

/** This module's part of `GET /api/config`. */
export const PaymentsClientConfig = z.object({
  plans: z.array(PlanOffer),
  /** Whether taxes are computed for the buyer's address, at the checkout. */
  hasTaxes: z.boolean(),
});
export type PaymentsClientConfig = z.infer<typeof PaymentsClientConfig>;

/** In the stream of changes (`platformRoutes.changes`): what the account has bought or paid has changed. */
export const billingTopic = 'billing';

export const paymentRoutes = {
  /** For members: the body says for which period. */
  checkout: (tier: PaidTier) => `/api/create-${tier.toLowerCase()}-subscription`,
  /** For visitors, who give an e-mail address. */
  anonymousCheckout: ({ tier, period }: Plan) =>
    `/api/create-${tier.toLowerCase()}${period === 'annual' ? '-annual' : ''}-subscription-anonymous`,
  verify: (sessionId: string) => `/api/verify-payment/${sessionId}`,
  link: '/api/link-payment',
  claimCode: '/api/claims/code',
  claim: '/api/claims',
  cancel: '/api/cancel-subscription',
  resume: '/api/membership/resume',
  withdraw: '/api/membership/withdraw',
  previewChange: '/api/membership/change/preview',
  change: '/api/membership/change',
  /** DELETE: keeps the plan that a scheduled change would leave. */
  scheduledChange: '/api/membership/change',
  billing: '/api/membership/billing',
  billingPortal: '/api/create-billing-portal',
  paymentPage: '/api/membership/payment-page',
  invoice: (invoiceId: string) => `/api/membership/invoices/${invoiceId}`,
} as const;

export * from './wire/money.ts';
export * from './wire/prices.ts';
export * from './wire/queues.ts';

/** The addresses of its screens. */
export const paymentScreens = ['/payment-success', '/pay', '/admin/queues', '/admin/prices'] as const;
