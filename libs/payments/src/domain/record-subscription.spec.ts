import { describe, expect, it } from '@jest/globals';
import { forgotten, stateAfter } from '@tapedeck/eventing/core';
import { checkProperty, deciderSpec } from '@tapedeck/eventing/testing';
import fc from 'fast-check';
import {
  day,
  elite,
  failure,
  february,
  january,
  openedDispute,
  paidInvoice,
  pro,
  snapshot,
  record,
  refundOf,
} from '../testing/snapshots.ts';
import {
  byAnn,
  after,
  typesAfter,
  entitlementAfter,
  requestsAfter,
  bought,
} from '../testing/subscription-history.ts';
import { refundedAmount } from './entitlement.ts';
import { isToBeConfirmed } from './subscription.ts';
import { subscriptionDecider, type SubscriptionCommand } from './decide-subscription.ts';
import type { Entitlement } from './subscription-events.ts';

const { given } = deciderSpec(subscriptionDecider);

describe('what is read from Stripe', () => {
  const again = record(snapshot('active', { observedAt: day('01-09') }), byAnn);
  const unpaid = { payments: [] };

  it('is recorded with the payment, the owner and what that entitles to', () => {
    expect(typesAfter(bought)).toEqual([
      'SubscriptionObserved',
      'PaymentRecorded',
      'PaymentClaimed',
      'EntitlementChanged',
    ]);
  });

  it('is recorded once when it says nothing new', () => {
    given(...after(bought))
      .when(again)
      .thenNothing();
  });

  it('is recorded once when only the card of the snapshot before was forgotten', () => {
    const erased = after(bought).map((event) =>
      event.type === 'SubscriptionObserved' ? { ...event, data: { ...event.data, card: forgotten } } : event,
    );
    given(...erased)
      .when(again)
      .thenNothing();
  });

  it('holds when it was read later, also when it arrives earlier', () => {
    const later = record(snapshot('past_due', { observedAt: day('02-02') }), byAnn);
    expect(entitlementAfter(later, bought)?.phase).toBe('past-due');
  });

  it('holds for ever once it is final', () => {
    const canceled = record(snapshot('canceled', { endedAt: day('01-10'), observedAt: day('01-10') }), byAnn);
    const later = record(snapshot('active', { observedAt: day('01-11') }));
    expect(entitlementAfter(canceled, later)?.phase).toBe('ended');
  });

  it('is a mismatch, with the names of what differs, when a sweep has found it', () => {
    const changed = snapshot('active', { cancelAtPeriodEnd: true, observedAt: day('01-05') });
    const [mismatch] = after(bought, record(changed, null, { isSweep: true })).slice(4);
    expect(mismatch).toMatchObject({ type: 'DriftDetected', data: { fields: ['cancelAtPeriodEnd'] } });
  });

  it('is recorded, and no mismatch, when it says for the first time that taxes are added', () => {
    const taxed = snapshot('active', { addsTaxes: true, observedAt: day('01-05') });
    const events = after(bought, record(taxed, null, { isSweep: true })).slice(4);
    expect(events).toMatchObject([{ type: 'SubscriptionObserved', data: { addsTaxes: true } }]);
  });

  it('is no mismatch when a sweep finds what is recorded', () => {
    given(...after(bought))
      .when(record(snapshot(), null, { isSweep: true }))
      .thenNothing();
  });

  it.each(['active', 'incomplete'] as const)('entitles to nothing yet when it is %s and unpaid', (status) => {
    expect(entitlementAfter(record(snapshot(status, {}, unpaid), byAnn))?.phase).toBe('pending');
  });

  it('entitles to the plan that was paid last when its price is not known any more', () => {
    const unknown = { plan: null, priceId: 'price_new', observedAt: day('02-01') };
    const renewed = { payments: [paidInvoice('in_2', february, { plan: null })] };
    expect(entitlementAfter(bought, record(snapshot('active', unknown, renewed)))).toMatchObject({
      phase: 'active',
      tier: 'Pro',
      paidUntil: february[1],
    });
  });

  it('entitles to nothing when its price was never known', () => {
    const unknown = paidInvoice('in_1', january, { plan: null });
    const foreign = snapshot('active', { plan: null }, { payments: [unknown] });
    expect(entitlementAfter(record(foreign, byAnn))).toBeUndefined();
  });

  it.each([
    ['a higher one that was not paid', { plan: elite }, [], 'Pro'],
    ['a higher one that was paid', { plan: elite }, [paidInvoice('in_2', january, { plan: elite })], 'Elite'],
    [
      'a higher one that was paid in another month only',
      { plan: elite },
      [paidInvoice('in_0', ['2025-11-01T00:00:00.000Z', '2025-12-01T00:00:00.000Z'], { plan: elite })],
      'Pro',
    ],
  ] as const)('entitles after a change to %s to what was paid', (_, given, payments, tier) => {
    const changed = snapshot('active', { ...given, observedAt: day('01-05') }, { payments });
    expect(entitlementAfter(bought, record(changed))?.tier ?? 'Pro').toBe(tier);
  });

  it('entitles to the lower plan before its first payment', () => {
    const ofElite = record(
      snapshot('active', { plan: elite }, { payments: [paidInvoice('in_1', january, { plan: elite })] }),
      { ...byAnn, plan: elite },
    );
    const lower = snapshot('past_due', { plan: pro, observedAt: day('02-01') }, { payments: [] });
    expect(entitlementAfter(ofElite, record(lower))).toMatchObject({ tier: 'Pro', phase: 'past-due' });
  });

  it('entitles to nothing when another plan was paid than that of the checkout', () => {
    expect(entitlementAfter(record(snapshot(), { ...byAnn, plan: elite }))).toBeUndefined();
  });

  it('is in the end what Stripe has, whichever snapshots overlap, when each change is read once more', () => {
    type Step = Readonly<{ kind: 'change' | 'begin' | 'record'; pick: number }>;
    const step = fc.record({ kind: fc.constantFrom('change', 'begin', 'record'), pick: fc.nat(9) });
    checkProperty(
      fc.property(fc.array(step as fc.Arbitrary<Step>, { maxLength: 25 }), (steps) => {
        let [isCanceled, toRead, now] = [false, 0, Date.parse(day('01-02'))];
        let state = stateAfter(subscriptionDecider, after(bought));
        let inFlight: readonly SubscriptionCommand[] = [];
        const begin = (): void => {
          const observedAt = new Date((now += 1)).toISOString();
          const read = snapshot('active', { cancelAtPeriodEnd: isCanceled, observedAt });
          [inFlight, toRead] = [[...inFlight, record(read)], toRead - 1];
        };
        const recordOne = (pick: number): void => {
          const at = pick % inFlight.length;
          const events = inFlight.slice(at, at + 1).flatMap((one) => subscriptionDecider.decide(one, state));
          inFlight = inFlight.filter((_, index) => index !== at);
          state = events.reduce(subscriptionDecider.evolve, state);
          if (events.some((event) => event.type === 'SubscriptionObserved' && isToBeConfirmed(event.data)))
            toRead += 1;
        };
        for (const { kind, pick } of steps) {
          if (kind === 'change') [isCanceled, toRead] = [!isCanceled, toRead + 1];
          if (kind === 'begin' && toRead > 0) begin();
          if (kind === 'record' && inFlight.length > 0) recordOne(pick);
        }
        while (toRead + inFlight.length > 0) {
          if (toRead > 0) begin();
          recordOne(0);
        }
        expect(state.observed?.cancelAtPeriodEnd).toBe(isCanceled);
      }),
      { numRuns: 500 },
    );
  });

  it('leads to the same entitlement in any order and with any repetition', () => {
    const may = [day('02-01'), day('03-01')] as const;
    const snapshots = [
      snapshot(),
      snapshot('active', { observedAt: day('01-03'), card: null }),
      snapshot(
        'active',
        { observedAt: day('01-05'), plan: elite },
        {
          payments: [paidInvoice('in_2', [day('01-05'), january[1]], { plan: elite, amountPaid: 900 })],
          refunds: [refundOf('in_1', 'succeeded', 100)],
        },
      ),
      snapshot(
        'past_due',
        { observedAt: day('02-01'), plan: elite },
        {
          payments: [],
          failures: [failure('in_3', 1, day('02-03')), failure('in_3', 2, day('02-06'))],
        },
      ),
      snapshot(
        'active',
        { observedAt: day('02-06'), plan: elite },
        {
          payments: [paidInvoice('in_3', may, { plan: elite, amountPaid: 1_999 })],
          refunds: [refundOf('in_2', 'pending', 900), refundOf('in_2', 'failed', 900)],
        },
      ),
      snapshot(
        'active',
        { observedAt: day('02-09'), plan: elite, cancelAtPeriodEnd: true },
        {
          payments: [],
          disputes: [openedDispute('dp_1')],
        },
      ),
      snapshot(
        'active',
        { observedAt: day('02-10'), plan: elite, periodEnd: may[1] },
        {
          refunds: [refundOf('in_3', 'succeeded', 1_999)],
          closedDisputes: [{ disputeId: 'dp_1', outcome: 'won', closedAt: day('02-10') }],
          disputes: [openedDispute('dp_1')],
        },
      ),
    ];
    checkProperty(
      fc.property(
        fc.integer({ min: 1, max: snapshots.length }),
        fc.shuffledSubarray([...snapshots.keys(), ...snapshots.keys()], { minLength: snapshots.length * 2 }),
        (length, twice) => {
          const known = snapshots.slice(0, length);
          const shuffled = twice.filter((at) => at < length);
          const of = (all: typeof snapshots): Entitlement | undefined =>
            entitlementAfter(...all.map((read) => record(read, byAnn)));
          expect(of(shuffled.flatMap((at) => known[at] ?? []))).toEqual(of(known));
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('refunds and disputes', () => {
  const refunded = (status: 'pending' | 'succeeded' | 'failed', amount = 999): SubscriptionCommand =>
    record(snapshot('active', {}, { refunds: [refundOf('in_1', status, amount)] }));

  it('a full refund of the current period ends access at once', () => {
    expect(entitlementAfter(bought, refunded('pending'))).toMatchObject({ phase: 'ended', paidUntil: null });
  });

  it('a full refund that is under way does not end the subscription at Stripe', () => {
    expect(requestsAfter(bought, refunded('pending'))).toEqual([]);
  });

  it('a full refund that has succeeded ends the subscription at Stripe once', () => {
    const done = [bought, refunded('succeeded'), refunded('succeeded')] as const;
    expect(requestsAfter(...done)).toEqual([{ kind: 'end-now', cause: 'refund' }]);
  });

  it('a full refund of the newest period falls back to the last period that is paid', () => {
    const renewed = snapshot(
      'active',
      { observedAt: day('02-01') },
      {
        payments: [paidInvoice('in_2', february)],
        refunds: [refundOf('in_2', 'succeeded')],
      },
    );
    expect(entitlementAfter(bought, record(renewed))).toMatchObject({
      phase: 'ended',
      endReason: 'refunded',
      paidUntil: january[1],
    });
  });

  it('a partial refund changes the ledger only', () => {
    const events = after(bought, refunded('succeeded', 500));
    expect(events.at(-1)?.type).toBe('RefundRecorded');
    const state = stateAfter(subscriptionDecider, events);
    expect(refundedAmount(state, { invoiceId: 'in_1', chargeId: null })).toBe(500);
  });

  it('a refund that fails gives back the access', () => {
    expect(entitlementAfter(bought, refunded('succeeded'), refunded('failed'))).toMatchObject({
      phase: 'active',
      paidUntil: january[1],
    });
  });

  it('a refund that fails after the end at Stripe gives back the access until the end of the period', () => {
    const ended = snapshot('canceled', { endedAt: day('01-20'), observedAt: day('01-20') });
    expect(entitlementAfter(bought, refunded('succeeded'), record(ended), refunded('failed'))).toMatchObject({
      phase: 'active',
      endsAt: january[1],
    });
  });

  it('the refund of an upgrade leaves the plan that is still paid', () => {
    const upgraded = snapshot(
      'active',
      { plan: elite, observedAt: day('01-05') },
      {
        payments: [paidInvoice('in_2', [day('01-05'), january[1]], { plan: elite, amountPaid: 900 })],
        refunds: [refundOf('in_2', 'succeeded', 900)],
      },
    );
    expect(entitlementAfter(bought, record(upgraded))).toMatchObject({ phase: 'active', tier: 'Pro' });
  });

  const disputed = record(snapshot('active', {}, { disputes: [openedDispute('dp_1')] }));

  it('a dispute keeps access while it is open', () => {
    expect(entitlementAfter(bought, disputed)).toMatchObject({ phase: 'active', isDisputed: true });
  });

  it.each([
    ['lost', 'ended', ['end-now']],
    ['won', 'active', []],
    ['warning_closed', 'active', []],
  ] as const)('a dispute that is %s leaves the entitlement %s', (outcome, phase, kinds) => {
    const closedAt = day('01-15');
    const closed = record(
      snapshot('active', {}, { closedDisputes: [{ disputeId: 'dp_1', outcome, closedAt }] }),
    );
    expect(entitlementAfter(bought, disputed, closed)).toMatchObject({ phase, isDisputed: false });
    expect(requestsAfter(bought, disputed, closed).map(({ kind }) => kind)).toEqual(kinds);
  });
});
