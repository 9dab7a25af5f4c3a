import { describe, expect, it } from '@jest/globals';
import { dailyFigures, type DailyFigures, type FailedInvoice } from './daily-figures.ts';
import { daysUntil } from './days.ts';
import type { Payment, Purchase, Verdict } from './purchase.ts';

const at = (time: string): number => Date.parse(`2026-${time.includes('T') ? time : `${time}T12:00:00`}Z`);
const now = at('04-10');
const days = daysUntil(now);
const graceMs = 14 * 86_400_000;
const pro = { tier: 'Pro', period: 'monthly' } as const;
const proAnnual = { tier: 'Pro', period: 'annual' } as const;
const elite = { tier: 'Elite', period: 'monthly' } as const;

const payment = (from: string, to: string, given: Partial<Payment> = {}): Payment => ({
  amount: 999,
  currency: 'usd',
  plan: pro,
  paidAt: at(from),
  end: at(to),
  refunds: [],
  ...given,
});
const verdict = (recordedAt: string, given: Partial<Verdict> = {}): Verdict => ({
  phase: 'active',
  plan: pro,
  endsAt: null,
  endedAt: null,
  recordedAt: at(recordedAt),
  ...given,
});
const purchase = (given: Partial<Purchase>): Purchase => ({
  owners: [{ member: 'ann', from: null }],
  verdict: verdict('04-01'),
  payments: [payment('04-01', '05-01')],
  ...given,
});
const figuresOf = (purchases: readonly Purchase[], failed: readonly FailedInvoice[] = []): DailyFigures =>
  dailyFigures({ purchases, failed, graceMs }, days);

const dayIndex = (day: string): number => days.names.indexOf(`2026-${day}`);
/** The days of 2026 on which a series is not 0, each with its value. */
const shown = (series: readonly number[]): readonly string[] =>
  series.flatMap((value, day) => (value === 0 ? [] : [`${days.names[day]?.slice(5)}: ${value}`]));
const activeOn = ({ members }: DailyFigures, day: string): readonly string[] =>
  members.flatMap(({ tier, period, active }) => {
    const count = active[dayIndex(day)] ?? 0;
    return count === 0 ? [] : [`${count} ${tier} ${period}`];
  });
const revenueOn = ({ revenue }: DailyFigures, day: string): readonly string[] =>
  revenue.map(({ currency, amounts }) => `${amounts[dayIndex(day)]} ${currency}`);

describe('the days', () => {
  it('are those of 13 months in UTC, up to the current one', () => {
    expect([days.names[0], days.names.at(-1), days.names.length]).toEqual(['2025-03-10', '2026-04-10', 397]);
    expect(daysUntil(Date.parse('2026-04-10T23:59:59.999Z')).names).toEqual(days.names);
    expect(daysUntil(Date.parse('2026-04-11T00:00:00Z')).names.at(-1)).toBe('2026-04-11');
  });
});

