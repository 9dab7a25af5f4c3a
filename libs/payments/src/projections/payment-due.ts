import { daysAfter } from '@tapedeck/kernel';
import {
  defineProjection,
  dueDatesTable,
  type RecordedEvent,
  type RowChange,
  type SealedEvent,
} from '@tapedeck/eventing';
import { type CheckoutEvent, checkoutEvents } from '../domain/checkout.ts';
import { priceIsDueAt } from '../domain/price-notice.ts';
import { cardNoticeAt, renewalNoticeDays } from '../domain/notices.ts';
import type {
  AnnouncedPriceDue,
  CardNoticeDue,
  ClaimPeriodEnded,
  ClaimReminderDue,
  PaymentClaimed,
  PaymentRecorded,
  PaymentTransferred,
  PriceNoticeGiven,
  PriceNoticeWithdrawn,
  PurchaseUnclaimed,
  RenewalNoticeDue,
  SubscriptionObserved,
} from '../domain/subscription-events.ts';
import { finalStatuses } from '../domain/subscription.ts';
import { remindDays } from '../domain/record-subscription.ts';

const table = 'payment_due';
const hourMs = 3_600_000;

type Read =
  | CheckoutEvent
  | PurchaseUnclaimed
  | ClaimReminderDue
  | PaymentClaimed
  | PaymentTransferred
  | ClaimPeriodEnded
  | PaymentRecorded
  | SubscriptionObserved
  | RenewalNoticeDue
  | CardNoticeDue
  | PriceNoticeGiven
  | PriceNoticeWithdrawn
  | AnnouncedPriceDue;

type Recorded = RecordedEvent<SealedEvent<Read>>;

const hoursAfter = (time: string, hours: number): string =>
  new Date(Date.parse(time) + hours * hourMs).toISOString();

const reminder = (day: number): string => `reminder ${day}`;
const ofClaim = ['refund', ...remindDays.map(reminder)];

const renewal = (days: number, invoiceId: string): string => `renewal ${days} ${invoiceId}`;
const card = 'card';
const price = 'price';

type Put = (kind: string, at: string, details?: Readonly<Record<string, string | number>>) => RowChange;

/** A row for each invoice: what was noticed once is not put again by a later payment for the same period. */
const renewalNotices = (
  { subscriptionId, invoiceId, plan, periodEnd, paidAt }: PaymentRecorded['data'],
  put: Put,
): readonly RowChange[] => {
  if (plan?.period !== 'annual') return [];
  return renewalNoticeDays
    .map((days) => ({ days, at: daysAfter(periodEnd, -days) }))
    .filter(({ at }) => at > paidAt)
    .map(({ days, at }) =>
      put(renewal(days, invoiceId), at, { subscriptionId, invoiceId, days, renewsAt: periodEnd }),
    );
};

/** None of a card whose last month has begun: it was noticed, or was as old when it was given. */
const cardNotice = (
  { subscriptionId, status, cardExpiresAt: expiresAt, observedAt }: SealedEvent<SubscriptionObserved>['data'],
  put: Put,
): RowChange | undefined => {
  if (expiresAt === undefined || finalStatuses.includes(status)) return undefined;
  const at = cardNoticeAt(expiresAt);
  return at > observedAt ? put(card, at, { subscriptionId, expiresAt }) : undefined;
};

const changesOf = ({ type, data, stream, metadata }: Recorded): readonly RowChange[] => {
  const put: Put = (kind, at, details = {}) => ({
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
    case 'PaymentRecorded':
      return renewalNotices(data, put);
    case 'RenewalNoticeDue':
      return [remove(renewal(data.days, data.invoiceId))];
    case 'SubscriptionObserved':
      return [cardNotice(data, put) ?? remove(card)];
    case 'PriceNoticeGiven': {
      const { announcementId, renewsAt } = data;
      return [put(price, priceIsDueAt(renewsAt), { announcementId })];
    }
    case 'PriceNoticeWithdrawn':
    case 'AnnouncedPriceDue':
      return [remove(price)];
    case 'CardNoticeDue':
      return [remove(card)];
    case 'PaymentClaimed':
    case 'PaymentTransferred':
    case 'ClaimPeriodEnded':
      return ofClaim.map(remove);
    default:
      return type satisfies never;
  }
};

/** When checkouts expire, when an unclaimed purchase is reminded of and refunded, when a renewal or a card is noticed, and a price applied. */
export const paymentDue = defineProjection<Read>({
  name: 'payment_due',
  version: 3,
  database: 'tapedeck',
  replay: { compares: { payment_due: 'Date of the purchase' } },
  types: {
    ...checkoutEvents,
    PurchaseUnclaimed: true,
    ClaimReminderDue: true,
    PaymentClaimed: true,
    PaymentTransferred: true,
    ClaimPeriodEnded: true,
    PaymentRecorded: true,
    SubscriptionObserved: true,
    RenewalNoticeDue: true,
    CardNoticeDue: true,
    PriceNoticeGiven: true,
    PriceNoticeWithdrawn: true,
    AnnouncedPriceDue: true,
  },
  tables: [dueDatesTable(table)],
  fold: (events) => events.flatMap(changesOf),
});
