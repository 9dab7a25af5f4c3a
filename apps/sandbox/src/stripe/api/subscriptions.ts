import { assertActive } from '../engine/catalogue.ts';
import { invalid } from '../engine/failure.ts';
import type { Price, Subscription, SubscriptionItem } from '../engine/objects.ts';
import { changePlan, paymentBehaviors, prorationBehaviors, type PlanChange } from '../engine/plan-change.ts';
import {
  cancelSubscription,
  finalStatuses,
  isSameInterval,
  itemOf,
  periodOf,
  updateSubscription,
} from '../engine/subscription-state.ts';
import { addItem, expireIncomplete, newDiscount } from '../engine/subscriptions.ts';
import type { Tx } from '../engine/transaction.ts';
import {
  choiceOf,
  clearable,
  flagOf,
  integerOf,
  mergedMetadata,
  recordOf,
  recordsOf,
  requiredText,
  textOf,
  type Form,
} from './form.ts';
import { page, pageParameters, rangeFilter, rowsOf } from './lists.ts';
import type { Route } from './route.ts';

const sentItem = (form: Form): Form | undefined => {
  const items = recordsOf(form, 'items');
  if (items.length > 1) throw invalid('The sandbox changes one item at a time.', 'items[1]');
  return items[0];
};

const assertInterval = (price: Price, other: SubscriptionItem | undefined): void => {
  if (other && !isSameInterval(price, other.price))
    throw invalid('In the sandbox all items of a subscription have the same interval.', 'items[0][price]');
};

/** A further item in the parameters of an update; undefined when there is none. */
const newItemOf = (
  tx: Tx,
  subscription: Subscription,
  form: Form,
): Readonly<{ price: Price; quantity: number }> | undefined => {
  const sent = sentItem(form);
  if (!sent || textOf(sent, 'id') !== undefined) return undefined;
  const price = tx.require('price', requiredText(sent, 'price'), 'items[0][price]');
  assertActive(price, 'items[0][price]');
  assertInterval(price, itemOf(subscription));
  if (choiceOf(form, 'proration_behavior', prorationBehaviors) !== 'none')
    throw invalid('The sandbox charges a new item from the next period on.', 'proration_behavior');
  return { price, quantity: integerOf(sent, 'quantity') ?? 1 };
};

/** The change of plan in the parameters of an update or a preview; undefined when there is none. */
export const planChangeOf = (tx: Tx, subscription: Subscription, form: Form): PlanChange | undefined => {
  const sent = sentItem(form);
  if (!sent) return undefined;
  const id = requiredText(sent, 'id');
  const item = subscription.items.data.find((one) => one.id === id);
  if (!item) throw invalid(`No such subscription item: '${id}'`, 'items[0][id]', 'resource_missing');
  const price = tx.require('price', textOf(sent, 'price') ?? item.price.id, 'items[0][price]');
  const quantity = integerOf(sent, 'quantity') ?? item.quantity;
  if (price.id === item.price.id && quantity === item.quantity) return undefined;
  if (price.id !== item.price.id) assertActive(price, 'items[0][price]');
  assertInterval(
    price,
    subscription.items.data.find((one) => one.id !== id),
  );
  return {
    item: id,
    price,
    quantity,
    proration: choiceOf(form, 'proration_behavior', prorationBehaviors) ?? 'create_prorations',
    payment: choiceOf(form, 'payment_behavior', paymentBehaviors) ?? 'allow_incomplete',
    time: integerOf(form, 'proration_date') ?? tx.now,
  };
};

const detailsOf = (form: Form): { comment: string | null; feedback: string | null } => {
  const details = recordOf(form, 'cancellation_details') ?? {};
  return {
    comment: clearable(details, 'comment') ?? null,
    feedback: clearable(details, 'feedback') ?? null,
  };
};

const notCanceling = {
  cancel_at: null,
  cancel_at_period_end: false,
  canceled_at: null,
  cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
} as const;

const cancelTime = (tx: Tx, subscription: Subscription, form: Form): number | null => {
  const text = textOf(form, 'cancel_at');
  if (text === 'min_period_end' || text === 'max_period_end') return periodOf(subscription).end;
  const at = integerOf(form, 'cancel_at') ?? null;
  if (at !== null && at <= tx.now)
    throw invalid('The `cancel_at` timestamp must be in the future.', 'cancel_at');
  return at;
};

