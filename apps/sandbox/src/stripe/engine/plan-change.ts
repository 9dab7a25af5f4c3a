import { collect, discardPendingUpdate } from './collection.ts';
import { livingCustomer } from './customers.ts';
import { invalid, StripeFailure } from './failure.ts';
import { creditLines, periodLine, remainingLine } from './invoice-lines.ts';
import { createInvoice, draftInvoice, finalizeInvoice, type InvoicePurpose } from './invoices.ts';
import type { Invoice, InvoiceLine, Price, Subscription } from './objects.ts';
import { paymentIntentOf } from './payments.ts';
import { nextPeriodLines } from './subscriptions.ts';
import {
  debitsOf,
  isSameInterval,
  itemOf,
  itemWithPrice,
  ledgerOf,
  originOf,
  periodOf,
  recordDebits,
  updateSubscription,
  withDebits,
  withItems,
} from './subscription-state.ts';
import type { Tx } from './transaction.ts';

export const prorationBehaviors = ['always_invoice', 'create_prorations', 'none'] as const;
export const paymentBehaviors = [
  'allow_incomplete',
  'default_incomplete',
  'error_if_incomplete',
  'pending_if_incomplete',
] as const;

export type PlanChange = Readonly<{
  /** Its id; the other items stay as they are. */
  item: string;
  price: Price;
  quantity: number;
  proration: (typeof prorationBehaviors)[number];
  payment: (typeof paymentBehaviors)[number];
  /** From when the old plan is credited and the new one charged. */
  time: number;
}>;

const pendingSeconds = 23 * 3_600;

export const checkProrationDate = (subscription: Subscription, time: number): void => {
  const { start, end } = periodOf(subscription);
  if (time < start || time > end)
    throw invalid(
      'Cannot specify a proration_date outside of the current period of the subscription.',
      'proration_date',
    );
};

const isTrial = ({ status }: Subscription): boolean => status === 'trialing';

const prorations = (tx: Tx, subscription: Subscription, wanted: PlanChange): readonly InvoiceLine[] => {
  if (isTrial(subscription)) return [];
  const item = itemOf(subscription, wanted.item);
  const origin = { ...originOf(subscription, item), quantity: wanted.quantity };
  const isSame = isSameInterval(item.price, wanted.price);
  const after = itemWithPrice(item, wanted.price, wanted.quantity, wanted.time);
  const period = { start: after.current_period_start, end: after.current_period_end };
  if (wanted.proration === 'none') return isSame ? [] : [periodLine(tx, origin, wanted.price, period)];
  return [
    ...creditLines(tx, originOf(subscription, item), debitsOf(tx, subscription.id, item.id), wanted.time),
    isSame
      ? remainingLine(tx, origin, wanted.price, period, wanted.time)
      : periodLine(tx, origin, wanted.price, period),
  ];
};

/** A change of the interval begins a new period, which is invoiced at once whatever is asked for. */
const isInvoicedNow = (subscription: Subscription, { item, price, proration }: PlanChange): boolean =>
  proration === 'always_invoice' || !isSameInterval(itemOf(subscription, item).price, price);

const purposeOf = (
  subscription: Subscription,
  wanted: PlanChange,
  lines: readonly InvoiceLine[],
): InvoicePurpose => ({
  reason: 'subscription_update',
  lines,
  period: { start: periodOf(subscription).start, end: wanted.time },
  prorationDate: wanted.time,
});

const changedSubscription = (
  subscription: Subscription,
  { item, price, quantity, time }: PlanChange,
): Pick<Subscription, 'items' | 'billing_cycle_anchor'> => {
  const isSame = isSameInterval(itemOf(subscription, item).price, price);
  const changed = subscription.items.data.map((one) =>
    one.id === item ? itemWithPrice(one, price, quantity, time) : one,
  );
  return {
    ...withItems(subscription, changed),
    billing_cycle_anchor: isSame ? subscription.billing_cycle_anchor : time,
  };
};

const openInvoice = (tx: Tx, subscription: Subscription, wanted: PlanChange): Invoice =>
  finalizeInvoice(
    tx,
    createInvoice(tx, subscription, purposeOf(subscription, wanted, prorations(tx, subscription, wanted))),
  );

