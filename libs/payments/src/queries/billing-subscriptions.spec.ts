import { describe, expect, it } from '@jest/globals';
import { stateAfter } from '@tapedeck/eventing/core';
import { recordedEvent } from '@tapedeck/eventing/testing';
import type { Billing } from '../contract.ts';
import { subscriptionDecider, type SubscriptionCommand } from '../domain/decide-subscription.ts';
import { notice } from '../testing/price-notices.ts';
import { day, elite, failure, february, record, snapshot } from '../testing/snapshots.ts';
import { after, bought, request, upgrade } from '../testing/subscription-history.ts';
import { mainSubscription, otherSubscription, type Shown } from './billing-subscriptions.ts';

/** All of it was recorded on January 6. */
const shownAt = (now: string, ...commands: readonly SubscriptionCommand[]): Shown => {
  const events = after(...commands);
  const recordedAt = { metadata: { occurredAt: day('01-06') } };
  return {
    state: stateAfter(subscriptionDecider, events),
    events: events.map((event) => recordedEvent(event, recordedAt)),
    now,
  };
};
const mainAt = (now: string, ...commands: readonly SubscriptionCommand[]): Billing['subscription'] =>
  mainSubscription(shownAt(now, ...commands), () => 1_999);

const fixUrl = 'https://pay.example/in_2';
const refuse = {
  type: 'RefuseStripeRequest',
  requestId: 'upgrade',
  code: 'insufficient_funds',
  fixUrl,
} as const;
const message = 'The card does not have enough money on it: pay with another card.';
const waiting = record(
  snapshot('active', {
    observedAt: day('01-06'),
    pendingPlan: { ...elite, expiresAt: '2026-01-06T23:00:00.000Z' },
  }),
);

describe('a refused change', () => {
  it('is shown for a day, without the page of an invoice that is voided', () => {
    const refused = [bought, request(upgrade), refuse];
    expect(mainAt('2026-01-06T23:59:59.999Z', ...refused)?.refused).toEqual({ message, fixUrl: null });
    expect(mainAt(day('01-07'), ...refused)?.refused).toBeNull();
  });

  it('is shown with that page while the upgrade waits for its payment', () => {
    const pending = [bought, request(upgrade), waiting, refuse];
    expect(mainAt(day('01-06'), ...pending)?.refused).toEqual({ message, fixUrl });
    expect(mainAt(day('01-08'), ...pending)?.refused).toEqual({ message, fixUrl });
  });
});

describe('a change that is under way', () => {
  it('is not said to be done', () => {
    const cancel = request({ kind: 'cancel', reason: null });
    expect(mainAt(day('01-06'), bought, cancel)?.processing).toBe('The cancellation is under way.');
  });
});

describe('a subscription', () => {
  const unpaid = record(
    snapshot(
      'past_due',
      { observedAt: day('02-01'), periodStart: february[0], periodEnd: february[1] },
      { failures: [failure('in_2', 1, day('02-05'))] },
    ),
  );

  it('is due, and its period unpaid, from a failed renewal on; the next attempt is one that is ahead', () => {
    expect(otherSubscription(shownAt(day('01-10'), bought))).toMatchObject([
      { isDue: false, isPeriodPaid: true, nextChargeAt: day('02-01'), nextAttemptAt: null },
    ]);
    const due = { isDue: true, isPeriodPaid: false };
    expect(otherSubscription(shownAt(day('02-02'), bought, unpaid))).toMatchObject([
      { ...due, nextAttemptAt: day('02-05') },
    ]);
    expect(otherSubscription(shownAt(day('02-06'), bought, unpaid))).toMatchObject([
      { ...due, nextAttemptAt: null },
    ]);
    const suspended = record(snapshot('unpaid', { observedAt: day('02-20') }));
    expect(otherSubscription(shownAt(day('02-21'), bought, unpaid, suspended))).toMatchObject([
      { isDue: true },
    ]);
  });

  it('has the price that was announced, be it the main one or another', () => {
    const announced = { announcedPrice: { amount: 1_499, from: day('03-01') } };
    expect(otherSubscription(shownAt(day('01-10'), bought, notice()))).toMatchObject([announced]);
    expect(mainAt(day('01-10'), bought, notice())).toMatchObject(announced);
    expect(otherSubscription(shownAt(day('01-10'), bought))).toMatchObject([{ announcedPrice: null }]);
  });

  it('says whether Stripe adds taxes', () => {
    const taxed = record(snapshot('active', { addsTaxes: true, observedAt: day('01-02') }));
    expect(mainAt(day('01-10'), bought)?.addsTaxes).toBe(false);
    expect(mainAt(day('01-10'), bought, taxed)?.addsTaxes).toBe(true);
  });
});
