import { describe, expect, it } from '@jest/globals';
import { day, elite, record, snapshot } from '../testing/snapshots.ts';
import {
  after,
  bob,
  byAnn,
  request,
  requestsAfter,
  typesAfter,
  upgrade,
} from '../testing/subscription-history.ts';
import type { Plan } from '@tapedeck/plans/contract';
import type { SubscriptionCommand } from './decide-subscription.ts';
import type { SubscriptionEvent } from './subscription-events.ts';

type Given = NonNullable<Parameters<typeof snapshot>[1]>;

const annual: Plan = { tier: 'Pro', period: 'annual' };
const scheduledPlan = { tier: 'Pro', period: 'monthly', at: day('02-01') } as const;
const pendingPlan = { ...elite, period: 'annual', expiresAt: day('01-06') } as const;
const eliteAnnual: Plan = { tier: 'Elite', period: 'annual' };

const read = (at: string, given: Given = {}) =>
  record(snapshot('active', { plan: elite, observedAt: day(at), ...given }), { ...byAnn, plan: elite });
const bought = record(
  snapshot(
    'active',
    { plan: elite, scheduledPlan },
    {
      payments: snapshot().payments.map((payment) => ({ ...payment, plan: elite })),
    },
  ),
  { ...byAnn, plan: elite },
);
const upgradeAs = (requestId: string) => request({ ...upgrade, plan: eliteAnnual }, undefined, requestId);
const refuse = (requestId: string, code = 'payment_incomplete') =>
  ({ type: 'RefuseStripeRequest', requestId, code, fixUrl: null }) as const;
const restored = { kind: 'downgrade', plan: { tier: 'Pro', period: 'monthly' }, restores: 'up' } as const;

describe('a change at the end of the period that an upgrade has replaced', () => {
  const pending = read('01-05', { pendingPlan });

  it('is requested again once, when the upgrade has lapsed', () => {
    const waiting = [bought, upgradeAs('up'), pending, refuse('up')];
    expect(requestsAfter(...waiting).map(({ kind }) => kind)).toEqual(['upgrade']);
    const lapsed = [...waiting, read('01-06'), read('01-07', { amount: 1_998 })];
    expect(requestsAfter(...lapsed).slice(1)).toEqual([restored]);
  });

  it('is requested again when the upgrade is declined at once', () => {
    expect(requestsAfter(bought, upgradeAs('up'), read('01-05'), refuse('up', 'card_declined'))).toEqual([
      expect.objectContaining({ kind: 'upgrade', replaces: restored.plan }),
      restored,
    ]);
  });

  it('is not lost when a second upgrade is declined too', () => {
    const declined = [bought, upgradeAs('up'), pending, refuse('up'), upgradeAs('up-2')];
    expect(() => requestsAfter(...declined)).toThrow(/waits for its payment/);
    const again = [bought, upgradeAs('up'), refuse('up', 'AMOUNT_CHANGED'), read('01-06'), upgradeAs('up-2')];
    expect(() => requestsAfter(...again)).toThrow(/under way/);
  });

  it('is forgotten when the upgrade is paid', () => {
    const paid = read('01-06', { plan: eliteAnnual });
    const requests = requestsAfter(bought, upgradeAs('up'), pending, refuse('up'), paid, read('01-07'));
    expect(requests.map(({ kind }) => kind)).toEqual(['upgrade']);
  });

  it('is forgotten when the member has cancelled since', () => {
    const requests = requestsAfter(
      bought,
      upgradeAs('up'),
      pending,
      refuse('up'),
      request({ kind: 'cancel', reason: null }),
      read('01-06', { cancelAtPeriodEnd: true }),
      { type: 'CompleteStripeRequest', requestId: 'cancel' },
      read('01-07'),
    );
    expect(requests.map(({ kind }) => kind)).toEqual(['upgrade', 'cancel']);
  });

  it('is not touched by a wish for another one that is scheduled', () => {
    const other = { ...annual, at: day('02-01') };
    const requests = requestsAfter(
      bought,
      upgradeAs('up'),
      pending,
      refuse('up'),
      read('01-06', { scheduledPlan: other }),
    );
    expect(requests.map(({ kind }) => kind)).toEqual(['upgrade']);
  });
});

describe('a change that is requested again and refused', () => {
  const declined = [bought, upgradeAs('up'), read('01-05'), refuse('up', 'card_declined')] as const;
  const idOf = (events: readonly SubscriptionEvent[]): string =>
    events.flatMap((event) => (event.type === 'StripeWriteRequested' ? [event.data.requestId] : [])).at(-1) ??
    '';
  const restoredId = idOf(after(...declined));
  const refused = [...declined, refuse(restoredId, 'lock_timeout')] as const;
  const repeat = {
    type: 'RepeatStripeRequest',
    requestId: 'again',
    repeats: restoredId,
    comment: null,
  } as const;

  it('is requested again as often as it may pass, and not at once', () => {
    expect(requestsAfter(...refused, read('01-07', { amount: 1_998 })).slice(1)).toEqual([restored]);
    expect(requestsAfter(...refused, repeat, repeat).slice(1)).toEqual([restored, restored]);
  });

  it('is not requested while an upgrade waits for its payment, and after that again', () => {
    const waiting = [...refused, read('01-06', { pendingPlan })] as const;
    expect(requestsAfter(...waiting, repeat).slice(1)).toEqual([restored]);
    expect(requestsAfter(...waiting, read('01-07'), repeat).slice(1)).toEqual([restored, restored]);
  });

  const cancel = [
    request({ kind: 'cancel', reason: null }),
    read('01-06', { cancelAtPeriodEnd: true }),
    { type: 'CompleteStripeRequest', requestId: 'cancel' },
  ] as const;
  const paid = [
    upgradeAs('up-2'),
    read('01-06', { plan: eliteAnnual }),
    { type: 'CompleteStripeRequest', requestId: 'up-2' },
  ] as const;
  const other = read('01-06', { scheduledPlan: { ...annual, at: day('02-01') } });
  const ended = record(
    snapshot('canceled', { plan: elite, observedAt: day('01-06'), endedAt: day('01-06') }),
  );

  it.each<readonly [string, readonly SubscriptionCommand[]]>([
    ['the member cancels', cancel],
    ['the member has upgraded', paid],
    ['another plan is scheduled', [other]],
    ['the subscription has ended', [ended]],
  ])('waits for nobody once %s', (_, commands) => {
    expect(typesAfter(...refused, ...commands)).toContain('StripeWriteAbandoned');
    const requests = requestsAfter(...refused, ...commands, read('01-08'), repeat);
    expect(requests.filter(({ kind }) => kind === 'downgrade')).toHaveLength(1);
  });

  it('is done when the member schedules the same', () => {
    const same = read('01-06', { scheduledPlan });
    expect(typesAfter(...refused, same).slice(-2)).toContain('StripeWriteCompleted');
  });

  it('can be abandoned by a person', () => {
    const abandon = {
      type: 'AbandonStripeRequest',
      requestId: restoredId,
      reason: 'Sold no more.',
      by: bob,
      isAdmin: false,
      limit: 0,
    } as const;
    expect(typesAfter(...refused, abandon).at(-1)).toBe('StripeWriteAbandoned');
  });
});
