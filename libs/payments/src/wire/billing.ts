import * as z from 'zod';
import { PaidTierName, Period } from './plan-names.ts';
import { PlanOffer } from './offers.ts';

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
