import type { CardBehaviour } from './cards.ts';
import type * as O from './objects.ts';

/** What a subscription was charged for a time, less its discounts: the base of a credit. */
export type Debit = Readonly<{
  invoice: string;
  line: string;
  price: string;
  amount: number;
  start: number;
  end: number;
}>;

/** What Stripe keeps of a subscription beside the object itself. */
export type SubscriptionLedger = Readonly<{
  id: string;
  debits: readonly Debit[];
  /** Prorations for the next invoice. */
  pendingLines: readonly O.InvoiceLine[];
  /** The next payments of renewals that fail. */
  failRenewals: number;
  /** The period for whose end `invoice.upcoming` exists. */
  announcedFor: number;
}>;

/** The first payment of a checkout session, which may need several attempts. */
export type CheckoutAttempt = Readonly<{ id: string; customer: string; subscription: string }>;

export type SessionPlan = Readonly<{
  id: string;
  price: string;
  quantity: number;
  coupon: string | null;
  trialEnd: number | null;
  subscriptionMetadata: Readonly<Record<string, string>>;
}>;

export type RefundOutcome = Readonly<{ id: string; at: number; status: 'succeeded' | 'failed' }>;

export type DeliveryAttempt = Readonly<{ at: number; status: number | null; problem: string | null }>;

export type Delivery = Readonly<{
  /** Of the event. */
  id: string;
  state: 'waiting' | 'delivered' | 'failed' | 'dropped';
  attempts: readonly DeliveryAttempt[];
  /** Seconds; null when no attempt follows. */
  nextAt: number | null;
}>;

export type StoredAnswer = Readonly<{
  /** The idempotency key. */
  id: string;
  fingerprint: string;
  status: number;
  body: object;
  created: number;
}>;

export type Settings = Readonly<{
  id: 'settings';
  seed: string;
  /** The newest first; two while a rotation lasts. */
  secrets: readonly string[];
}>;

export type Rows = {
  settings: Settings;
  counter: Readonly<{ id: string; value: number }>;
  customer: O.Customer | O.DeletedCustomer;
  product: O.Product;
  price: O.Price;
  coupon: O.Coupon;
  discount: O.Discount;
  payment_method: O.PaymentMethod;
  card: Readonly<{ id: string; behaviour: CardBehaviour }>;
  session: O.Session;
  session_plan: SessionPlan;
  checkout_attempt: CheckoutAttempt;
  portal_session: O.PortalSession;
  subscription: O.Subscription;
  ledger: SubscriptionLedger;
  schedule: O.Schedule;
  invoice: O.Invoice;
  invoice_payment: O.InvoicePayment;
  payment_intent: O.PaymentIntent;
  charge: O.Charge;
  refund: O.Refund;
  refund_outcome: RefundOutcome;
  dispute: O.Dispute;
  endpoint: O.WebhookEndpoint;
  event: O.StripeEvent;
  delivery: Delivery;
  answer: StoredAnswer;
};

export type Kind = keyof Rows;

/** One row written, or removed when `row` is null. */
export type Change = { [K in Kind]: readonly [kind: K, id: string, row: Rows[K] | null] }[Kind];

export type Tables = Readonly<{
  get: <K extends Kind>(kind: K, id: string) => Rows[K] | undefined;
  /** In the order in which the rows were first written. */
  all: <K extends Kind>(kind: K) => readonly Rows[K][];
  set: (change: Change) => void;
  /** Every row as a change, for the journal. */
  everything: () => Iterable<Change>;
}>;

/** Called after each write, so that an index can follow. */
export const createTables = (onChange: (change: Change) => void): Tables => {
  const maps = new Map<Kind, Map<string, Rows[Kind]>>();
  const mapOf = (kind: Kind): Map<string, Rows[Kind]> => {
    const known = maps.get(kind) ?? new Map<string, Rows[Kind]>();
    maps.set(kind, known);
    return known;
  };
  return {
    get: <K extends Kind>(kind: K, id: string) => mapOf(kind).get(id) as Rows[K] | undefined,
    all: <K extends Kind>(kind: K) => [...mapOf(kind).values()] as Rows[K][],
    set: (change) => {
      const [kind, id, row] = change;
      if (row === null) mapOf(kind).delete(id);
      else mapOf(kind).set(id, row);
      onChange(change);
    },
    *everything() {
      for (const [kind, map] of maps) for (const [id, row] of map) yield [kind, id, row] as Change;
    },
  };
};
