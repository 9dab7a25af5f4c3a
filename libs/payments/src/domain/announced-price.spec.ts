import { describe, expect, it } from '@jest/globals';
import { stateAfter } from '@tapedeck/eventing/core';
import {
  answered,
  apply,
  given,
  idOf,
  notice,
  observed,
  priceRequests,
  renewed,
  scheduled,
  transfer,
  withdraw,
} from '../testing/price-notices.ts';
import { day, elite, february, paidInvoice, pro, record, snapshot } from '../testing/snapshots.ts';
import { after, bob, bought, request, requestsAfter, typesAfter } from '../testing/subscription-history.ts';
import { subscriptionDecider, type SubscriptionCommand } from './decide-subscription.ts';
import type { CompleteStripeRequest } from './stripe-requests.ts';
import { announcedPriceOf, renewalAmountOf } from './price-notice.ts';

describe('the announced price', () => {
  const known = [bought, notice(), renewed] as const;

  it('is requested a day before the renewal that was announced, and not before', () => {
    expect(typesAfter(...known, apply('2026-02-27T23:59:59.999Z'))).toEqual(typesAfter(...known));
    const write = {
      kind: 'announced-price',
      announcementId: 'raise',
      plan: pro,
      amount: 1_499,
      notBefore: day('03-01'),
    };
    expect(requestsAfter(...known, apply(), apply())).toEqual([write]);
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
    expect(priceRequests(...known, change, apply())).toEqual([]);
    expect(typesAfter(...known, change, apply()).filter((type) => type === 'AnnouncedPriceDue')).toHaveLength(
      1,
    );
  });

  it('is requested later when a cancellation is undone after the day', () => {
    const ends = observed('02-10', { cancelAtPeriodEnd: true });
    expect(priceRequests(...known, ends, apply(), observed('02-28', {}), apply(day('02-28')))).toEqual([
      'announced-price',
    ]);
  });

  it('is requested again when Stripe has lost it, as by a cancellation that was undone', () => {
    const due = [...known, apply()] as const;
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
    const due = [...known, apply()] as const;
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
      by: bob,
      isAdmin: false,
      limit: 0,
    };
    expect(priceRequests(...refused, abandon, apply(day('03-01')))).toEqual(['announced-price']);
  });

  it('that was refused waits for nobody once the subscription has ended', () => {
    const due = [...known, apply()] as const;
    const refused = [...due, answered('AMOUNT_CHANGED', ...due)] as const;
    const ended = observed('02-28', { endedAt: day('02-28') }, 'canceled');
    expect(typesAfter(...refused, ended)).toContain('StripeWriteAbandoned');
  });
});

describe('a withdrawn announcement', () => {
  it('is recorded once where a notice was given, and nothing is requested', () => {
    expect(typesAfter(bought, withdraw)).toEqual(typesAfter(bought));
    const withdrawn = [bought, notice(), renewed, withdraw] as const;
    expect(typesAfter(...withdrawn, withdraw).filter((type) => type === 'PriceNoticeWithdrawn')).toHaveLength(
      1,
    );
    expect(priceRequests(...withdrawn, apply())).toEqual([]);
  });

  it('waits for a change of the plan that is under way', () => {
    const changing = [bought, notice(), renewed, request({ kind: 'cancel', reason: null })] as const;
    expect(typesAfter(...changing, withdraw)).toEqual(typesAfter(...changing));
  });

  it('is undone at Stripe where it has arrived, or is on its way', () => {
    const due = [bought, notice(), renewed, apply()] as const;
    expect(priceRequests(...due, withdraw)).toEqual(['announced-price', 'keep-price']);
    expect(typesAfter(...due, withdraw)).toContain('StripeWriteAbandoned');
    const done = [...due, observed('02-28', { scheduledPrice: scheduled }), answered(null, ...due)] as const;
    expect(priceRequests(...done, withdraw)).toEqual(['announced-price', 'keep-price']);
    expect(requestsAfter(...done, withdraw).at(-1)).toEqual({ kind: 'keep-price', plan: pro, amount: 999 });
  });
});

