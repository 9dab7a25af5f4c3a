import type { Plan } from '@tapedeck/plans/contract';

export { inBackground } from './background.ts';

/** Stripe's words for the state of a subscription. */
export type StripeStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'canceled';

export type CardSummary = Readonly<{ brand: string; last4: string; expMonth: number; expYear: number }>;
export type RefundStatus = 'pending' | 'succeeded' | 'failed' | 'canceled';

/** Everything that Stripe says of one subscription, read in one go. Times are ISO 8601 UTC, amounts minor units. */
export type SubscriptionSnapshot = Readonly<{
  subscriptionId: string;
  subscription: Readonly<{
    customerId: string;
    intentId: string | null;
    status: StripeStatus;
    priceId: string;
    plan: Plan | null;
    amount: number;
    currency: string;
    /** Stripe adds taxes to the amount; absent where it does not, or where the amount includes them. */
    addsTaxes?: true;
    startedAt: string;
    /** Of the item: the period that the newest invoice is for, paid or not. */
    periodStart: string;
    periodEnd: string;
    cancelAtPeriodEnd: boolean;
    cancelAt: string | null;
    endedAt: string | null;
    latestInvoiceId: string | null;
    /** A change to another plan that Stripe will make by itself. */
    scheduledPlan: (Plan & Readonly<{ at: string }>) | null;
    /** Another price of the same plan, to which Stripe will change by itself; absent without one. */
    scheduledPrice?: Readonly<{ priceId: string; at: string }>;
    /** An upgrade that is not paid yet. */
    pendingPlan: (Plan & Readonly<{ expiresAt: string }>) | null;
    card: CardSummary | null;
    /** When the request to Stripe was begun. */
    observedAt: string;
    apiVersion: string;
  }>;
  /** Paid invoices, each with what it paid for. */
  payments: readonly Readonly<{
    invoiceId: string;
    amountPaid: number;
    currency: string;
    /** Stripe's `billing_reason`: `subscription_create`, `subscription_cycle`, `subscription_update`, … */
    reason: string;
    plan: Plan | null;
    periodStart: string;
    periodEnd: string;
    chargeId: string | null;
    paymentIntentId: string | null;
    paidAt: string;
  }>[];
  /** Unpaid attempts of open invoices. */
  failures: readonly Readonly<{
    invoiceId: string;
    attempt: number;
    nextAttemptAt: string | null;
    /** The bank wants the buyer to confirm. */
    needsAction: boolean;
    /** Stripe's code of the refusal, such as `insufficient_funds`. */
    declineCode?: string | null;
    /** Stripe's `billing_reason`, as of payments; missing in older events. */
    reason?: string;
    /** What is to be paid, with discounts and taxes, in minor units; missing in older events. */
    amount?: number;
    failedAt: string;
  }>[];
  /** Invoices that were tried, and are not to be paid any more. */
  voided: readonly Readonly<{ invoiceId: string; voidedAt: string }>[];
  refunds: readonly Readonly<{
    refundId: string;
    invoiceId: string | null;
    chargeId: string | null;
    amount: number;
    currency: string;
    status: RefundStatus;
    refundedAt: string;
  }>[];
  /** All disputes, closed ones included. */
  disputes: readonly Readonly<{
    disputeId: string;
    chargeId: string;
    /** The invoice that the charge has paid; missing in older events. */
    invoiceId?: string | null;
    amount: number;
    currency: string;
    reason: string;
    evidenceDueBy: string | null;
    openedAt: string;
  }>[];
  closedDisputes: readonly Readonly<{
    disputeId: string;
    /** `prevented`: it was settled before it became one. */
    outcome: 'won' | 'lost' | 'warning_closed' | 'prevented';
    closedAt: string;
  }>[];
}>;

export type SessionSnapshot = Readonly<{
  sessionId: string;
  intentId: string | null;
  status: 'open' | 'complete' | 'expired';
  isPaid: boolean;
  subscriptionId: string | null;
  customerId: string | null;
  expiresAt: string;
}>;