describe('active members', () => {
  it('begin on the day of the payment, in UTC', () => {
    const late = purchase({ payments: [payment('04-02T23:59:59.999', '05-02')] });
    expect(shown(figuresOf([late]).joined)).toEqual(['04-02: 1']);
    expect(activeOn(figuresOf([late]), '04-02')).toEqual(['1 Pro monthly']);
    const next = purchase({ payments: [payment('04-03T00:00:00', '05-02')] });
    expect(activeOn(figuresOf([next]), '04-02')).toEqual([]);
  });

  it('begin with the claim where somebody has proved to own a purchase by e-mail', () => {
    const claimed = purchase({ owners: [{ member: 'ann', from: at('04-05') }] });
    expect(shown(figuresOf([claimed]).joined)).toEqual(['04-05: 1']);
  });

  it('do not count without an owner', () => {
    const counted = figuresOf([purchase({ owners: [] })]);
    expect([shown(counted.joined), revenueOn(counted, '04-10')]).toEqual([[], []]);
  });

  it('stay for the grace after a period that is not renewed, and leave at its end', () => {
    const unpaid = purchase({
      verdict: verdict('03-21', { phase: 'past-due' }),
      payments: [payment('02-21', '03-21')],
    });
    const counted = figuresOf([unpaid]);
    expect(activeOn(counted, '04-03')).toEqual(['1 Pro monthly']);
    expect(activeOn(counted, '04-04')).toEqual([]);
    expect(shown(counted.churned)).toEqual(['04-04: 1']);
  });

  it('leave when Stripe says that it has ended, at the latest when that was recorded', () => {
    const ended = { phase: 'ended', endedAt: at('04-03') } as const;
    expect(shown(figuresOf([purchase({ verdict: verdict('04-05', ended) })]).churned)).toEqual(['04-03: 1']);
    const ahead = { phase: 'ended', endedAt: at('04-30') } as const;
    expect(shown(figuresOf([purchase({ verdict: verdict('04-05', ahead) })]).churned)).toEqual(['04-05: 1']);
    const scheduled = verdict('04-02', { endsAt: at('04-04') });
    expect(shown(figuresOf([purchase({ verdict: scheduled })]).churned)).toEqual(['04-04: 1']);
  });

  it('come back, and are not new again', () => {
    const first = purchase({
      verdict: verdict('02-01', { phase: 'ended', endedAt: at('02-01') }),
      payments: [payment('01-01', '02-01')],
    });
    const counted = figuresOf([first, purchase({})]);
    expect([counted.joined, counted.churned, counted.returned].map(shown)).toEqual([
      ['01-01: 1'],
      ['02-01: 1'],
      ['04-01: 1'],
    ]);
  });

  it('are not new when they were members before the first day', () => {
    const old: Payment = {
      ...payment('01-01', '02-01'),
      paidAt: Date.parse('2020-01-01'),
      end: Date.parse('2020-02-01'),
    };
    const first = purchase({
      verdict: verdict('01-01', { phase: 'ended', endedAt: old.end }),
      payments: [old],
    });
    const counted = figuresOf([purchase({}), first]);
    expect([shown(counted.joined), shown(counted.returned)]).toEqual([[], ['04-01: 1']]);
  });

  it('count once with two subscriptions, under the better plan', () => {
    const other = purchase({
      verdict: verdict('04-05', { plan: elite }),
      payments: [payment('04-05', '05-05', { plan: elite, amount: 1_999 })],
    });
    const counted = figuresOf([other, purchase({})]);
    expect([activeOn(counted, '04-04'), activeOn(counted, '04-05')]).toEqual([
      ['1 Pro monthly'],
      ['1 Elite monthly'],
    ]);
    expect([shown(counted.joined), shown(counted.churned)]).toEqual([['04-01: 1'], []]);
    expect(revenueOn(counted, '04-10')).toEqual(['2998 usd']);
  });

  it('leave with a transfer, after which the purchase is that of the other account', () => {
    const transferred = purchase({
      owners: [
        { member: 'ann', from: null },
        { member: 'bob', from: at('04-06') },
      ],
    });
    const counted = figuresOf([transferred]);
    expect([counted.joined, counted.churned].map(shown)).toEqual([['04-01: 1', '04-06: 1'], ['04-06: 1']]);
    expect(activeOn(counted, '04-06')).toEqual(['1 Pro monthly']);
  });

  it('had the plan that they paid for, and have that of the entitlement', () => {
    const upgraded = purchase({
      verdict: verdict('04-05', { plan: elite }),
      payments: [payment('04-01', '05-01'), payment('04-05', '05-01', { plan: elite, amount: 800 })],
    });
    const counted = figuresOf([upgraded]);
    expect([activeOn(counted, '04-04'), activeOn(counted, '04-05')]).toEqual([
      ['1 Pro monthly'],
      ['1 Elite monthly'],
    ]);
    expect([revenueOn(counted, '04-04'), revenueOn(counted, '04-05')]).toEqual([['999 usd'], ['1799 usd']]);
  });
});

describe('monthly recurring revenue', () => {
  it('is a twelfth of an annual charge, rounded once for all members', () => {
    const annual = (member: string): Purchase => ({
      owners: [{ member, from: null }],
      verdict: verdict('04-01', { plan: proAnnual }),
      payments: [
        { ...payment('04-01', '04-30', { plan: proAnnual, amount: 7_499 }), end: Date.parse('2027-04-01') },
      ],
    });
    expect(revenueOn(figuresOf([annual('ann')]), '04-10')).toEqual(['625 usd']);
    expect(revenueOn(figuresOf(['ann', 'bob', 'eve'].map(annual)), '04-10')).toEqual(['1875 usd']);
  });

  it('is what was charged with an introductory price, and the price from the renewal on', () => {
    const payments = [payment('03-05', '04-05', { amount: 499 }), payment('04-05', '05-05')];
    const counted = figuresOf([purchase({ payments, verdict: verdict('04-05') })]);
    expect([revenueOn(counted, '04-04'), revenueOn(counted, '04-05')]).toEqual([['499 usd'], ['999 usd']]);
  });

  it('is less what went back, from that day on, by currency', () => {
    const refunded = purchase({
      payments: [payment('04-01', '05-01', { refunds: [{ amount: 300, at: at('04-03') }] })],
    });
    const other: Purchase = {
      ...purchase({ payments: [payment('04-01', '05-01', { currency: 'eur', amount: 899 })] }),
      owners: [{ member: 'bob', from: null }],
    };
    const counted = figuresOf([refunded, other]);
    expect([revenueOn(counted, '04-02'), revenueOn(counted, '04-03')]).toEqual([
      ['899 eur', '999 usd'],
      ['899 eur', '699 usd'],
    ]);
  });

  it('ends with the access when the whole period went back', () => {
    const refunds = [
      { amount: 500, at: at('04-04') },
      { amount: 499, at: at('04-06') },
    ];
    const counted = figuresOf([
      purchase({ payments: [payment('03-01', '04-01'), payment('04-01', '05-01', { refunds })] }),
    ]);
    expect([revenueOn(counted, '04-05'), revenueOn(counted, '04-06')]).toEqual([['499 usd'], ['0 usd']]);
    expect(shown(counted.churned)).toEqual(['04-06: 1']);
  });
});

describe('failed payments', () => {
  it('count on the day when they were due, and those that are recovered on the day of the payment', () => {
    const counted = figuresOf(
      [],
      [
        { failedAt: at('04-01'), paidAt: at('04-04') },
        { failedAt: at('04-01'), paidAt: null },
        { failedAt: at('04-20'), paidAt: null },
        { failedAt: Date.parse('2020-01-01'), paidAt: at('04-04') },
      ],
    );
    expect([shown(counted.failed), shown(counted.recovered)]).toEqual([['04-01: 2'], ['04-04: 2']]);
  });
});
