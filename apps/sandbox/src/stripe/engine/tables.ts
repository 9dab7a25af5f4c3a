import type * as O from './objects.ts';

/** What the bank of a card does. */
export type CardBehaviour =
  | 'ok'
  | 'declined'
  | 'insufficient_funds'
  | 'confirm'
  | 'confirm_always'
  | 'fails_at_renewal'
  | 'expired';

/** What a subscription was charged for a time, less its discounts: the base of a credit. */
export type Debit = Readonly<{
  invoice: string;
  /** Missing in rows of a journal from before a subscription could have several. */
  item?: string;
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
  portal_configuration: O.PortalConfiguration;
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
  /** The rows that name `key` in the field of `ownerOf`. */
  related: <K extends OwnedKind>(kind: K, key: string) => readonly Rows[K][];
  /** In the order in which the rows were first written. */
  all: <K extends Kind>(kind: K) => readonly Rows[K][];
  set: (change: Change) => void;
  /** Every row as a change, for the journal. */
  everything: () => Iterable<Change>;
}>;

export type OwnedKind =
  | 'payment_method'
  | 'subscription'
  | 'invoice'
  | 'invoice_payment'
  | 'charge'
  | 'refund';

/** The row that another one belongs to, for the kinds that are looked up by it. */
const ownerOf: { readonly [K in OwnedKind]: (row: Rows[K]) => string | null } = {
  payment_method: (row) => row.customer,
  subscription: (row) => row.customer,
  invoice: (row) => row.parent.subscription_details.subscription,
  invoice_payment: (row) => row.invoice,
  charge: (row) => row.customer,
  refund: (row) => row.charge,
};

const isOwned = (kind: Kind): kind is OwnedKind => Object.hasOwn(ownerOf, kind);

const ownerIn = (kind: Kind, row: Rows[Kind] | null | undefined): string | null =>
  row && isOwned(kind) ? (ownerOf[kind] as (of: Rows[Kind]) => string | null)(row) : null;

type OwnerIndex = Readonly<{
  move: (kind: Kind, id: string, before: string | null, after: string | null) => void;
  idsOf: (kind: Kind, owner: string) => Iterable<string>;
}>;

const createOwnerIndex = (): OwnerIndex => {
  const index = new Map<string, Set<string>>();
  return {
    move: (kind, id, before, after) => {
      if (before === after) return;
      index.get(`${kind} ${before}`)?.delete(id);
      if (after === null) return;
      const ids = index.get(`${kind} ${after}`) ?? new Set();
      index.set(`${kind} ${after}`, ids.add(id));
    },
    idsOf: (kind, owner) => index.get(`${kind} ${owner}`) ?? [],
  };
};

/** Called after each write, so that an index can follow. */
export const createTables = (onChange: (change: Change) => void): Tables => {
  const maps = new Map<Kind, Map<string, Rows[Kind]>>();
  const mapOf = (kind: Kind): Map<string, Rows[Kind]> => {
    const known = maps.get(kind) ?? new Map<string, Rows[Kind]>();
    maps.set(kind, known);
    return known;
  };
  const owners = createOwnerIndex();
  return {
    get: <K extends Kind>(kind: K, id: string) => mapOf(kind).get(id) as Rows[K] | undefined,
    related: <K extends OwnedKind>(kind: K, key: string) =>
      [...owners.idsOf(kind, key)].map((id) => mapOf(kind).get(id) as Rows[K]),
    all: <K extends Kind>(kind: K) => [...mapOf(kind).values()] as Rows[K][],
    set: (change) => {
      const [kind, id, row] = change;
      owners.move(kind, id, ownerIn(kind, mapOf(kind).get(id)), ownerIn(kind, row));
      if (row === null) mapOf(kind).delete(id);
      else mapOf(kind).set(id, row);
      onChange(change);
    },
    *everything() {
      for (const [kind, map] of maps) for (const [id, row] of map) yield [kind, id, row] as Change;
    },
  };
};
