import { describe, expect, it } from '@jest/globals';
import {
  day,
  failure,
  openedDispute,
  paidInvoice,
  snapshot,
  refundOf,
  type SubscriptionSnapshot,
} from '@tapedeck/payments/testing';
import { grant, historyOf, newTape, passTo, tell, type Tape } from '../testing/tape.ts';
import type { MembershipView } from './membership-view.ts';
import { explainTruthAt, truthAt } from './truth.ts';
import { viewAt } from './view.ts';

const january = [day('01-01'), day('02-01')] as const;
const february = [day('02-01'), day('03-01')] as const;
const paid = [paidInvoice('in_1', january), paidInvoice('in_2', february)];
const bought = tell(newTape, snapshot());
const inFebruary = { periodStart: february[0], periodEnd: february[1] };

/** What Stripe says of it becomes known on this day, and not before. */
const knownOn = (
  at: string,
  status: SubscriptionSnapshot['subscription']['status'],
  given: Parameters<typeof snapshot>[1],
  money: Parameters<typeof snapshot>[2],
): Tape => tell(passTo(bought, at), snapshot(status, { ...given, observedAt: at }, money));

type Shown = Partial<MembershipView>;

/** At each instant what was true, and what was known. */
const expectViews = (
  tape: Tape,
  ...views: readonly Readonly<{ at: string; truth: Shown; known: Shown }>[]
): void => {
  const history = historyOf(tape);
  for (const { at, truth, known } of views) {
    expect([at, truthAt(history, at)]).toEqual([at, expect.objectContaining(truth)]);
    expect([at, viewAt(history, at)]).toEqual([at, expect.objectContaining(known)]);
  }
};

describe('what was true, and became known later:', () => {
  it('a renewal, at the time at which it was paid', () => {
    const tape = knownOn(day('02-10'), 'active', inFebruary, { payments: paid });
    expectViews(
      tape,
      { at: day('01-20'), truth: { paid: 999, status: 'active' }, known: { paid: 999, status: 'active' } },
      { at: day('02-05'), truth: { paid: 1_998, status: 'active' }, known: { paid: 999, status: 'grace' } },
      { at: day('02-12'), truth: { paid: 1_998 }, known: { paid: 1_998, status: 'active' } },
    );
  });

  it('a failed payment', () => {
    const tape = knownOn(day('02-10'), 'past_due', inFebruary, {
      failures: [{ ...failure('in_2', 1, day('02-14')), failedAt: day('02-03') }],
    });
    const unpaid = { stripeStatus: 'past_due', status: 'grace', nextChargeAt: day('02-14') };
    expectViews(
      tape,
      { at: day('02-02'), truth: { stripeStatus: 'active' }, known: { stripeStatus: 'active' } },
      { at: day('02-05'), truth: unpaid, known: { stripeStatus: 'active' } },
      { at: day('02-12'), truth: unpaid, known: unpaid },
    );
    expect(explainTruthAt(historyOf(tape), day('02-05')).chain.map(({ type }) => type)).toContain(
      'PaymentFailed',
    );
  });

  it('a failed payment before Stripe has stopped trying, of which it says no time', () => {
    const tape = knownOn(day('02-10'), 'unpaid', inFebruary, {
      failures: [{ ...failure('in_2', 4, null), failedAt: day('02-03') }],
    });
    const stopped = { hasAccess: false, status: 'suspended', stripeStatus: 'unpaid' };
    expectViews(
      tape,
      { at: day('02-02'), truth: { hasAccess: true }, known: { hasAccess: true } },
      { at: day('02-05'), truth: { stripeStatus: 'past_due' }, known: { stripeStatus: 'active' } },
      { at: day('02-12'), truth: stopped, known: stopped },
    );
  });

  it('a refund', () => {
    const tape = knownOn(
      day('01-25'),
      'active',
      {},
      { refunds: [{ ...refundOf('in_1', 'succeeded'), refundedAt: day('01-15') }] },
    );
    expectViews(
      tape,
      { at: day('01-14'), truth: { hasAccess: true, refunded: 0 }, known: { refunded: 0 } },
      {
        at: day('01-16'),
        truth: { hasAccess: false, refunded: 999 },
        known: { hasAccess: true, refunded: 0 },
      },
      { at: day('01-26'), truth: { refunded: 999 }, known: { hasAccess: false, refunded: 999 } },
    );
  });

  it('a dispute, while it was open and after it was lost', () => {
    const closed = { disputeId: 'dp_1', outcome: 'lost', closedAt: day('01-18') } as const;
    const tape = knownOn(
      day('01-25'),
      'active',
      {},
      {
        disputes: [{ ...openedDispute('dp_1'), openedAt: day('01-10') }],
        closedDisputes: [closed],
      },
    );
    const untouched = { isDisputed: false, hasAccess: true };
    expectViews(
      tape,
      { at: day('01-09'), truth: untouched, known: untouched },
      { at: day('01-12'), truth: { isDisputed: true, hasAccess: true }, known: untouched },
      { at: day('01-20'), truth: { isDisputed: false, hasAccess: false }, known: untouched },
      { at: day('01-26'), truth: { hasAccess: false }, known: { hasAccess: false } },
    );
  });

  it('the end of a subscription', () => {
    const tape = knownOn(day('01-25'), 'canceled', { endedAt: day('01-15') }, {});
    expectViews(
      tape,
      { at: day('01-14'), truth: { status: 'active' }, known: { status: 'active' } },
      { at: day('01-16'), truth: { status: 'ended', stripeStatus: 'canceled' }, known: { status: 'active' } },
    );
  });
});

describe('what was true before it happened', () => {
  it('is without what support has granted later', () => {
    const tape = grant(
      passTo(bought, day('01-20')),
      { id: 'grant 1', tier: 'Elite', until: null },
      day('01-20'),
    );
    const none = { tier: 'Pro', complimentary: null };
    const granted = { tier: 'Elite', complimentary: 'Elite' };
    expectViews(
      tape,
      { at: day('01-19'), truth: none, known: none },
      { at: day('01-21'), truth: granted, known: granted },
    );
  });
});