/** The plan changes only when it is paid; until then the change is pending. */
const changeWhenPaid = (tx: Tx, subscription: Subscription, wanted: PlanChange): Subscription => {
  const { invoice, result } = collect(tx, openInvoice(tx, subscription, wanted), {
    onSession: false,
    isTriedAgain: false,
  });
  const after = changedSubscription(subscription, wanted);
  if (result.kind === 'paid') {
    recordDebits(tx, subscription.id, invoice);
    const status = subscription.status === 'past_due' ? 'active' : subscription.status;
    return updateSubscription(tx, subscription, { ...after, latest_invoice: invoice.id, status });
  }
  if (wanted.payment === 'error_if_incomplete') {
    const intent = paymentIntentOf(tx, invoice.id);
    throw new StripeFailure(402, {
      type: 'card_error',
      code: result.kind === 'declined' ? result.code : 'subscription_payment_intent_requires_action',
      message: result.kind === 'declined' ? result.message : 'The payment needs a confirmation by the buyer.',
      ...(result.kind === 'declined' ? { decline_code: result.declineCode } : {}),
      ...(intent ? { payment_intent: intent } : {}),
    });
  }
  return updateSubscription(tx, subscription, {
    latest_invoice: invoice.id,
    pending_update: {
      billing_cycle_anchor:
        after.billing_cycle_anchor === subscription.billing_cycle_anchor ? null : after.billing_cycle_anchor,
      cancel_at_period_end: null,
      discount: null,
      discounts: null,
      expires_at: Math.min(tx.now + pendingSeconds, periodOf(subscription).end),
      metadata: null,
      subscription_items: after.items.data,
      trial_end: null,
      trial_from_plan: null,
    },
  });
};

/** The plan changes at once, and is past due when it cannot be paid. */
const changeAndCollect = (tx: Tx, subscription: Subscription, wanted: PlanChange): Subscription => {
  const invoice = openInvoice(tx, subscription, wanted);
  recordDebits(tx, subscription.id, invoice);
  const changed = updateSubscription(tx, subscription, {
    ...changedSubscription(subscription, wanted),
    latest_invoice: invoice.id,
  });
  collect(tx, invoice, { onSession: false });
  return tx.require('subscription', changed.id);
};

/** The prorations wait for the next invoice. */
const changeLater = (tx: Tx, subscription: Subscription, wanted: PlanChange): Subscription => {
  const lines = prorations(tx, subscription, wanted);
  const ledger = ledgerOf(tx, subscription.id);
  const debits = lines
    .filter(({ amount }) => amount > 0)
    .map(({ id, amount, period }) => ({
      invoice: '',
      item: wanted.item,
      line: id,
      price: wanted.price.id,
      amount,
      start: period.start,
      end: period.end,
    }));
  tx.put('ledger', {
    ...(wanted.proration === 'none' ? ledger : withDebits(tx, subscription.id, [wanted.item], debits)),
    pendingLines: [...ledger.pendingLines, ...lines],
  });
  return updateSubscription(tx, subscription, changedSubscription(subscription, wanted));
};

export const changePlan = (tx: Tx, before: Subscription, wanted: PlanChange): Subscription => {
  const subscription = discardPendingUpdate(tx, before);
  checkProrationDate(subscription, wanted.time);
  if (!isInvoicedNow(subscription, wanted) || isTrial(subscription))
    return changeLater(tx, subscription, wanted);
  const onlyIfPaid = wanted.payment === 'pending_if_incomplete' || wanted.payment === 'error_if_incomplete';
  return onlyIfPaid ? changeWhenPaid(tx, subscription, wanted) : changeAndCollect(tx, subscription, wanted);
};

/** The invoice that a change would make, or the next one; nothing is stored. */
export const previewInvoice = (
  tx: Tx,
  subscription: Subscription,
  wanted: PlanChange | undefined,
): Invoice => {
  const customer = livingCustomer(tx, subscription.customer);
  const preview = (purpose: InvoicePurpose): Invoice => {
    const draft = draftInvoice(tx, customer, subscription, purpose);
    return { ...draft, id: `upcoming_${draft.id}`, auto_advance: false };
  };
  if (!wanted) {
    const { lines } = nextPeriodLines(tx, subscription);
    return preview({ reason: 'upcoming', lines, period: periodOf(subscription) });
  }
  checkProrationDate(subscription, wanted.time);
  const lines = prorations(tx, subscription, wanted);
  if (isInvoicedNow(subscription, wanted))
    return preview({ ...purposeOf(subscription, wanted, lines), reason: 'upcoming' });
  const next = nextPeriodLines(tx, { ...subscription, ...changedSubscription(subscription, wanted) });
  return preview({
    reason: 'upcoming',
    lines: [...lines, ...next.lines],
    period: periodOf(subscription),
    prorationDate: wanted.time,
  });
};
