import { describe, expect, it } from '@jest/globals';
import { day, elite, record, snapshot } from '../testing/snapshots.ts';
import { byAnn, request, requestsAfter, upgrade } from '../testing/subscription-history.ts';
import type { Plan } from '@tapedeck/plans/contract';

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
const restored = { kind: 'downgrade', plan: { tier: 'Pro', period: 'monthly' } } as const;

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
