import { dispatch, type Dispatch, type DueDates, type DueRow } from '@tapedeck/eventing';
import { checkouts } from '../domain/checkout.ts';
import { subscriptions } from '../domain/decide-subscription.ts';

const commandFor = ({ stream, kind, due_at: dueAt, details }: DueRow, now: string): Dispatch => {
  const text = (name: string): string => String(details[name]);
  switch (kind.split(' ')[0]) {
    case 'expiry':
      return dispatch(checkouts, stream, { type: 'ExpireCheckout' });
    case 'refund':
      return dispatch(subscriptions, stream, { type: 'RefundUnclaimed', now: dueAt.toISOString() });
    case 'renewal':
      return dispatch(subscriptions, stream, {
        type: 'NoticeRenewal',
        subscriptionId: text('subscriptionId'),
        invoiceId: text('invoiceId'),
        days: Number(details['days']),
        renewsAt: text('renewsAt'),
      });
    case 'card':
      return dispatch(subscriptions, stream, {
        type: 'NoticeCard',
        subscriptionId: text('subscriptionId'),
        expiresAt: text('expiresAt'),
      });
    case 'price':
      return dispatch(subscriptions, stream, {
        type: 'ApplyPrice',
        announcementId: text('announcementId'),
        now,
      });
    default:
      return dispatch(subscriptions, stream, {
        type: 'RemindOfClaim',
        day: Number(details['day']),
        refundAt: text('refundAt'),
      });
  }
};

export const paymentDueDates: readonly DueDates[] = [
  {
    name: 'payment-due-dates',
    projection: 'payment_due',
    table: 'payment_due',
    dispatch: (row, now) => [commandFor(row, now)],
  },
];
