import { boundary, type Interval } from './calendar.ts';
import { planOf } from './catalogue.ts';
import { discountOf } from './invoice-lines.ts';
import { stopCollecting } from './invoices.ts';
import type { Invoice, InvoiceLine, Price, Subscription, SubscriptionItem } from './objects.ts';
import type { Debit, SubscriptionLedger } from './tables.ts';
import { change, previousOf, type Tx } from './transaction.ts';

export const finalStatuses: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired']);

export const itemOf = ({ items }: Subscription): SubscriptionItem => {
  const [item] = items.data;
  if (!item) throw new Error('A subscription has one item.');
  return item;
};

export const periodOf = (subscription: Subscription): Readonly<{ start: number; end: number }> => {
  const { current_period_start: start, current_period_end: end } = itemOf(subscription);
  return { start, end };
};

export const intervalOf = ({ recurring }: Price): Interval => ({
  interval: recurring.interval,
  count: recurring.interval_count,
});

export const isSameInterval = (one: Price, other: Price): boolean =>
  one.recurring.interval === other.recurring.interval &&
  one.recurring.interval_count === other.recurring.interval_count;

export const withItem = (
  subscription: Subscription,
  patch: Partial<SubscriptionItem>,
): Pick<Subscription, 'items'> => ({
  items: { ...subscription.items, data: [{ ...itemOf(subscription), ...patch }] },
});

export const originOf = (
  subscription: Subscription,
): Readonly<{ subscription: string; item: string; quantity: number }> => ({
  subscription: subscription.id,
  item: itemOf(subscription).id,
  quantity: itemOf(subscription).quantity,
});

export const updateSubscription = (
  tx: Tx,
  subscription: Subscription,
  patch: Partial<Subscription>,
): Subscription => change(tx, 'subscription', subscription, patch, 'customer.subscription.updated');

export const ledgerOf = (tx: Tx, id: string): SubscriptionLedger =>
  tx.get('ledger', id) ?? { id, debits: [], pendingLines: [], failRenewals: 0, announcedFor: 0 };

const debitOf = (invoice: Invoice, line: InvoiceLine): Debit => ({
  invoice: invoice.id,
  line: line.id,
  price: line.pricing.price_details.price,
  amount: line.amount - discountOf(line),
  start: line.period.start,
  end: line.period.end,
});

/** From now on a change of plan credits what this invoice has charged. */
export const recordDebits = (tx: Tx, subscription: string, invoice: Invoice): void => {
  const charged = invoice.lines.data.filter(({ amount }) => amount > 0);
  tx.put('ledger', {
    ...ledgerOf(tx, subscription),
    debits: charged.map((line) => debitOf(invoice, line)),
  });
};

/** The item with another price; with another interval the period begins at `time`. */
export const itemWithPrice = (
  subscription: Subscription,
  price: Price,
  quantity: number,
  time: number,
): SubscriptionItem => {
  const item = itemOf(subscription);
  const period = isSameInterval(item.price, price)
    ? {}
    : { current_period_start: time, current_period_end: boundary(time, intervalOf(price), 1) };
  return { ...item, price, plan: planOf(price), quantity, ...period };
};

export const cancelSubscription = (
  tx: Tx,
  subscription: Subscription,
  reason: 'cancellation_requested' | 'payment_failed' | 'payment_disputed',
  details: Partial<NonNullable<Subscription['cancellation_details']>> = {},
): Subscription => {
  stopCollecting(tx, subscription.id);
  releaseSchedule(tx, subscription, 'canceled');
  const canceled: Subscription = {
    ...subscription,
    status: 'canceled',
    schedule: null,
    canceled_at: subscription.canceled_at ?? tx.now,
    ended_at: tx.now,
    pending_update: null,
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      ...subscription.cancellation_details,
      ...details,
      reason,
    },
  };
  tx.put('subscription', canceled);
  tx.emit('customer.subscription.deleted', canceled);
  return canceled;
};

/** The schedule ends; the subscription goes on without it, or has ended. */
export const releaseSchedule = (
  tx: Tx,
  subscription: Subscription,
  status: 'released' | 'canceled' | 'completed',
): void => {
  const schedule = subscription.schedule === null ? undefined : tx.get('schedule', subscription.schedule);
  if (schedule?.status !== 'active' && schedule?.status !== 'not_started') return;
  const ended = {
    ...schedule,
    status,
    current_phase: null,
    ...(status === 'released'
      ? { released_at: tx.now, released_subscription: subscription.id, subscription: null }
      : {}),
    ...(status === 'canceled' ? { canceled_at: tx.now } : {}),
    ...(status === 'completed' ? { completed_at: tx.now } : {}),
  };
  tx.put('schedule', ended);
  tx.emit(`subscription_schedule.${status}`, ended, previousOf(schedule, ended));
};
