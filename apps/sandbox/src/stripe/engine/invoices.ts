import { discountOf } from './invoice-lines.ts';
import { livingCustomer, updateCustomer } from './customers.ts';
import { invalid } from './failure.ts';
import type { Customer, Invoice, InvoiceLine, Subscription } from './objects.ts';
import { change, type Tx } from './transaction.ts';

export type InvoicePurpose = Readonly<{
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'upcoming';
  lines: readonly InvoiceLine[];
  period: Readonly<{ start: number; end: number }>;
  prorationDate?: number | undefined;
}>;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

const amountsOf = (lines: readonly InvoiceLine[], balance: number) => {
  const subtotal = sum(lines.map(({ amount }) => amount));
  const total = subtotal - sum(lines.map(discountOf));
  const due = total < 0 ? 0 : Math.max(0, total + Math.min(0, balance));
  return { subtotal, total, due };
};

const discountTotals = (lines: readonly InvoiceLine[]): { amount: number; discount: string }[] => {
  const totals = new Map<string, number>();
  for (const { amount, discount } of lines.flatMap((each) => each.discount_amounts ?? [])) {
    const id = typeof discount === 'string' ? discount : discount.id;
    totals.set(id, (totals.get(id) ?? 0) + amount);
  }
  return [...totals].map(([discount, amount]) => ({ amount, discount }));
};

/** An invoice that is not stored yet. */
export const draftInvoice = (
  tx: Tx,
  customer: Customer,
  subscription: Subscription,
  purpose: InvoicePurpose,
): Invoice => {
  const id = tx.newId('in');
  const { subtotal, total, due } = amountsOf(purpose.lines, customer.balance);
  const discounts = discountTotals(purpose.lines);
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Tapedeck sandbox',
    account_tax_ids: null,
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: {
      disabled_reason: null,
      enabled: false,
      liability: null,
      provider: null,
      status: null,
    },
    automatically_finalizes_at: null,
    billing_reason: purpose.reason,
    collection_method: 'charge_automatically',
    created: tx.now,
    currency: 'usd',
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: null,
    customer_email: customer.email,
    customer_name: customer.name,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: discounts.map(({ discount }) => discount),
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: {
      object: 'list',
      data: purpose.lines.map((each) => ({ ...each, invoice: id })),
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: {
        metadata: subscription.metadata,
        subscription: subscription.id,
        ...(purpose.prorationDate === undefined
          ? {}
          : { subscription_proration_date: purpose.prorationDate }),
      },
      type: 'subscription_details',
    },
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: null,
    },
    period_end: purpose.period.end,
    period_start: purpose.period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: customer.balance,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: {
      finalized_at: null,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subtotal,
    subtotal_excluding_tax: subtotal,
    test_clock: null,
    total,
    total_discount_amounts: discounts,
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  };
};

export const createInvoice = (tx: Tx, subscription: Subscription, purpose: InvoicePurpose): Invoice => {
  const customer = livingCustomer(tx, subscription.customer);
  const invoice = draftInvoice(tx, customer, subscription, purpose);
  tx.put('invoice', invoice);
  tx.emit('invoice.created', invoice);
  return invoice;
};

/** Uses the customer's credit, and adds to it when the invoice is negative. */
const balanceAfter = (invoice: Invoice, balance: number): number => {
  if (invoice.total < 0) return balance + invoice.total;
  return balance < 0 ? Math.min(0, balance + invoice.total) : balance;
};

/** Gives the number and the amount; the invoice does not change after it. */
export const finalizeInvoice = (tx: Tx, draft: Invoice): Invoice => {
  if (draft.status !== 'draft')
    throw invalid('This invoice is already finalized.', 'invoice', 'invoice_not_editable');
  const customer = livingCustomer(tx, draft.customer);
  const { due } = amountsOf(draft.lines.data, customer.balance);
  const balance = balanceAfter(draft, customer.balance);
  const sequence = customer.next_invoice_sequence;
  const numbered = { ...customer, next_invoice_sequence: sequence + 1 };
  tx.put('customer', numbered);
  updateCustomer(tx, numbered, { balance, currency: draft.currency });
  const page = `${tx.rules.publicUrl}/i/${draft.id}`;
  const open: Invoice = {
    ...draft,
    status: 'open',
    amount_due: due,
    amount_remaining: due,
    automatically_finalizes_at: null,
    effective_at: tx.now,
    starting_balance: customer.balance,
    ending_balance: balance,
    hosted_invoice_url: page,
    invoice_pdf: `${page}/pdf`,
    number: `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`,
    status_transitions: { ...draft.status_transitions, finalized_at: tx.now },
  };
  tx.put('invoice', open);
  tx.emit('invoice.finalized', open);
  return open;
};

export const markPaid = (tx: Tx, invoice: Invoice): Invoice => {
  const isFree = invoice.amount_due === 0;
  const paid: Invoice = {
    ...invoice,
    status: 'paid',
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempt_count: invoice.attempt_count + (isFree ? 0 : 1),
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, paid_at: tx.now },
  };
  tx.put('invoice', paid);
  tx.emit('invoice.updated', paid, { status: invoice.status });
  tx.emit('invoice.paid', paid);
  tx.emit('invoice.payment_succeeded', paid);
  return paid;
};

export const voidInvoice = (tx: Tx, invoice: Invoice): Invoice => {
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
    throw invalid(
      `You can only pass in open or uncollectible invoices. This invoice is ${invoice.status}.`,
      'invoice',
      'status_transition_invalid',
    );
  const voided = {
    ...invoice,
    status: 'void',
    amount_remaining: 0,
    auto_advance: false,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, voided_at: tx.now },
  } as const;
  tx.put('invoice', voided);
  tx.emit('invoice.voided', voided);
  return voided;
};

/** No further payment is tried by itself. */
export const stopCollecting = (tx: Tx, subscription: string): void => {
  for (const invoice of invoicesOf(tx, subscription)) {
    if (invoice.status !== 'open' && invoice.status !== 'draft') continue;
    const patch = { auto_advance: false, next_payment_attempt: null, automatically_finalizes_at: null };
    change(tx, 'invoice', invoice, patch, 'invoice.updated');
  }
};

export const subscriptionOf = ({ parent }: Invoice): string => parent.subscription_details.subscription;

/** The oldest first. */
export const invoicesOf = (tx: Tx, subscription: string): readonly Invoice[] =>
  tx.related('invoice', subscription);
