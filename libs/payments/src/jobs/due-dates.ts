import { dispatch, type Dispatch, type DueDates, type DueRow } from '@tapedeck/eventing';
import { checkouts } from '../domain/checkout.ts';
import { subscriptions } from '../domain/decide-subscription.ts';

const commandFor = ({ stream, kind, due_at: dueAt, details }: DueRow): Dispatch => {
  if (kind === 'expiry') return dispatch(checkouts, stream, { type: 'ExpireCheckout' });
  if (kind === 'refund')
    return dispatch(subscriptions, stream, { type: 'RefundUnclaimed', now: dueAt.toISOString() });
  return dispatch(subscriptions, stream, {
    type: 'RemindOfClaim',
    day: Number(details['day']),
    refundAt: String(details['refundAt']),
  });
};

export const paymentDueDates: readonly DueDates[] = [
  {
    name: 'payment-due-dates',
    projection: 'payment_due',
    table: 'payment_due',
    dispatch: (row) => [commandFor(row)],
  },
];