const cancellationPatch = (tx: Tx, subscription: Subscription, form: Form): Partial<Subscription> => {
  const atPeriodEnd = flagOf(form, 'cancel_at_period_end');
  const isSent = textOf(form, 'cancel_at') !== undefined;
  if (atPeriodEnd === undefined && !isSent) {
    if (recordOf(form, 'cancellation_details') === undefined) return {};
    const before = subscription.cancellation_details ?? notCanceling.cancellation_details;
    return { cancellation_details: { ...before, ...detailsOf(form) } };
  }
  if (subscription.schedule !== null)
    throw invalid(
      `The subscription is managed by the subscription schedule \`${subscription.schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    );
  const at = isSent ? cancelTime(tx, subscription, form) : atPeriodEnd ? periodOf(subscription).end : null;
  if (at === null) return notCanceling;
  return {
    cancel_at: at,
    cancel_at_period_end: atPeriodEnd ?? false,
    canceled_at: subscription.canceled_at ?? tx.now,
    cancellation_details: {
      feedback_option: null,
      ...detailsOf(form),
      reason: 'cancellation_requested',
    },
  };
};

const fieldsAfterEnd = new Set(['metadata', 'cancellation_details', 'expand']);

const checkUpdate = (subscription: Subscription, form: Form): void => {
  if (finalStatuses.has(subscription.status) && Object.keys(form).some((name) => !fieldsAfterEnd.has(name)))
    throw invalid(
      'A canceled subscription can only update its cancellation_details and metadata.',
      undefined,
      'invalid_canceled_subscription_fields',
    );
  if (form['payment_behavior'] === 'pending_if_incomplete' && form['default_payment_method'] !== undefined)
    throw invalid(
      'When payment_behavior is set to pending_if_incomplete, you cannot pass default_payment_method.',
      'default_payment_method',
    );
};

const methodPatch = (tx: Tx, form: Form): Partial<Subscription> => {
  const method = clearable(form, 'default_payment_method');
  if (typeof method === 'string') tx.require('payment_method', method, 'default_payment_method');
  return method === undefined ? {} : { default_payment_method: method };
};

/** Those that are sent replace those that it has. */
const discountPatch = (tx: Tx, subscription: Subscription, form: Form): Partial<Subscription> => {
  if (form['discounts'] === undefined) return {};
  const discounts = recordsOf(form, 'discounts').map((sent) => {
    const coupon = textOf(sent, 'coupon');
    if (coupon === undefined) return tx.require('discount', requiredText(sent, 'discount'), 'discounts').id;
    tx.require('coupon', coupon, 'discounts[0][coupon]');
    return newDiscount(tx, subscription, coupon, null).id;
  });
  return { discounts };
};

const update = (tx: Tx, form: Form, subscription: Subscription): Subscription => {
  checkUpdate(subscription, form);
  const patched = updateSubscription(tx, subscription, {
    ...methodPatch(tx, form),
    ...discountPatch(tx, subscription, form),
    metadata: mergedMetadata(form, subscription.metadata),
    ...cancellationPatch(tx, subscription, form),
  });
  const added = newItemOf(tx, patched, form);
  if (added) return addItem(tx, patched, added);
  const wanted = planChangeOf(tx, patched, form);
  return wanted ? changePlan(tx, patched, wanted) : patched;
};

const isListed = (form: Form): ((subscription: Subscription) => boolean) => {
  const status = textOf(form, 'status');
  if (status === 'all') return () => true;
  if (status === 'ended') return (row) => finalStatuses.has(row.status);
  if (status !== undefined) return (row) => row.status === status;
  return (row) => row.status !== 'canceled';
};

const cancel = (tx: Tx, form: Form, subscription: Subscription): Subscription => {
  if (finalStatuses.has(subscription.status))
    throw invalid(`No such subscription: '${subscription.id}'`, 'id', 'resource_missing');
  if (subscription.status === 'incomplete') {
    expireIncomplete(tx, subscription);
    return tx.require('subscription', subscription.id);
  }
  return cancelSubscription(tx, subscription, 'cancellation_requested', detailsOf(form));
};

const path = '/v1/subscriptions';

export const subscriptionRoutes: readonly Route[] = [
  {
    method: 'GET',
    path,
    accepts: [
      ...pageParameters,
      'status',
      'customer',
      'price',
      'created',
      'current_period_end',
      'current_period_start',
    ],
    run: ({ tx, form }) => {
      const ends = rangeFilter(form, 'current_period_end');
      const starts = rangeFilter(form, 'current_period_start');
      const isCreated = rangeFilter(form, 'created');
      const price = textOf(form, 'price');
      const rows = rowsOf(tx, 'subscription', textOf(form, 'customer'))
        .filter(isListed(form))
        .filter((row) => ends(periodOf(row).end) && starts(periodOf(row).start) && isCreated(row.created))
        .filter((row) => price === undefined || row.items.data.some((item) => item.price.id === price));
      return page(rows.toReversed(), form, path);
    },
  },
  { method: 'GET', path: `${path}/:id`, accepts: [], run: ({ tx, id }) => tx.require('subscription', id) },
  {
    method: 'POST',
    path: `${path}/:id`,
    accepts: [
      'items',
      'proration_behavior',
      'proration_date',
      'payment_behavior',
      'cancel_at_period_end',
      'cancel_at',
      'cancellation_details',
      'discounts',
      'default_payment_method',
      'metadata',
      'off_session',
    ],
    run: ({ tx, form, id }) => update(tx, form, tx.require('subscription', id)),
  },
  {
    method: 'DELETE',
    path: `${path}/:id`,
    accepts: ['cancellation_details', 'invoice_now', 'prorate'],
    run: ({ tx, form, id }) => cancel(tx, form, tx.require('subscription', id)),
  },
  {
    method: 'POST',
    path: `${path}/:id/resume`,
    accepts: [],
    run: ({ tx, id }) => {
      const subscription = tx.require('subscription', id);
      if (subscription.status !== 'paused') throw invalid('Only a paused subscription can be resumed.');
      const resumed = updateSubscription(tx, subscription, { status: 'active' });
      tx.emit('customer.subscription.resumed', resumed);
      return resumed;
    },
  },
];
