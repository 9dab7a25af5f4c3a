import { describe, expect, it } from '@jest/globals';
import {
  day,
  elite,
  february,
  january,
  paidInvoice,
  pro,
  snapshot,
  type SubscriptionSnapshot,
} from '@tapedeck/payments/testing';
import { grant, historyOf, newTape, revoke, tell, type Tape } from '../testing/tape.ts';
import { explainAt } from './explain.ts';
import { textOf, type Reference } from './sentence-parts.ts';

const sentence = (tape: Tape, at: string): string => textOf(explainAt(historyOf(tape), at).sentence);

/** What the linked words stand for: the type of an event, or an id. */
const references = (tape: Tape, at: string): Readonly<Record<string, string>> => {
  const { sentence: parts } = explainAt(historyOf(tape), at);
  const nameOf = ({ kind, id }: Reference): string =>
    kind === 'event' ? (tape.events.find((event) => event.id === id)?.type ?? 'unknown') : id;
  return Object.fromEntries(
    parts.flatMap(({ text, reference }) => (reference ? [[text, nameOf(reference)]] : [])),
  );
};

type Subscription = Partial<SubscriptionSnapshot['subscription']>;
type Payments = SubscriptionSnapshot['payments'];

const first = paidInvoice('in_1', january, { reason: 'subscription_create' });
const upgradeInvoice = paidInvoice('in_up', [day('01-10'), day('02-01')], {
  plan: elite,
  amountPaid: 700,
  reason: 'subscription_update',
});
const observed = (tape: Tape, at: string, given: Subscription, payments: Payments = [first]): Tape =>
  tell(tape, snapshot('active', { ...given, observedAt: at }, { payments }));

const bought = tell(newTape, snapshot());
const upgraded = observed(bought, day('01-10'), { plan: elite }, [first, upgradeInvoice]);
const inFebruary = { periodStart: february[0], periodEnd: february[1] };

describe('why a member has the tier after a change of the plan', () => {
  it('is the payment that changed the plan, not the one that activated the membership', () => {
    expect(sentence(upgraded, day('01-11'))).toBe(
      'Elite until Feb 1, 2026, because the invoice of $7.00 was paid on Jan 10, 2026; that payment changed the plan from Pro (monthly) to Elite (monthly).',
    );
    expect(references(upgraded, day('01-11'))).toEqual({
      'the invoice of $7.00': 'in_up',
      'paid on Jan 10, 2026': 'PaymentRecorded',
      'changed the plan from Pro (monthly) to Elite (monthly)': 'TierChanged',
    });
    expect(explainAt(historyOf(upgraded), day('01-11')).chain.map(({ type }) => type)).toContain(
      'TierChanged',
    );
    expect(sentence(upgraded, day('01-09'))).toMatch(/^Pro until .* activated the membership\.$/);
  });

  it('is the payment of the plan before, while a higher one is not paid', () => {
    const unpaid = observed(bought, day('01-10'), { plan: elite });
    expect(sentence(unpaid, day('01-11'))).toMatch(/^Pro until .* activated the membership\.$/);
  });

  it('is the change itself when it was one to a lower plan', () => {
    const back = observed(upgraded, day('01-15'), { plan: pro }, [first, upgradeInvoice]);
    expect(sentence(back, day('01-16'))).toBe(
      'Pro until Feb 1, 2026, because the plan was changed from Elite (monthly) to Pro (monthly) on Jan 15, 2026; the time is covered by the invoice of $7.00, paid on Jan 10, 2026.',
    );
  });

  it('is the renewal after an upgrade, with the day of the upgrade', () => {
    const renewal = paidInvoice('in_2', february, { plan: elite, amountPaid: 1_999 });
    const renewed = observed(upgraded, day('02-01'), { plan: elite, ...inFebruary }, [
      first,
      upgradeInvoice,
      renewal,
    ]);
    expect(sentence(renewed, day('02-02'))).toBe(
      'Elite until Mar 1, 2026, because the invoice of $19.99 was paid on Feb 1, 2026; that payment renewed the membership, whose plan was changed from Pro (monthly) to Elite (monthly) on Jan 10, 2026.',
    );
  });

  it('is the payment of a year, which renewed the membership and changed the plan', () => {
    const annual = { tier: 'Pro', period: 'annual' } as const;
    const year = [day('01-10'), day('12-31')] as const;
    const paid = paidInvoice('in_year', [...year], { plan: annual, amountPaid: 7_499 });
    const changed = observed(bought, day('01-10'), { plan: annual, periodEnd: year[1] }, [first, paid]);
    expect(sentence(changed, day('01-11'))).toBe(
      'Pro until Dec 31, 2026, because the invoice of $74.99 was paid on Jan 10, 2026; that payment renewed the membership and changed the plan from Pro (monthly) to Pro (annual).',
    );
  });

  it('says to which plan it changes at the end of the period, and then that it has', () => {
    const scheduledPlan = { ...pro, at: day('02-01') };
    const scheduled = observed(upgraded, day('01-20'), { plan: elite, scheduledPlan }, [
      first,
      upgradeInvoice,
    ]);
    expect(sentence(scheduled, day('01-21'))).toMatch(
      /^Elite until Feb 1, 2026, .* It changes to Pro \(monthly\) on Feb 1, 2026\.$/,
    );
    expect(references(scheduled, day('01-21'))).toMatchObject({
      'changes to Pro (monthly)': 'SubscriptionObserved',
    });
    expect(sentence(scheduled, day('01-19'))).not.toContain('It changes');
    const changed = observed(scheduled, day('02-01'), { plan: pro, ...inFebruary }, [
      first,
      upgradeInvoice,
      paidInvoice('in_2', february),
    ]);
    expect(sentence(changed, day('02-02'))).toBe(
      'Pro until Mar 1, 2026, because the invoice of $9.99 was paid on Feb 1, 2026; that payment renewed the membership and changed the plan from Elite (monthly) to Pro (monthly).',
    );
  });

  it('is the grant of support while it lasts, and the subscription after it', () => {
    const granted = grant(bought, { id: 'g1', tier: 'Elite', until: null }, day('01-05'));
    expect(sentence(granted, day('01-06'))).toBe(
      'Elite without an end, because support granted it on Jan 5, 2026.',
    );
    expect(references(granted, day('01-06'))).toEqual({
      'support granted it on Jan 5, 2026': 'ComplimentaryAccessGranted',
    });
    expect(sentence(revoke(granted, day('01-07')), day('01-08'))).toBe(
      'Pro until Feb 1, 2026, because the invoice of $9.99 was paid on Jan 1, 2026; that payment activated the membership.',
    );
    const upgradedUnderIt = observed(granted, day('01-10'), { plan: elite }, [first, upgradeInvoice]);
    expect(sentence(revoke(upgradedUnderIt, day('01-12')), day('01-13'))).toMatch(
      /^Elite until Feb 1, 2026, .* changed the plan from Pro \(monthly\) to Elite \(monthly\)\.$/,
    );
  });
});
