import { day, february, intentId, paidInvoice, pro, record, snapshot } from './snapshots.ts';
import type { SubscriptionCommand } from '../domain/decide-subscription.ts';
import type { Announcement } from '../domain/price-change.ts';
import type { SubscriptionEvent } from '../domain/subscription-events.ts';
import { after, bob, requestsAfter } from './subscription-history.ts';

export const announcement: Announcement = {
  announcementId: 'raise',
  plan: pro,
  amount: 1_499,
  currency: 'usd',
  from: day('03-01'),
  noticeDays: 30,
  announcedAt: day('01-10'),
};
export const notice = (given: Partial<Announcement> = {}, now = day('01-10')): SubscriptionCommand => ({
  type: 'NoticePrice',
  announcement: { ...announcement, ...given },
  now,
});
export const apply = (now = day('02-28'), announcementId = 'raise'): SubscriptionCommand => ({
  type: 'ApplyPrice',
  announcementId,
  now,
});
export const withdraw: SubscriptionCommand = {
  type: 'WithdrawPriceNotice',
  announcementIds: ['raise'],
  now: day('02-20'),
};

/** The renewal of February at the price of before; the next one is on March 1. */
export const renewed = record(
  snapshot(
    'active',
    { observedAt: day('02-01'), periodStart: february[0], periodEnd: february[1], latestInvoiceId: 'in_2' },
    { payments: [paidInvoice('in_2', february)] },
  ),
);
export const observed = (
  at: string,
  given: Parameters<typeof snapshot>[1] = {},
  status: Parameters<typeof snapshot>[0] = 'active',
): SubscriptionCommand =>
  record(
    snapshot(status, {
      observedAt: day(at),
      periodStart: february[0],
      periodEnd: february[1],
      latestInvoiceId: 'in_2',
      ...given,
    }),
  );
export const scheduled = { priceId: 'price_new', at: february[1] };

export const transfer: SubscriptionCommand = {
  type: 'TransferPurchase',
  toAccountId: bob,
  fromEmailHash: 'h',
  intentId,
  now: day('01-12'),
  proof: 'support',
  hasOtherSubscription: false,
};

type Given<Type extends SubscriptionEvent['type']> = Extract<SubscriptionEvent, { type: Type }>['data'];
export const given = (...commands: readonly SubscriptionCommand[]): readonly Given<'PriceNoticeGiven'>[] =>
  after(...commands).flatMap((event) => (event.type === 'PriceNoticeGiven' ? [event.data] : []));
export const priceRequests = (...commands: readonly SubscriptionCommand[]): readonly string[] =>
  requestsAfter(...commands).map(({ kind }) => kind);
export const idOf = (events: readonly SubscriptionEvent[]): string =>
  events
    .flatMap((event) =>
      event.type === 'StripeWriteRequested' && event.data.write.kind === 'announced-price'
        ? [event.data.requestId]
        : [],
    )
    .at(-1) ?? '';
export const answered = (
  code: string | null,
  ...commands: readonly SubscriptionCommand[]
): SubscriptionCommand => {
  const requestId = idOf(after(...commands));
  return code === null
    ? { type: 'CompleteStripeRequest', requestId }
    : { type: 'RefuseStripeRequest', requestId, code, fixUrl: null };
};
