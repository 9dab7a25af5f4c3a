import { describe, expect, it } from '@jest/globals';
import { stateAfter } from '@tapedeck/eventing/core';
import {
  day,
  elite,
  failure,
  february,
  intentId,
  paidInvoice,
  pro,
  record,
  refundOf,
  snapshot,
} from '../testing/snapshots.ts';
import {
  after,
  ann,
  bob,
  bought,
  byAnn,
  byMail,
  claim,
  request,
  requestsAfter,
  typesAfter,
} from '../testing/subscription-history.ts';
import { subscriptionDecider, type SubscriptionCommand } from './decide-subscription.ts';
import type { Announcement } from './price-change.ts';
import { announcedPriceOf, renewalAmountOf } from './price-notice.ts';
import type { SubscriptionEvent } from './subscription-events.ts';

const announcement: Announcement = {
  announcementId: 'raise',
  plan: pro,
  amount: 1_499,
  currency: 'usd',
  from: day('03-01'),
  noticeDays: 30,
  announcedAt: day('01-10'),
};
const notice = (given: Partial<Announcement> = {}, now = day('01-10')): SubscriptionCommand => ({
  type: 'NoticePrice',
  announcement: { ...announcement, ...given },
  now,
});
const apply = (now = day('02-28'), announcementId = 'raise'): SubscriptionCommand => ({
  type: 'ApplyPrice',
  announcementId,
  now,
});
const withdraw: SubscriptionCommand = {
  type: 'WithdrawPriceNotice',
  announcementId: 'raise',
  now: day('02-20'),
};

