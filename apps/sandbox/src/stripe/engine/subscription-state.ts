import { boundary, type Interval } from './calendar.ts';
import { planOf } from './catalogue.ts';
import { discountOf } from './invoice-lines.ts';
import { stopCollecting } from './invoices.ts';
import { invalid } from './failure.ts';
import type {
  Invoice,
  InvoiceLine,
  Price,
  SchedulePhase,
  Subscription,
  SubscriptionItem,
} from './objects.ts';
import type { Debit, SubscriptionLedger } from './tables.ts';
import { change, previousOf, type Tx } from './transaction.ts';

export const finalStatuses: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired']);

/** The one with this id, otherwise the first: all items of a subscription have the same period. */
export const itemOf = ({ items }: Subscription, id?: string): SubscriptionItem => {
  const item = id === undefined ? items.data[0] : items.data.find((one) => one.id === id);
  if (!item) throw new Error('A subscription has an item.');
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

export const withItems = (
  { items }: Subscription,
  data: readonly SubscriptionItem[],
): Pick<Subscription, 'items'> => ({ items: { ...items, data: [...data] } });

export const originOf = (
  subscription: Subscription,
  { id: item, quantity }: SubscriptionItem,
): Readonly<{ subscription: string; item: string; quantity: number }> => ({
  subscription: subscription.id,
  item,
  quantity,
});

export const updateSubscription = (
  tx: Tx,
  subscription: Subscription,
  patch: Partial<Subscription>,
): Subscription => change(tx, 'subscription', subscription, patch, 'customer.subscription.updated');

export const ledgerOf = (tx: Tx, id: string): SubscriptionLedger =>
  tx.get('ledger', id) ?? { id, debits: [], pendingLines: [], failRenewals: 0, announcedFor: 0 };

const itemIn = ({ parent }: InvoiceLine): string =>
  parent?.subscription_item_details?.subscription_item ?? '';

const debitOf = (invoice: string, line: InvoiceLine): Debit => ({
  invoice,
  item: itemIn(line),
  line: line.id,
  price: line.pricing.price_details.price,
  amount: line.amount - discountOf(line),
  start: line.period.start,
  end: line.period.end,
});

/** What was charged for an item. */
export const debitsOf = (tx: Tx, subscription: string, item: string): readonly Debit[] =>
  ledgerOf(tx, subscription).debits.filter((debit) => debit.item === undefined || debit.item === item);

/** From now on a change of an item credits what was charged for it last. */
export const withDebits = (
  tx: Tx,
  subscription: string,
  items: readonly string[],
  debits: readonly Debit[],
): SubscriptionLedger => {
  const ledger = ledgerOf(tx, subscription);
  const others = ledger.debits.filter(({ item }) => item !== undefined && !items.includes(item));
  return { ...ledger, debits: [...others, ...debits] };
};

export const recordDebits = (tx: Tx, subscription: string, { id, lines }: Invoice): void => {
  const debits = lines.data.filter(({ amount }) => amount > 0).map((line) => debitOf(id, line));
  tx.put('ledger', withDebits(tx, subscription, lines.data.map(itemIn), debits));
};

/** An item at another price; with another interval its period begins at `time`. */
export const itemWithPrice = (
  item: SubscriptionItem,
  price: Price,
  quantity: number,
  time: number,
): SubscriptionItem => {
  const period = isSameInterval(item.price, price)
    ? {}
    : { current_period_start: time, current_period_end: boundary(time, intervalOf(price), 1) };
  return { ...item, price, plan: planOf(price), quantity, ...period };
};

/** What a phase makes of the items: those of the same price stay, the others get the prices that are left or are removed. */
export const itemsOfPhase = (
  tx: Tx,
  { items: { data } }: Subscription,
  { items }: SchedulePhase,
): readonly SubscriptionItem[] => {
  const other = data.filter((item) => !items.some(({ price }) => price === item.price.id));
  const left = items.filter(({ price }) => !data.some((item) => item.price.id === price));
  if (left.length > other.length)
    throw invalid('The sandbox adds no item by a schedule.', 'phases[0][items]');
  return data.flatMap((item) => {
    const next = items.find(({ price }) => price === item.price.id) ?? left[other.indexOf(item)];
    if (!next) return [];
    const price = tx.require('price', next.price);
    return [{ ...item, price, plan: planOf(price), quantity: next.quantity }];
  });
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
