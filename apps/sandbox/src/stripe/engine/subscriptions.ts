import { boundary, nextBoundary } from './calendar.ts';
import { planOf } from './catalogue.ts';
import { collect } from './collection.ts';
import { livingCustomer } from './customers.ts';
import { discounted, periodLine, trialLine } from './invoice-lines.ts';
import { createInvoice, draftInvoice, finalizeInvoice, invoicesOf, voidInvoice } from './invoices.ts';
import type { Discount, Invoice, InvoiceLine, Price, Subscription, SubscriptionItem } from './objects.ts';
import { cancelIntent } from './payments.ts';
import {
  cancelSubscription,
  intervalOf,
  isSameInterval,
  itemOf,
  itemsOfPhase,
  ledgerOf,
  originOf,
  periodOf,
  recordDebits,
  updateSubscription,
  withItems,
} from './subscription-state.ts';
import type { Tx } from './transaction.ts';

export const incompleteSeconds = 23 * 3_600;
/** A renewal's invoice stays a draft for about an hour. */
export const draftSeconds = 3_600;
export const upcomingSeconds = 3 * 86_400;

export type NewSubscription = Readonly<{
  customer: string;
  price: Price;
  quantity: number;
  paymentMethod: string;
  coupon: string | null;
  trialEnd: number | null;
  metadata: Readonly<Record<string, string>>;
  session: string;
}>;

type NewItem = Readonly<{
  subscription: string;
  price: Price;
  quantity: number;
  period: Readonly<{ start: number; end: number }>;
}>;

const newItem = (tx: Tx, { subscription, price, quantity, period }: NewItem): SubscriptionItem => ({
  id: tx.newId('si'),
  object: 'subscription_item',
  billing_thresholds: null,
  created: tx.now,
  current_period_end: period.end,
  current_period_start: period.start,
  current_trial: null,
  discounts: [],
  metadata: {},
  plan: planOf(price),
  price,
  quantity,
  subscription,
  tax_rates: [],
});

/**
 * A further item, which is charged from the next period on. Stripe documents no order of the items: the newest is the first, so
 * that whoever takes the first one for the plan is wrong.
 */
export const addItem = (
  tx: Tx,
  subscription: Subscription,
  { price, quantity }: Pick<NewItem, 'price' | 'quantity'>,
): Subscription => {
  const added = { subscription: subscription.id, price, quantity, period: periodOf(subscription) };
  const items = [newItem(tx, added), ...subscription.items.data];
  return updateSubscription(tx, subscription, withItems(subscription, items));
};

const newSubscription = (tx: Tx, wanted: NewSubscription): Subscription => {
  const id = tx.newId('sub');
  const { price, trialEnd } = wanted;
  const period = { start: tx.now, end: trialEnd ?? boundary(tx.now, intervalOf(price), 1) };
  const { enabled } = tx.require('session', wanted.session).automatic_tax;
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled, liability: enabled ? { type: 'self' } : null },
    billing_cycle_anchor: trialEnd ?? tx.now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: tx.now,
    currency: price.currency,
    customer: wanted.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: wanted.paymentMethod,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      data: [newItem(tx, { subscription: id, price, quantity: wanted.quantity, period })],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: wanted.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: tx.now,
    status: 'incomplete',
    test_clock: null,
    transfer_data: null,
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: 'trial_end', missing_payment_method: 'create_invoice' },
    },
    trial_start: trialEnd === null ? null : tx.now,
  };
};

/** `session` is null for one that was given to the subscription later. */
export const newDiscount = (
  tx: Tx,
  subscription: Subscription,
  coupon: string,
  session: string | null,
): Discount => {
  const discount: Discount = {
    id: tx.newId('di'),
    object: 'discount',
    checkout_session: session,
    customer: subscription.customer,
    customer_account: null,
    end: null,
    invoice: null,
    invoice_item: null,
    promotion_code: null,
    source: { coupon, type: 'coupon' },
    start: tx.now,
    subscription: subscription.id,
    subscription_item: null,
  };
  tx.put('discount', discount);
  const used = tx.require('coupon', coupon);
  tx.put('coupon', { ...used, times_redeemed: used.times_redeemed + 1 });
  return discount;
};

const lastingDiscounts = (tx: Tx, ids: readonly string[]): string[] =>
  ids.filter((id) => {
    const discount = tx.get('discount', id);
    return discount !== undefined && tx.require('coupon', discount.source.coupon).duration === 'forever';
  });

const withDiscounts = (
  tx: Tx,
  lines: readonly InvoiceLine[],
  ids: readonly string[],
): readonly InvoiceLine[] =>
  ids.reduce((rest, id) => {
    const discount = tx.get('discount', id);
    return discount ? discounted(rest, tx.require('coupon', discount.source.coupon), id) : rest;
  }, lines);

