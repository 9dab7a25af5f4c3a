import { describe, expect, it } from '@jest/globals';
import {
  day,
  failure,
  february,
  january,
  openedDispute,
  paidInvoice,
  record,
  refundOf,
  snapshot,
} from '../testing/snapshots.ts';
import {
  after,
  bought,
  byAnn,
  entitlementAfter,
  request,
  typesAfter,
  upgrade,
} from '../testing/subscription-history.ts';

type Money = Parameters<typeof snapshot>[2];
const read = (
  status: Parameters<typeof snapshot>[0],
  at: string,
  money: Money = {},
  given: Parameters<typeof snapshot>[1] = {},
) => record(snapshot(status, { observedAt: day(at), ...given }, money));

describe('an invoice that was tried in vain', () => {
  const failed = read('past_due', '02-01', { failures: [failure('in_2', 1, day('02-04'))] });
  const ended = { endedAt: day('02-10') };
  const voided = { voided: [{ invoiceId: 'in_2', voidedAt: day('02-10') }] };

  it('ends the subscription as unpaid', () => {
    expect(entitlementAfter(bought, failed, read('canceled', '02-10', {}, ended))?.endReason).toBe('unpaid');
  });

  it('does not when it is not to be paid any more', () => {
    const canceled = read('canceled', '02-10', voided, ended);
    expect(entitlementAfter(bought, failed, canceled)?.endReason).toBe('canceled');
    expect(
      typesAfter(bought, failed, canceled, canceled).filter((type) => type === 'InvoiceVoided'),
    ).toHaveLength(1);
  });

  it('is not recorded as voided when it never failed', () => {
    expect(typesAfter(bought, read('active', '02-10', voided))).not.toContain('InvoiceVoided');
  });

  it('is recorded again when the bank asks for a confirmation', () => {
    const asked = { failures: [{ ...failure('in_2', 1, null), needsAction: true }] };
    const types = typesAfter(
      bought,
      failed,
      read('past_due', '02-02', asked),
      read('past_due', '02-03', asked),
    );
    expect(types.filter((type) => type === 'PaymentFailed')).toHaveLength(2);
  });
});

describe('a dispute', () => {
  const closed = (outcome: 'won' | 'lost' | 'prevented', at: string) =>
    read('active', at, {
      disputes: [openedDispute('dp_1')],
      closedDisputes: [{ disputeId: 'dp_1', outcome, closedAt: day(at) }],
    });

  it('that was settled before it became one bars nothing', () => {
    expect(typesAfter(bought, closed('prevented', '01-12'), request(upgrade))).toContain(
      'StripeWriteRequested',
    );
  });

  it('that is lost and then won gives back the period that was paid', () => {
    const lost = closed('lost', '01-12');
    const ended = read('canceled', '01-13', {}, { endedAt: day('01-13') });
    expect(entitlementAfter(bought, lost, ended)?.endReason).toBe('dispute-lost');
    expect(entitlementAfter(bought, lost, ended, closed('won', '01-20'))).toMatchObject({
      phase: 'active',
      endsAt: january[1],
    });
  });

  it('keeps its later outcome when an older one is read again', () => {
    const outcomes = after(bought, closed('lost', '01-12'), closed('won', '01-20'), closed('lost', '01-15'));
    expect(outcomes.filter(({ type }) => type === 'DisputeClosed')).toHaveLength(2);
  });
});

describe('a refund that has failed', () => {
  it('revives nothing that was not ended because of it', () => {
    const failed = { refunds: [refundOf('in_1', 'failed')] };
    const canceled = read('canceled', '01-10', failed, { endedAt: day('01-10') });
    expect(entitlementAfter(bought, canceled)).toMatchObject({ phase: 'ended', endReason: 'canceled' });
  });
});

describe('the plan that was bought', () => {
  it('is that of the payment that was made first, also when a later one is for a shorter time', () => {
    const annual = paidInvoice('in_1', [day('01-01'), day('12-31')], {
      plan: { tier: 'Pro', period: 'annual' },
      reason: 'subscription_create',
    });
    const monthly = paidInvoice('in_2', february);
    const both = record(snapshot('active', {}, { payments: [monthly, annual] }), {
      ...byAnn,
      plan: { tier: 'Pro', period: 'annual' },
    });
    expect(typesAfter(both)).toContain('PaymentClaimed');
  });
});

describe('a snapshot from a machine whose clock is slow', () => {
  const early = snapshot('past_due', { observedAt: '2025-12-31T23:59:00.000Z' });

  it('holds when Stripe was asked after the known one was recorded', () => {
    expect(entitlementAfter(bought, record(early, byAnn, { basedOn: 1 }))?.phase).toBe('past-due');
  });

  it('does not hold when Stripe was asked before', () => {
    expect(typesAfter(bought, record(early, byAnn, { basedOn: 0 }))).toHaveLength(4);
  });
});

describe('a renewal that is charged an hour after its period has begun', () => {
  it('does not take back an upgrade that was paid meanwhile', () => {
    const elite = { tier: 'Elite', period: 'monthly' } as const;
    const [begin, end] = february;
    const at = (minutes: number): string => new Date(Date.parse(begin) + minutes * 60_000).toISOString();
    const renewal = paidInvoice('in_2', february, { paidAt: at(60) });
    const upgraded = paidInvoice('in_3', [at(1), end], {
      plan: elite,
      reason: 'subscription_update',
      paidAt: at(1),
    });
    const both = read('active', '02-02', { payments: [renewal, upgraded] }, { plan: elite });
    expect(entitlementAfter(bought, both)?.tier).toBe('Elite');
  });
});
