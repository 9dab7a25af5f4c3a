import { describe, expect, it } from '@jest/globals';
import {
  day,
  february,
  openedDispute,
  paidInvoice,
  record,
  refundOf,
  snapshot,
} from '../testing/snapshots.ts';
import { after, bought, byMail, claim, typesAfter } from '../testing/subscription-history.ts';
import type { SubscriptionCommand } from './decide-subscription.ts';
import { reconcile, type SubscriptionBooks } from './money-findings.ts';

const now = day('01-10');
const agreed: SubscriptionBooks = {
  currency: 'usd',
  ledger: { ahead: 999, until: day('02-01') },
  entitlement: { phase: 'active', endReason: null },
  stripe: { status: 'active', amount: 999 },
  periodEnd: day('02-01'),
  isQueued: false,
};
const nothingPaid = { ahead: 0, until: null };
const ended = { phase: 'ended', endReason: 'canceled' } as const;
const kindOf = (books: Partial<SubscriptionBooks>): string | undefined =>
  reconcile({ ...agreed, ...books }, now)?.kind;

describe('money and access', () => {
  it.each<readonly [string, Partial<SubscriptionBooks>]>([
    ['what is paid gives access', {}],
    ['a free period gives access', { ledger: { ahead: 0, until: day('02-01') } }],
    ['a renewal is an hour or a day late', { ledger: { ahead: 0, until: day('01-08') } }],
    [
      'a failed renewal is in its grace',
      { entitlement: { phase: 'past-due', endReason: null }, ledger: nothingPaid },
    ],
    [
      'an ended subscription has used up its money',
      { entitlement: ended, ledger: nothingPaid, stripe: { status: 'canceled', amount: 999 } },
    ],
    [
      'the first payment was never made',
      { entitlement: null, ledger: nothingPaid, stripe: { status: 'incomplete', amount: 999 } },
    ],
    [
      'the bank has taken the money back',
      {
        entitlement: { phase: 'ended', endReason: 'dispute-lost' },
        stripe: { status: 'canceled', amount: 999 },
      },
    ],
    [
      'the owner has deleted the account',
      {
        entitlement: { phase: 'ended', endReason: 'account-closed' },
        stripe: { status: 'canceled', amount: 999 },
      },
    ],
    ['a purchase waits for its claim', { entitlement: null, isQueued: true }],
  ])('agree when %s', (_, books) => {
    expect(kindOf(books)).toBeUndefined();
  });

  it.each<readonly [string, Partial<SubscriptionBooks>]>([
    ['nobody owns what is paid', { entitlement: null }],
    ['it was ended before its period', { entitlement: ended, stripe: { status: 'canceled', amount: 999 } }],
    ['Stripe charges again for what has ended', { entitlement: ended, ledger: nothingPaid }],
    [
      'Stripe charges again for what nobody owns',
      { entitlement: null, ledger: nothingPaid, stripe: { status: 'past_due', amount: 999 } },
    ],
  ])('disagree when %s: money without access', (_, books) => {
    expect(kindOf(books)).toBe('money-without-access');
  });

  it.each<readonly [string, Partial<SubscriptionBooks>]>([
    ['nothing was paid', { ledger: nothingPaid }],
    ['a renewal is four days late', { ledger: { ahead: 0, until: day('01-06') } }],
  ])('disagree when %s: access without money', (_, books) => {
    expect(kindOf(books)).toBe('access-without-money');
  });
});

describe('the comparison of a subscription', () => {
  const check = { type: 'CheckMoney', now } as const;
  const orphan = record(snapshot(), null);
  const accept = { type: 'AcceptFinding', kind: 'money-without-access', reason: 'A test of ours.' } as const;
  const found = ['MoneyFindingOpened'];
  const findings = (...commands: readonly SubscriptionCommand[]): readonly string[] =>
    typesAfter(...commands).filter((type) => type.startsWith('MoneyFinding'));

  it('finds nothing in a purchase, and in one that waits for its claim or its dispute', () => {
    expect(findings(bought, check)).toEqual([]);
    expect(findings(record(snapshot(), byMail), check)).toEqual([]);
    const disputed = record(
      snapshot('active', {}, { payments: [], disputes: [openedDispute('dp_1')] }),
      null,
    );
    expect(findings(disputed, check)).toEqual([]);
  });

  it('finds what nobody owns, once, until it has an owner', () => {
    expect(findings(orphan, check, check)).toEqual(found);
    const later = record(snapshot('active', { observedAt: day('01-05') }), byMail);
    expect(findings(orphan, check, later, claim(), check)).toEqual([...found, 'MoneyFindingClosed']);
  });

  it('finds it no more when the money has gone back', () => {
    const refunds = [refundOf('in_1', 'succeeded')];
    const over = { observedAt: day('01-06'), endedAt: day('01-06') };
    const returned = record(snapshot('canceled', over, { refunds }), null);
    expect(findings(orphan, check, returned, check)).toEqual([...found, 'MoneyFindingClosed']);
  });

  it('keeps what a person has accepted, and finds what has changed since', () => {
    expect(findings(orphan, check, accept, check, accept)).toEqual([...found, 'MoneyFindingAccepted']);
    const renewed = record(
      snapshot(
        'active',
        { observedAt: day('01-08') },
        {
          payments: [
            paidInvoice('in_1', [day('01-01'), day('02-01')]),
            paidInvoice('in_2', [day('02-01'), day('03-01')]),
          ],
        },
      ),
      null,
    );
    expect(findings(orphan, check, accept, renewed, check)).toEqual([
      ...found,
      'MoneyFindingAccepted',
      'MoneyFindingOpened',
    ]);
  });

  it('finds each further charge of what was accepted once', () => {
    const renewed = record(
      snapshot(
        'active',
        { observedAt: day('02-02'), periodStart: february[0], periodEnd: february[1] },
        { payments: [paidInvoice('in_2', february)] },
      ),
      null,
    );
    const later = { ...check, now: day('02-10') };
    expect(findings(orphan, check, accept, renewed, later, accept, later)).toEqual([
      ...found,
      'MoneyFindingAccepted',
      ...found,
      'MoneyFindingAccepted',
    ]);
  });

  it('finds each further period without its money, although one was accepted', () => {
    const unpaid = ([periodStart, periodEnd]: readonly [string, string]) =>
      record(snapshot('active', { observedAt: periodStart, periodStart, periodEnd }, { payments: [] }));
    const given = { ...accept, kind: 'access-without-money' } as const;
    const at = (now: string) => ({ ...check, now: day(now) });
    const accepted = [bought, unpaid(february), at('02-10'), given, at('02-20')];
    expect(findings(...accepted)).toEqual([...found, 'MoneyFindingAccepted']);
    const march = unpaid([february[1], day('04-01')]);
    expect(findings(...accepted, march, at('03-10')).at(-1)).toBe('MoneyFindingOpened');
  });

  it('keeps one entry of what goes on for several periods, until somebody accepts it', () => {
    const later = record(
      snapshot('past_due', { observedAt: day('02-02'), periodStart: february[0], periodEnd: february[1] }),
      null,
    );
    expect(findings(orphan, check, later, { ...check, now: day('02-10') })).toEqual(found);
  });

  it('refuses to accept what is not found', () => {
    expect(() => after(bought, check, accept)).toThrow(/solved in the meantime/);
  });
});