/** Incomplete until its first invoice is paid, which the caller collects. */
export const createSubscription = (
  tx: Tx,
  wanted: NewSubscription,
): Readonly<{ subscription: Subscription; invoice: Invoice }> => {
  const draft = newSubscription(tx, wanted);
  const discounts = wanted.coupon === null ? [] : [newDiscount(tx, draft, wanted.coupon, wanted.session).id];
  const period = periodOf(draft);
  const origin = originOf(draft, itemOf(draft));
  const line =
    wanted.trialEnd === null
      ? periodLine(tx, origin, wanted.price, period)
      : trialLine(tx, origin, wanted.price, period);
  tx.put('subscription', draft);
  const invoice = createInvoice(tx, draft, {
    reason: 'subscription_create',
    lines: withDiscounts(tx, [line], discounts),
    period: { start: tx.now, end: tx.now },
  });
  const subscription = {
    ...draft,
    latest_invoice: invoice.id,
    discounts: lastingDiscounts(tx, discounts),
  };
  tx.put('subscription', subscription);
  tx.emit('customer.subscription.created', subscription);
  const open = finalizeInvoice(tx, invoice);
  recordDebits(tx, subscription.id, open);
  return { subscription, invoice: open };
};

export const expireIncomplete = (tx: Tx, subscription: Subscription): void => {
  for (const invoice of invoicesOf(tx, subscription.id)) {
    if (invoice.status !== 'open') continue;
    cancelIntent(tx, invoice.id);
    voidInvoice(tx, invoice);
  }
  updateSubscription(tx, subscription, { status: 'incomplete_expired', ended_at: tx.now });
};

/** With the items of the period that follows: a schedule may change them. */
const inNextPeriod = (tx: Tx, subscription: Subscription): Subscription => {
  const schedule = subscription.schedule === null ? undefined : tx.get('schedule', subscription.schedule);
  const { end } = periodOf(subscription);
  const next = schedule?.phases.find(({ start_date: start }) => start === end);
  return next
    ? { ...subscription, ...withItems(subscription, itemsOfPhase(tx, subscription, next)) }
    : subscription;
};

/** The lines of the period that follows, with prorations that wait for it. */
export const nextPeriodLines = (
  tx: Tx,
  subscription: Subscription,
): Readonly<{ lines: readonly InvoiceLine[]; span: Readonly<{ start: number; end: number }> }> => {
  const after = inNextPeriod(tx, subscription);
  const { price } = itemOf(after);
  const start = periodOf(subscription).end;
  const isSame = isSameInterval(price, itemOf(subscription).price);
  const anchor = isSame ? subscription.billing_cycle_anchor : start;
  const span = { start, end: nextBoundary(anchor, intervalOf(price), start) };
  const own = after.items.data.map((item) => periodLine(tx, originOf(after, item), item.price, span));
  const discounts = lastingDiscounts(tx, subscription.discounts);
  const lines = [...ledgerOf(tx, subscription.id).pendingLines, ...own];
  return { lines: withDiscounts(tx, lines, discounts), span };
};

const endsBy = ({ cancel_at_period_end: atEnd, cancel_at: at }: Subscription, time: number): boolean =>
  atEnd || (at !== null && at <= time);

/** The end of a period: the subscription ends, or the next period begins with an invoice. */
export const renew = (tx: Tx, subscription: Subscription): void => {
  const end = periodOf(subscription).end;
  if (endsBy(subscription, end)) {
    cancelSubscription(tx, subscription, 'cancellation_requested');
    return;
  }
  const { lines, span } = nextPeriodLines(tx, subscription);
  const isCollected = subscription.status !== 'unpaid';
  const draft = createInvoice(tx, subscription, {
    reason: 'subscription_cycle',
    lines,
    period: periodOf(subscription),
  });
  tx.put('invoice', {
    ...draft,
    auto_advance: isCollected,
    automatically_finalizes_at: isCollected ? tx.now + draftSeconds : null,
  });
  recordDebits(tx, subscription.id, draft);
  tx.put('ledger', { ...ledgerOf(tx, subscription.id), pendingLines: [] });
  updateSubscription(tx, subscription, {
    ...withItems(
      subscription,
      subscription.items.data.map((item) => ({
        ...item,
        current_period_start: span.start,
        current_period_end: span.end,
      })),
    ),
    latest_invoice: draft.id,
    status: subscription.status === 'trialing' ? 'active' : subscription.status,
  });
};

/** The hour of the draft is over. */
export const finalizeAndCollect = (tx: Tx, draft: Invoice): void => {
  collect(tx, finalizeInvoice(tx, draft), { onSession: false });
};

/** The reminders before a renewal; the invoice of `invoice.upcoming` has no id yet. */
export const announceRenewal = (tx: Tx, subscription: Subscription): void => {
  const { end } = periodOf(subscription);
  tx.put('ledger', { ...ledgerOf(tx, subscription.id), announcedFor: end });
  if (endsBy(subscription, end)) return;
  if (subscription.status === 'trialing') tx.emit('customer.subscription.trial_will_end', subscription);
  const { id: _, ...preview } = draftInvoice(tx, livingCustomer(tx, subscription.customer), subscription, {
    reason: 'upcoming',
    lines: nextPeriodLines(tx, subscription).lines,
    period: periodOf(subscription),
  });
  tx.emit('invoice.upcoming', { ...preview, next_payment_attempt: end + draftSeconds });
};
