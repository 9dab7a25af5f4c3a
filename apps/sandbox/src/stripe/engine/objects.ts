import type Stripe from 'stripe';

/** A Stripe type whose expandable fields are ids; each field stays a part of the SDK's type. */
type Stored<T, U extends { readonly [K in keyof U]: K extends keyof T ? T[K] : never }> = Readonly<
  Omit<T, keyof U> & U
>;

/** The SDK parses decimals, the API sends them as text. */
type WithText<T, K extends keyof T> = Readonly<Omit<T, K> & { [P in K]: string }>;

export type List<T> = { object: 'list'; data: T[]; has_more: boolean; url: string };

export type Customer = Stored<
  Stripe.Customer,
  {
    email: string | null;
    name: string | null;
    invoice_prefix: string;
    next_invoice_sequence: number;
    invoice_settings: Stripe.Customer['invoice_settings'] & { default_payment_method: string | null };
  }
>;
export type DeletedCustomer = Readonly<Stripe.DeletedCustomer>;
export type Product = Stored<Stripe.Product, { default_price: string | null }>;
export type Price = WithText<
  Stored<
    Stripe.Price,
    { product: string; unit_amount: number; recurring: NonNullable<Stripe.Price['recurring']> }
  >,
  'unit_amount_decimal'
>;
export type Plan = WithText<Stored<Stripe.Plan, { product: string }>, 'amount_decimal'>;
export type Coupon = Readonly<Stripe.Coupon>;
export type Discount = Stored<
  Stripe.Discount,
  { customer: string | null; source: Stripe.Discount['source'] & { coupon: string } }
>;
export type PaymentMethod = Stored<
  Stripe.PaymentMethod,
  { customer: string | null; card: Stripe.PaymentMethod.Card }
>;
export type SubscriptionItem = Readonly<
  Omit<Stripe.SubscriptionItem, 'price' | 'plan' | 'quantity'> & {
    price: Price;
    plan: Plan;
    quantity: number;
  }
>;
export type SubscriptionStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'canceled';
export type PendingUpdate = Readonly<
  Omit<Stripe.Subscription.PendingUpdate, 'subscription_items'> & { subscription_items: SubscriptionItem[] }
>;
export type Subscription = Readonly<
  Omit<
    Stored<
      Stripe.Subscription,
      {
        customer: string;
        latest_invoice: string | null;
        default_payment_method: string | null;
        schedule: string | null;
        discounts: string[];
        status: SubscriptionStatus;
      }
    >,
    'items' | 'pending_update'
  > & { items: List<SubscriptionItem>; pending_update: PendingUpdate | null }
>;
export type Schedule = Stored<
  Stripe.SubscriptionSchedule,
  { customer: string; subscription: string | null; phases: SchedulePhase[] }
>;
export type SchedulePhase = Stored<Stripe.SubscriptionSchedule.Phase, { items: SchedulePhaseItem[] }>;
export type SchedulePhaseItem = Stored<
  Stripe.SubscriptionSchedule.Phase.Item,
  { price: string; plan: string; quantity: number }
>;
export type InvoiceLine = Readonly<
  Omit<Stripe.InvoiceLineItem, 'pricing' | 'quantity_decimal' | 'subscription'> & {
    subscription: string | null;
    quantity_decimal: string | null;
    pricing: {
      type: 'price_details';
      unit_amount_decimal: string;
      price_details: { price: string; product: string };
    };
  }
>;
export type Invoice = Readonly<
  Omit<
    Stored<
      Stripe.Invoice,
      {
        customer: string;
        default_payment_method: string | null;
        status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
        parent: Stripe.Invoice.Parent & {
          subscription_details: Stripe.Invoice.Parent.SubscriptionDetails & { subscription: string };
        };
      }
    >,
    'lines'
  > & { lines: List<InvoiceLine> }
>;
export type InvoicePayment = Stored<
  Stripe.InvoicePayment,
  { invoice: string; payment: Stripe.InvoicePayment['payment'] & { payment_intent: string } }
>;
export type PaymentIntent = Stored<
  Stripe.PaymentIntent,
  { customer: string | null; latest_charge: string | null; payment_method: string | null }
>;
export type Charge = Stored<
  Stripe.Charge,
  { customer: string | null; payment_intent: string; balance_transaction: string | null }
>;
export type Refund = Stored<
  Stripe.Refund,
  {
    charge: string;
    payment_intent: string;
    status: 'pending' | 'succeeded' | 'failed' | 'canceled' | 'requires_action';
  }
>;
export type Dispute = Stored<Stripe.Dispute, { charge: string; payment_intent: string }>;
export type Session = Stored<
  Stripe.Checkout.Session,
  {
    customer: string | null;
    subscription: string | null;
    invoice: string | null;
    url: string | null;
    success_url: string;
    cancel_url: string | null;
    amount_total: number;
    amount_subtotal: number;
    status: 'open' | 'complete' | 'expired';
  }
>;
export type LineItem = Readonly<Omit<Stripe.LineItem, 'price'> & { price: Price; quantity: number }>;
/** The application is Stripe's own. */
export type PortalConfiguration = Stored<Stripe.BillingPortal.Configuration, { application: null }>;
export type PortalSession = Stored<
  Stripe.BillingPortal.Session,
  { configuration: string; return_url: string | null }
>;
export type WebhookEndpoint = Readonly<Stripe.WebhookEndpoint>;
export type EventType = Stripe.Event['type'];
export type StripeEvent = Readonly<
  Omit<Stripe.EventBase, 'data' | 'type'> & {
    type: EventType;
    data: { object: object; previous_attributes?: object };
  }
>;