/** The beginning of a purchase. The session is made once per key, also when its answer was lost. */
export type NewSession = Readonly<{
  intentId: string;
  plan: Plan;
  email: string;
  /** The customer of an earlier purchase of the same account; otherwise a new one is made. */
  customerId: string | null;
  intro: boolean;
  successUrl: string;
  cancelUrl: string;
}>;

/** A request under a key: Stripe answers a repetition with the first answer. */
export type Keyed<Details> = Readonly<{ key: string }> & Details;

/** Stripe has understood and refused: nothing has changed. `fixUrl`: where the buyer can confirm or pay. */
export type Refusal = Readonly<{
  refused: Readonly<{ code: string; message: string; fixUrl: string | null }>;
}>;
export type StripeResult = Readonly<{ refused?: undefined }> | Refusal;

export type PlanPreview = Readonly<{
  dueNow: number;
  credit: number;
  nextAmount: number;
  nextAt: string;
  currency: string;
  prorationDate: string;
}>;

/** A page on which an invoice is paid. `change`: where that changes the plan, with what is still to be paid. */
export type PayPage = Readonly<{
  url: string;
  change: (Plan & Readonly<{ amount: number; currency: string }>) | null;
}>;

/** An invoice that waits for its payment; `amount` is what is still to be paid. */
export type OpenInvoice = Readonly<{ invoiceId: string; amount: number; currency: string }>;

/** Both ends are included, in seconds; without `until` it is now. */
export type ListedTime = Readonly<{ since: string; until?: string; undeliveredOnly: boolean }>;

/** An event in Stripe's list; the body is that of the webhook. */
export type ListedEvent = Readonly<{ eventId: string; body: string }>;

/** `intentId`: as a checkout of ours has it; null for one of another product. `hasPlan`: one of its prices is for a plan. */
export type ListedSubscription = Readonly<{
  subscriptionId: string;
  status: string;
  intentId: string | null;
  hasPlan: boolean;
}>;

/** A price as it is at Stripe; null when there is none with this id. */
export type PriceSnapshot = Readonly<{
  priceId: string;
  amount: number;
  currency: string;
  interval: string;
  intervalCount: number;
  isActive: boolean;
}>;

/** Where the payer can see an invoice, and its document; null where Stripe has none. Anybody who knows them can open them. */
export type InvoicePages = Readonly<{ page: string | null; pdf: string | null }>;

export type CouponSnapshot = Readonly<{
  /** Null for a coupon of per cent. */
  amountOff: number | null;
  currency: string | null;
  /** For how long it lowers what a subscription charges: `once`, `repeating` or `forever`. */
  duration: string;
  /** Whether it can still be given. */
  isValid: boolean;
}>;

/**
 * What the product asks of Stripe, in its own terms. A call that fails for a reason that may pass throws a DomainError of
 * kind `unavailable`.
 */
export type StripeReads = Readonly<{
  /**
   * Undefined when Stripe has no such subscription. `newest`: with its newest invoice; `all`: with every invoice, refund
   * and dispute.
   */
  readSubscription: (
    subscriptionId: string,
    scope: 'newest' | 'all',
  ) => Promise<SubscriptionSnapshot | undefined>;
  readSession: (sessionId: string) => Promise<SessionSnapshot | undefined>;
  /** Where the buyer can pay or confirm the newest invoice; null when nothing is to be paid. */
  payPage: (subscriptionId: string) => Promise<PayPage | null>;
  /** Both null where Stripe has no such invoice. */
  invoicePages: (invoiceId: string) => Promise<InvoicePages>;
  /** Null for an invoice that is not to be paid. */
  openInvoice: (invoiceId: string) => Promise<OpenInvoice | null>;
  /**
   * The subscription that a charge, an invoice, a payment intent, a refund or a dispute belongs to; null without one,
   * undefined for a kind of object that this version does not know.
   */
  subscriptionOf: (objectId: string) => Promise<string | null | undefined>;
  previewChange: (subscriptionId: string, plan: Plan) => Promise<PlanPreview>;
  readPrice: (priceId: string) => Promise<PriceSnapshot | null>;
  /** Null when Stripe has none with this id. */
  readCoupon: (couponId: string) => Promise<CouponSnapshot | null>;
  /** The events that were created in a time, or those among them that no webhook has delivered; the oldest first. */
  listEvents: (options: ListedTime) => AsyncIterable<ListedEvent>;
  readEvent: (eventId: string) => Promise<ListedEvent | undefined>;
  /** Pages of all subscriptions, ended ones and those of other products included: those after the given one. */
  listSubscriptions: (after: string | null) => AsyncIterable<readonly ListedSubscription[]>;
}>;

