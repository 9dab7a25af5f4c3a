import { describe, expect, it } from '@jest/globals';
import { day, elite, january, paidInvoice, record, snapshot } from '../testing/snapshots.ts';
import { after, bought, byAnn, request, typesAfter, upgrade } from '../testing/subscription-history.ts';

describe('a refused change', () => {
  const refused = {
    type: 'RefuseStripeRequest',
    requestId: 'upgrade',
    code: 'payment_incomplete',
    fixUrl: null,
  } as const;

  it('is over when it was paid later', () => {
    const payments = [paidInvoice('in_2', january, { plan: elite })];
    const later = record(snapshot('active', { observedAt: day('01-06'), plan: elite }, { payments }));
    expect(typesAfter(bought, request(upgrade), refused, later)).toContain('StripeWriteCompleted');
  });

  it('is what it becomes when Stripe has accepted it and does not show it', () => {
    const resume = request({ kind: 'resume' });
    const cancelled = record(snapshot('active', { cancelAt: day('01-20') }), byAnn);
    const complete = { type: 'CompleteStripeRequest', requestId: 'resume' } as const;
    expect(after(cancelled, resume, complete).at(-1)).toMatchObject({
      type: 'StripeWriteRefused',
      data: { code: 'NOT_CONFIRMED' },
    });
  });
});