describe('a withdrawal that arrives at Stripe after the renewal', () => {
  const due = [bought, notice(), renewed, apply()] as const;
  const scheduledAtStripe = observed('02-28', { scheduledPrice: scheduled });
  const done = [...due, scheduledAtStripe, answered(null, ...due)] as const;
  const renewedAt = (at: string, amount: number): SubscriptionCommand => observed(at, { amount });
  const refusals = (...commands: readonly SubscriptionCommand[]): readonly unknown[] =>
    after(...commands).flatMap((event) =>
      event.type === 'StripeWriteRefused' ? [[event.data.kind, event.data.code]] : [],
    );
  const charged = [['keep-price', 'PRICE_CHARGED']];
  const completed = (...commands: readonly SubscriptionCommand[]): CompleteStripeRequest => {
    const [requestId = ''] = after(...commands)
      .flatMap((event) => (event.type === 'StripeWriteRequested' ? [event.data.requestId] : []))
      .slice(-1);
    return { type: 'CompleteStripeRequest', requestId };
  };
  const late = [...done, withdraw, renewedAt('03-01', 1_499)] as const;
  const refused = [...late, completed(...late)] as const;

  it('waits for a person, as the new price was charged', () => {
    expect(refusals(...refused)).toEqual(charged);
    const inTime = [...done, withdraw, renewedAt('03-01', 999)] as const;
    expect(refusals(...inTime, completed(...inTime))).toEqual([]);
  });

  it('waits for a person also when the job has come that late', () => {
    const stopped = [...done, renewedAt('03-01', 1_499), withdraw] as const;
    expect(refusals(...stopped, completed(...stopped))).toEqual(charged);
  });

  it('waits no more when the former price is back, or a person has abandoned it', () => {
    expect(typesAfter(...refused, renewedAt('03-02', 999)).at(-1)).toBe('StripeWriteCompleted');
    const abandoned: SubscriptionCommand = {
      type: 'AbandonStripeRequest',
      requestId: completed(...late).requestId,
      reason: 'The difference was refunded.',
      by: bob,
      isAdmin: false,
      limit: 0,
    };
    expect(typesAfter(...refused, abandoned).at(-1)).toBe('StripeWriteAbandoned');
  });

  it('waits for nobody when the member has another plan', () => {
    const moved = [...done, withdraw, observed('03-01', { plan: elite, amount: 1_999 })] as const;
    expect(refusals(...moved, completed(...moved))).toEqual([]);
  });
});

describe('a purchase that changes hands on the last day before an announced price', () => {
  const due = [bought, notice(), renewed, apply()] as const;
  const atStripe = [
    ...due,
    observed('02-28', { scheduledPrice: scheduled }),
    answered(null, ...due),
  ] as const;
  const noon = '2026-02-28T12:00:00.000Z';
  const refused = [...due, answered('AMOUNT_CHANGED', ...due), transfer] as const;
  const undoneAfter = (...commands: readonly SubscriptionCommand[]): readonly SubscriptionCommand[] => {
    const ids = after(...commands).flatMap((event) =>
      event.type === 'StripeWriteRequested' ? [event.data.requestId] : [],
    );
    const read = observed('02-28', { observedAt: noon });
    return [...commands, read, { type: 'CompleteStripeRequest', requestId: ids.at(-1) ?? '' }];
  };

  it('is charged the price of before, as its new owner was notified of no other', () => {
    expect(priceRequests(...atStripe, transfer)).toEqual(['announced-price', 'keep-price']);
    const again = observed('02-28', { observedAt: noon, scheduledPrice: scheduled, card: null });
    expect(priceRequests(...atStripe, transfer, again)).toEqual(['announced-price', 'keep-price']);
    expect(priceRequests(...undoneAfter(...atStripe, transfer))).toEqual(['announced-price', 'keep-price']);
  });

  it.each<readonly [string, readonly SubscriptionCommand[]]>([
    ['undone', undoneAfter(...atStripe, transfer)],
    ['refused before', refused],
  ])('is charged the new one from a renewal of which its new owner was notified: %s', (_, before) => {
    const march = [day('03-01'), day('04-01')] as const;
    const [periodStart, periodEnd] = march;
    const paid = { observedAt: periodStart, periodStart, periodEnd, latestInvoiceId: 'in_3' };
    const renewedAgain = record(snapshot('active', paid, { payments: [paidInvoice('in_3', march)] }));
    const notified = [...before, notice({}, day('02-28')), renewedAgain] as const;
    expect(given(...notified).at(-1)).toMatchObject({ accountId: bob, renewsAt: periodEnd });
    const requested = requestsAfter(...notified, apply(day('03-31'))).at(-1);
    expect(requested).toMatchObject({ kind: 'announced-price', notBefore: periodEnd });
  });

  it('is charged the price of before also when the request was under way or refused', () => {
    expect(priceRequests(...due, transfer)).toEqual(['announced-price', 'keep-price']);
    expect(typesAfter(...due, transfer)).toContain('StripeWriteAbandoned');
    expect(priceRequests(...refused)).toEqual(['announced-price']);
    expect(typesAfter(...refused)).toContain('StripeWriteAbandoned');
  });

  it('is not changed at Stripe behind a change of the plan that is under way', () => {
    const changing = request({ kind: 'cancel', reason: null });
    expect(priceRequests(...atStripe, changing, transfer)).toEqual(['announced-price', 'cancel']);
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
