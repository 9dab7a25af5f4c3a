import { defineProjection, dueDatesTable, type RecordedEvent, type RowChange } from '@tapedeck/eventing';
import { type CheckoutEvent, checkoutEvents } from '../domain/checkout.ts';
import type {
  ClaimPeriodEnded,
  ClaimReminderDue,
  PaymentClaimed,
  PaymentTransferred,
  PurchaseUnclaimed,
} from '../domain/subscription-events.ts';
import { remindDays } from '../domain/record-subscription.ts';

const table = 'payment_due';
const hourMs = 3_600_000;

type Read =
  | CheckoutEvent
  | PurchaseUnclaimed
  | ClaimReminderDue
  | PaymentClaimed
  | PaymentTransferred
  | ClaimPeriodEnded;

const hoursAfter = (time: string, hours: number): string =>
  new Date(Date.parse(time) + hours * hourMs).toISOString();

const reminder = (day: number): string => `reminder ${day}`;
const ofClaim = ['refund', ...remindDays.map(reminder)];

const changesOf = ({ type, data, stream, metadata }: RecordedEvent<Read>): readonly RowChange[] => {
  const put = (
    kind: string,
    at: string,
    details: Readonly<Record<string, string | number>> = {},
  ): RowChange => ({
    op: 'put',
    table,
    key: { stream, kind },
    row: { due_at: at, details },
  });
  const remove = (kind: string): RowChange => ({ op: 'remove', table, key: { stream, kind } });
  switch (type) {
    case 'CheckoutStarted':
      // A session lives for a day; one that was never made has no end of its own.
      return [put('expiry', hoursAfter(metadata.occurredAt, 25))];
    case 'CheckoutSessionOpened':
      return [put('expiry', hoursAfter(data.expiresAt, 1))];
    case 'CheckoutPaid':
    case 'CheckoutRefused':
    case 'CheckoutExpired':
      return [remove('expiry')];
    case 'PurchaseUnclaimed': {
      const { refundAt, remindAt } = data;
      const reminders = remindAt.map(({ day, at }) => put(reminder(day), at, { day, refundAt }));
      return [put('refund', refundAt), ...reminders];
    }
    case 'ClaimReminderDue':
      return [remove(reminder(data.day))];
    case 'PaymentClaimed':
    case 'PaymentTransferred':
    case 'ClaimPeriodEnded':
      return ofClaim.map(remove);
    default:
      return type satisfies never;
  }
};

/** When checkouts expire, and when an unclaimed purchase is reminded of and refunded. */
export const paymentDue = defineProjection<Read>({
  name: 'payment_due',
  version: 1,
  database: 'tapedeck',
  replay: { compares: { payment_due: 'Date of the purchase' } },
  types: {
    ...checkoutEvents,
    PurchaseUnclaimed: true,
    ClaimReminderDue: true,
    PaymentClaimed: true,
    PaymentTransferred: true,
    ClaimPeriodEnded: true,
  },
  tables: [dueDatesTable(table)],
  fold: (events) => events.flatMap(changesOf),
});