export type StripeRequests = Readonly<{
  createSession: (
    session: Keyed<NewSession>,
  ) => Promise<Readonly<{ sessionId: string; url: string; expiresAt: string }>>;
  expireSession: (session: Keyed<{ sessionId: string }>) => Promise<void>;
  createPortalSession: (
    session: Readonly<{ customerId: string; returnUrl: string }>,
  ) => Promise<Readonly<{ url: string }>>;
  cancelAtPeriodEnd: (request: Keyed<{ subscriptionId: string }>) => Promise<StripeResult>;
  resume: (request: Keyed<{ subscriptionId: string }>) => Promise<StripeResult>;
  /**
   * Charged now; the plan changes when that is paid. Refused with AMOUNT_CHANGED when it would not charge `expectedAmount`, in
   * minor units.
   */
  upgrade: (
    request: Keyed<{ subscriptionId: string; plan: Plan; prorationDate: string; expectedAmount: number }>,
  ) => Promise<StripeResult>;
  /** At the end of the period. */
  scheduleDowngrade: (request: Keyed<{ subscriptionId: string; plan: Plan }>) => Promise<StripeResult>;
  /**
   * The price at which the plan is sold, from the next renewal on. Refused with AMOUNT_CHANGED when that is not `expectedAmount`,
   * in minor units, and with RENEWS_EARLIER when the next renewal is before `notBefore`.
   */
  schedulePrice: (
    request: Keyed<{ subscriptionId: string; plan: Plan; expectedAmount: number; notBefore: string }>,
  ) => Promise<StripeResult>;
  /** Undoes `scheduleDowngrade` and `schedulePrice`. */
  keepPlan: (request: Keyed<{ subscriptionId: string }>) => Promise<StripeResult>;
  endNow: (request: Keyed<{ subscriptionId: string }>) => Promise<StripeResult>;
  /**
   * All of an invoice that is not refunded yet, or an `amount` of it in minor units. Refused with REFUND_TOO_LARGE when less
   * than that is left.
   */
  refund: (
    request: Keyed<{ subscriptionId: string; invoiceId: string; amount?: number }>,
  ) => Promise<StripeResult>;
  /**
   * Charges an open invoice to the card of the subscription. Refused with AMOUNT_CHANGED when it would not charge
   * `expectedAmount`, in minor units.
   */
  payInvoice: (
    request: Keyed<{ subscriptionId: string; invoiceId: string; expectedAmount: number }>,
  ) => Promise<StripeResult>;
  /** Does nothing for a customer that was deleted. */
  setCustomerEmail: (request: Keyed<{ customerId: string; email: string }>) => Promise<void>;
  /** Removes all that names a person, and the cards. */
  forgetCustomer: (request: Keyed<{ customerId: string }>) => Promise<void>;
}>;

export type StripePort = StripeReads & StripeRequests;

/** The plans by the ids of their prices. Of several prices of a plan the first one is sold, the others are former ones. */
export type PriceList = readonly (Plan & Readonly<{ priceId: string }>)[];