/** The renewal of February at the price of before; the next one is on March 1. */
const renewed = record(
  snapshot(
    'active',
    { observedAt: day('02-01'), periodStart: february[0], periodEnd: february[1], latestInvoiceId: 'in_2' },
    { payments: [paidInvoice('in_2', february)] },
  ),
);
const observed = (
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
const scheduled = { priceId: 'price_new', at: february[1] };

const transfer: SubscriptionCommand = {
  type: 'TransferPurchase',
  toAccountId: bob,
  fromEmailHash: 'h',
  intentId,
  now: day('01-12'),
  proof: 'support',
  hasOtherSubscription: false,
};

type Given<Type extends SubscriptionEvent['type']> = Extract<SubscriptionEvent, { type: Type }>['data'];
const given = (...commands: readonly SubscriptionCommand[]): readonly Given<'PriceNoticeGiven'>[] =>
  after(...commands).flatMap((event) => (event.type === 'PriceNoticeGiven' ? [event.data] : []));
const priceRequests = (...commands: readonly SubscriptionCommand[]): readonly string[] =>
  requestsAfter(...commands).map(({ kind }) => kind);
const idOf = (events: readonly SubscriptionEvent[]): string =>
  events
    .flatMap((event) =>
      event.type === 'StripeWriteRequested' && event.data.write.kind === 'announced-price'
        ? [event.data.requestId]
        : [],
    )
    .at(-1) ?? '';
const answered = (code: string | null, ...commands: readonly SubscriptionCommand[]): SubscriptionCommand => {
  const requestId = idOf(after(...commands));
  return code === null
    ? { type: 'CompleteStripeRequest', requestId }
    : { type: 'RefuseStripeRequest', requestId, code, fixUrl: null };
};

describe('the notice of a price', () => {
  it('is recorded once, with both amounts and the first renewal from the day on', () => {
    expect(given(bought, notice(), notice({}, day('01-11')))).toEqual([
      {
        subscriptionId: 'sub_1',
        accountId: ann,
        announcementId: 'raise',
        announcedAt: day('01-10'),
        plan: pro,
        fromAmount: 999,
        toAmount: 1_499,
        currency: 'usd',
        renewsAt: day('03-01'),
        givenAt: day('01-10'),
      },
    ]);
  });

  it('that is late is for a later renewal, as many days after it as were promised', () => {
    const renewsAt = (now: string): string | undefined =>
      given(bought, renewed, notice({}, now))[0]?.renewsAt;
    expect(renewsAt(day('01-30'))).toBe(day('03-01'));
    expect(renewsAt('2026-01-30T00:00:00.001Z')).toBe(day('04-01'));
  });

  it.each<readonly [string, readonly SubscriptionCommand[]]>([
    ['costs this already', [record(snapshot('active', { amount: 1_499 }), byAnn)]],
    ['has another currency', [record(snapshot('active', { currency: 'eur' }), byAnn)]],
    ['has no owner', [record(snapshot(), byMail)]],
    ['is cancelled', [bought, observed('01-05', { cancelAtPeriodEnd: true })]],
    ['has another plan', [bought, observed('01-05', { plan: elite, amount: 1_999 })]],
    [
      'changes to another plan',
      [bought, observed('01-05', { scheduledPlan: { ...elite, at: day('02-01') } })],
    ],
    [
      'waits for an upgrade',
      [bought, observed('01-05', { pendingPlan: { ...elite, expiresAt: day('02-01') } })],
    ],
    [
      'is not paid',
      [
        bought,
        record(snapshot('past_due', { observedAt: day('02-02') }, { failures: [failure('in_2', 1, null)] })),
      ],
    ],
    [
      'is given back',
      [
        bought,
        record(
          snapshot('active', { observedAt: day('01-20') }, { refunds: [refundOf('in_1', 'succeeded')] }),
        ),
      ],
    ],
    [
      'belongs to a deleted account',
      [bought, { type: 'CloseAccount', accountId: ann, isLate: false, now: day('01-05') }],
    ],
  ])('is not given of a subscription that %s', (_, history) => {
    expect(given(...history, notice())).toEqual([]);
  });

  it('is not given while a change of the plan is under way', () => {
    expect(given(bought, request({ kind: 'cancel', reason: null }), notice())).toEqual([]);
  });

  it('is given once a scheduled change is undone', () => {
    const downgrade = observed('01-05', {
      scheduledPlan: { ...elite, at: day('02-01') },
    });
    const kept = observed('01-12', {});
    expect(given(bought, downgrade, notice(), kept, notice({}, day('01-13')))).toHaveLength(1);
  });

  it('is given again to whoever gets the purchase', () => {
    const mine = record(snapshot(), byMail);
    expect(given(mine, claim(), notice(), transfer, notice()).map(({ accountId }) => accountId)).toEqual([
      ann,
      bob,
    ]);
  });

  it('of a later announcement replaces it, and an earlier one does not', () => {
    const later = notice({ announcementId: 'more', amount: 1_999, announcedAt: day('01-20') }, day('01-20'));
    expect(given(bought, notice(), later, notice()).map(({ toAmount }) => toAmount)).toEqual([1_499, 1_999]);
    expect(typesAfter(bought, notice(), later, renewed, apply())).not.toContain('AnnouncedPriceDue');
  });
});

describe('the announced price', () => {
  const told = [bought, notice(), renewed] as const;

  it('is requested a day before the renewal that was announced, and not before', () => {
    expect(typesAfter(...told, apply('2026-02-27T23:59:59.999Z'))).toEqual(typesAfter(...told));
    const write = {
      kind: 'announced-price',
      announcementId: 'raise',
      plan: pro,
      amount: 1_499,
      notBefore: day('03-01'),
    };
    expect(requestsAfter(...told, apply(), apply())).toEqual([write]);
  });

  it('is not requested for an earlier renewal than was announced', () => {
    expect(typesAfter(bought, notice(), apply(day('03-01'))).at(-1)).toBe('AnnouncedPriceDue');
    expect(priceRequests(bought, notice(), apply(day('03-01')), renewed, apply(day('03-01')))).toEqual([
      'announced-price',
    ]);
  });

  it('is not requested without a notice', () => {
    expect(typesAfter(bought, renewed, apply())).toEqual(typesAfter(bought, renewed));
  });

  it.each<readonly [string, SubscriptionCommand]>([
    ['cancelled', observed('02-10', { cancelAtPeriodEnd: true })],
    ['moved to another plan', observed('02-10', { plan: elite, amount: 1_999 })],
    [
      'changed to another plan at its renewal',
      observed('02-10', { scheduledPlan: { ...elite, at: day('03-01') } }),
    ],
    ['moved to the price by a person', observed('02-10', { amount: 1_499 })],
    ['unpaid', observed('02-10', {}, 'past_due')],
  ])('is not requested of a subscription that is %s after the notice', (_, change) => {
    expect(priceRequests(...told, change, apply())).toEqual([]);
    expect(typesAfter(...told, change, apply()).filter((type) => type === 'AnnouncedPriceDue')).toHaveLength(
      1,
    );
  });

  it('is requested later when a cancellation is undone after the day', () => {
    const ends = observed('02-10', { cancelAtPeriodEnd: true });
    expect(priceRequests(...told, ends, apply(), observed('02-28', {}), apply(day('02-28')))).toEqual([
      'announced-price',
    ]);
  });

  it('is requested again when Stripe has lost it, as by a cancellation that was undone', () => {
    const due = [...told, apply()] as const;
    const atStripe = [...due, observed('02-28', { scheduledPrice: scheduled })] as const;
    const done = [...atStripe, answered(null, ...due)] as const;
    expect(priceRequests(...done, apply(day('02-28')))).toEqual(['announced-price']);
    const lost = record(
      snapshot('active', {
        observedAt: '2026-02-28T12:00:00.000Z',
        periodStart: february[0],
        periodEnd: february[1],
        latestInvoiceId: 'in_2',
      }),
    );
    expect(priceRequests(...done, lost, apply(day('03-01')))).toEqual(['announced-price', 'announced-price']);
  });

  it('that Stripe refuses waits for a person, who repeats or abandons it', () => {
    const due = [...told, apply()] as const;
    const refused = [...due, answered('AMOUNT_CHANGED', ...due)] as const;
    expect(priceRequests(...refused, apply(day('03-01')))).toEqual(['announced-price']);
    const repeats = idOf(after(...due));
    const repeat: SubscriptionCommand = {
      type: 'RepeatStripeRequest',
      requestId: 'again',
      repeats,
      comment: null,
    };
    expect(priceRequests(...refused, repeat)).toEqual(['announced-price', 'announced-price']);
    const abandon: SubscriptionCommand = {
      type: 'AbandonStripeRequest',
      requestId: repeats,
      reason: 'It stays.',
    };
    expect(priceRequests(...refused, abandon, apply(day('03-01')))).toEqual(['announced-price']);
  });

  it('that was refused waits for nobody once the subscription has ended', () => {
    const due = [...told, apply()] as const;
    const refused = [...due, answered('AMOUNT_CHANGED', ...due)] as const;
    const ended = observed('02-28', { endedAt: day('02-28') }, 'canceled');
    expect(typesAfter(...refused, ended)).toContain('StripeWriteAbandoned');
  });
});

describe('a withdrawn announcement', () => {
  it('is told to whoever was told of it, once, and nothing is requested', () => {
    expect(typesAfter(bought, withdraw)).toEqual(typesAfter(bought));
    const withdrawn = [bought, notice(), renewed, withdraw] as const;
    expect(typesAfter(...withdrawn, withdraw).filter((type) => type === 'PriceNoticeWithdrawn')).toHaveLength(
      1,
    );
    expect(priceRequests(...withdrawn, apply())).toEqual([]);
  });

  it('is undone at Stripe where it has arrived, or is on its way', () => {
    const due = [bought, notice(), renewed, apply()] as const;
    expect(priceRequests(...due, withdraw)).toEqual(['announced-price', 'keep-price']);
    expect(typesAfter(...due, withdraw)).toContain('StripeWriteAbandoned');
    const done = [...due, observed('02-28', { scheduledPrice: scheduled }), answered(null, ...due)] as const;
    expect(priceRequests(...done, withdraw)).toEqual(['announced-price', 'keep-price']);
  });
});

describe('what the next renewal costs', () => {
  const nextOf = (...commands: readonly SubscriptionCommand[]): readonly unknown[] => {
    const state = stateAfter(subscriptionDecider, after(...commands));
    return [announcedPriceOf(state), state.observed && renewalAmountOf(state, state.observed)];
  };
  const next = { amount: 1_499, from: day('03-01') };

  it('is what was announced from its renewal on', () => {
    expect(nextOf(bought)).toEqual([undefined, 999]);
    expect(nextOf(bought, notice())).toEqual([next, 999]);
    expect(nextOf(bought, notice(), renewed)).toEqual([next, 1_499]);
  });

  it('is as before when it was withdrawn, refused, or nothing renews', () => {
    const due = [bought, notice(), renewed, apply()] as const;
    expect(nextOf(bought, notice(), renewed, withdraw)).toEqual([undefined, 999]);
    expect(nextOf(...due, answered('AMOUNT_CHANGED', ...due))).toEqual([undefined, 999]);
    expect(nextOf(...due, observed('02-28', { cancelAtPeriodEnd: true }))[0]).toBeUndefined();
  });
});
