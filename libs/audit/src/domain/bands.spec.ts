import { describe, expect, it } from '@jest/globals';
import { day, elite, failure, february, january, paidInvoice, snapshot } from '@tapedeck/payments/testing';
import { grant, historyOf, newTape, passTo, revoke, tell, type Tape } from '../testing/tape.ts';
import { bandsOf } from './bands.ts';

const bands = (tape: Tape): readonly string[] =>
  bandsOf(historyOf(tape)).map(
    ({ from, to, tier, status }) => `${from.slice(5, 10)} to ${to?.slice(5, 10) ?? '–'}: ${tier} ${status}`,
  );

const first = paidInvoice('in_1', january);
const bought = tell(newTape, snapshot());

describe('the access of a member over time', () => {
  it('is nothing before anything was bought', () => {
    expect(bands(newTape)).toEqual([]);
  });

  it('lasts through the grace, which begins when the renewal should be known', () => {
    expect(bands(bought)).toEqual([
      '01-01 to 02-02: Pro active',
      '02-02 to 02-15: Pro grace',
      '02-15 to –: Free suspended',
    ]);
  });

  it('changes its tier when the plan changes, and goes on with a renewal', () => {
    const payments = [
      first,
      paidInvoice('in_up', [day('01-10'), day('02-01')], { plan: elite }),
      paidInvoice('in_2', february, { plan: elite }),
    ];
    const upgraded = tell(
      bought,
      snapshot('active', { plan: elite, observedAt: day('01-10') }, { payments: payments.slice(0, 2) }),
    );
    const renewed = tell(
      upgraded,
      snapshot('active', { plan: elite, observedAt: day('02-01'), periodEnd: february[1] }, { payments }),
    );
    expect(bands(renewed).slice(0, 3)).toEqual([
      '01-01 to 01-10: Pro active',
      '01-10 to 03-02: Elite active',
      '03-02 to 03-15: Elite grace',
    ]);
  });

  it('is in grace from the failure, suspended after the grace, and back with a payment', () => {
    const failed = tell(
      bought,
      snapshot(
        'past_due',
        { observedAt: day('02-01') },
        { payments: [first], failures: [failure('in_2', 1, null)] },
      ),
    );
    const paid = tell(
      passTo(failed, day('02-15')),
      snapshot(
        'active',
        { observedAt: day('02-20'), periodEnd: february[1] },
        { payments: [first, paidInvoice('in_2', february)] },
      ),
    );
    expect(bands(paid).slice(0, 4)).toEqual([
      '01-01 to 02-01: Pro active',
      '02-01 to 02-15: Pro grace',
      '02-15 to 02-20: Free suspended',
      '02-20 to 03-02: Pro active',
    ]);
  });

  it('has the better tier while a grant lasts, and no end for a grant without one', () => {
    const granted = grant(bought, { id: 'g1', tier: 'Elite', until: day('01-20') }, day('01-05'));
    expect(bands(granted).slice(0, 3)).toEqual([
      '01-01 to 01-05: Pro active',
      '01-05 to 01-20: Elite complimentary',
      '01-20 to 02-02: Pro active',
    ]);
    const endless = grant(newTape, { id: 'g1', tier: 'Pro', until: null }, day('01-05'));
    expect(bands(endless)).toEqual(['01-05 to –: Pro complimentary']);
    expect(bands(revoke(endless, day('01-08')))).toEqual(['01-05 to 01-08: Pro complimentary']);
  });
});
