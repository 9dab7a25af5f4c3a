import { collect, expirePendingUpdate } from './collection.ts';
import { expireSession } from './checkout.ts';
import { settleRefund } from './refunds.ts';
import { advanceSchedule } from './schedules.ts';
import {
  announceRenewal,
  expireIncomplete,
  finalizeAndCollect,
  incompleteSeconds,
  renew,
  upcomingSeconds,
} from './subscriptions.ts';
import { cancelSubscription, periodOf } from './subscription-state.ts';
import type { Subscription } from './objects.ts';
import type { Change, Kind, SubscriptionLedger } from './tables.ts';
import type { Tx } from './transaction.ts';

/** Work of one row at one time. Rows of the same time are done in the order of `dueKinds`. */
export type Due = Readonly<{ at: number; kind: Kind; id: string }>;

export const dueKinds: readonly Kind[] = ['schedule', 'session', 'subscription', 'invoice', 'refund_outcome'];

const never = Number.POSITIVE_INFINITY;

const subscriptionDue = (subscription: Subscription, ledger: SubscriptionLedger | undefined): number => {
  const { status, created, cancel_at: cancelAt, pending_update: update } = subscription;
  const period = periodOf(subscription);
  if (status === 'canceled' || status === 'incomplete_expired') return never;
  if (status === 'incomplete') return created + incompleteSeconds;
  if (status === 'paused') return cancelAt ?? never;
  const announcement = ledger?.announcedFor === period.end ? never : period.end - upcomingSeconds;
  // A period shorter than the notice is announced at its start.
  const upcoming = Math.max(announcement, period.start);
  return Math.min(period.end, cancelAt ?? never, update?.expires_at ?? never, upcoming);
};

/** When a row next does something by itself, in seconds; infinity when it does not. */
export const dueOf = (
  [kind, , row]: Change,
  ledgerOf: (id: string) => SubscriptionLedger | undefined,
): number => {
  if (row === null) return never;
  switch (kind) {
    case 'session':
      return row.status === 'open' ? row.expires_at : never;
    case 'subscription':
      return subscriptionDue(row, ledgerOf(row.id));
    case 'schedule':
      return row.status === 'active' ? (row.current_phase?.end_date ?? never) : never;
    case 'invoice':
      if (row.status === 'draft') return row.automatically_finalizes_at ?? never;
      return row.status === 'open' ? (row.next_payment_attempt ?? never) : never;
    case 'refund_outcome':
      return row.at;
    default:
      return never;
  }
};

const subscriptionWork = (tx: Tx, subscription: Subscription): void => {
  const { status, cancel_at: cancelAt, pending_update: update } = subscription;
  if (status === 'incomplete') expireIncomplete(tx, subscription);
  else if (update && update.expires_at <= tx.now) expirePendingUpdate(tx, subscription);
  else if (cancelAt !== null && cancelAt <= tx.now)
    cancelSubscription(tx, subscription, 'cancellation_requested');
  else if (periodOf(subscription).end <= tx.now) renew(tx, subscription);
  else announceRenewal(tx, subscription);
};

/** Does what is due of one row. */
export const doDueWork = (tx: Tx, { kind, id }: Due): void => {
  switch (kind) {
    case 'session':
      expireSession(tx, tx.require('session', id));
      return;
    case 'subscription':
      subscriptionWork(tx, tx.require('subscription', id));
      return;
    case 'schedule':
      advanceSchedule(tx, tx.require('schedule', id));
      return;
    case 'invoice': {
      const invoice = tx.require('invoice', id);
      if (invoice.status === 'draft') finalizeAndCollect(tx, invoice);
      else collect(tx, invoice, { onSession: false });
      return;
    }
    case 'refund_outcome':
      settleRefund(tx, tx.require('refund_outcome', id));
      return;
    default:
      throw new Error(`Nothing is due for ${kind}.`);
  }
};
