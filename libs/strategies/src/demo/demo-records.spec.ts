import { describe, expect, it } from '@jest/globals';
import { figuresOf, profitableTradesOf } from '../domain/figures.ts';
import { indicatorOf } from '../domain/indicators.ts';
import { amountOf } from '../domain/number-text.ts';
import type { StrategyRecord } from '../domain/strategy-record.ts';
import { readRecord } from '../reading/read-record.ts';
import { demoIdAt, isDemoStrategy } from './demo-ids.ts';
import { demoRecords } from './demo-records.ts';

const started = performance.now();
const records = [...demoRecords()];
const took = performance.now() - started;
const figures = records.map(figuresOf);

const different = (of: (record: StrategyRecord) => unknown): number => new Set(records.map(of)).size;

const known = <Value>(values: readonly (Value | null)[]): readonly Value[] =>
  values.filter((value): value is Value => value !== null);

const sorted = (values: readonly (number | null)[]): readonly number[] =>
  known(values).toSorted((a, b) => a - b);

const quantile = (values: readonly (number | null)[], share: number): number => {
  const all = sorted(values);
  return all[Math.floor(share * (all.length - 1))] ?? Number.NaN;
};

const unknownShare = (values: readonly unknown[]): number =>
  values.filter((value) => value === null).length / values.length;

describe('the demo catalogue', () => {
  it('has 4,500 strategies, made in a moment', () => {
    expect(records).toHaveLength(4_500);
    expect(took).toBeLessThan(10_000);
  });

  it('has its own ids, at least 4,300 titles and 800 authors', () => {
    expect(different(({ url_id }) => url_id)).toBe(4_500);
    expect(records.every(({ url_id }) => isDemoStrategy(url_id))).toBe(true);
    expect(isDemoStrategy('S3LKflwr')).toBe(false);
    expect(different(({ title }) => title.toLowerCase())).toBeGreaterThanOrEqual(4_300);
    expect(different(({ author }) => author)).toBeGreaterThanOrEqual(800);
  });

  it('has a few busy authors and many others', () => {
    const counts = new Map<string | null, number>();
    for (const { author } of records) counts.set(author, (counts.get(author) ?? 0) + 1);
    const byCount = [...counts.values()].toSorted((a, b) => b - a);
    expect(byCount[0]).toBeGreaterThan(40);
    expect(byCount[0]).toBeLessThan(300);
    expect(quantile(byCount, 0.5)).toBeLessThanOrEqual(4);
  });

  it('is the same every time, and another with another seed', () => {
    expect([...demoRecords({ count: 40 })]).toEqual([...demoRecords({ count: 40 })]);
    const [first] = demoRecords({ count: 40, seed: 1 });
    const [other] = demoRecords({ count: 40, seed: 2 });
    expect(first?.title).not.toBe(other?.title);
    expect(first?.url_id).toBe(other?.url_id);
  });

  it('can be of any size, also without code', () => {
    expect([...demoRecords({ count: 0 })]).toEqual([]);
    expect([...demoRecords({ count: 1 })]).toHaveLength(1);
    const [bare] = demoRecords({ count: 3, code: false });
    expect(bare).toMatchObject({ pine_script: null, code_available: false, code_lines: expect.any(Number) });
    expect(() => [...demoRecords({ count: -1 })]).toThrow(RangeError);
    expect(new Set(Array.from({ length: 100_000 }, (_, index) => demoIdAt(index))).size).toBe(100_000);
  });

  it('is read as it is by the ordinary import', () => {
    for (const record of records.slice(0, 300))
      expect(readRecord(JSON.parse(JSON.stringify(record)))).toEqual(record);
  });

  it('never names a real product of somebody else in its texts', () => {
    expect(JSON.stringify(records)).not.toMatch(/skyrex|tradingview\.com|https?:/i);
  });
});

describe('its figures', () => {
  it('reach the ends of the scales and are spread between', () => {
    const likes = figures.map((figure) => figure.likes);
    const pandl = figures.map(({ totalPandlPercent }) => totalPandlPercent);
    const lines = figures.map(({ codeLines }) => codeLines);
    const ends = (values: readonly (number | null)[]): readonly number[] => [
      quantile(values, 0),
      quantile(values, 1),
    ];
    expect(ends(likes)).toEqual([0, 20_349]);
    expect(ends(figures.map(({ views }) => views))[1]).toBe(999);
    expect(ends(figures.map(({ comments }) => comments))).toEqual([0, 53]);
    expect(ends(lines)[1]).toBe(4_328);
    expect(ends(pandl)).toEqual([-100, 300_000_000]);
    expect(quantile(likes, 0.5)).toBeLessThan(100);
    expect(quantile(likes, 0.99)).toBeGreaterThan(1_500);
    expect(quantile(pandl, 0.5)).toBeLessThan(100);
    expect(quantile(pandl, 0.99)).toBeGreaterThan(5_000);
    expect(quantile(lines, 0.5)).toBeLessThan(90);
  });

  it('stay where such figures can be', () => {
    const outside = figures.filter(
      ({ totalPandlPercent, maxDrawdownPercent, profitFactor, sharpeRatio }) =>
        (totalPandlPercent ?? 0) < -100 ||
        (maxDrawdownPercent ?? 1) <= 0 ||
        (maxDrawdownPercent ?? 0) > 100 ||
        (profitFactor ?? 0) < 0 ||
        Math.abs(sharpeRatio ?? 0) >= 5,
    );
    expect(outside).toEqual([]);
  });

  it('are unknown about one time in ten', () => {
    for (const field of [
      'totalPandlPercent',
      'maxDrawdownPercent',
      'profitFactor',
      'sharpeRatio',
      'likes',
    ] as const) {
      const share = unknownShare(figures.map((figure) => figure[field]));
      expect(share).toBeGreaterThan(0.08);
      expect(share).toBeLessThan(0.12);
    }
  });

  it('can be read wherever there is a text', () => {
    const unread = records.filter((record, index) => {
      const figure = figures[index];
      return (
        (figure?.totalPandlPercent === null) !== (record.total_pandl === null) ||
        (figure?.totalPandlAmount === null) !== (record.total_pandl === null) ||
        (figure?.maxDrawdownPercent === null) !== (record.max_equity_drawdown === null) ||
        (figure?.profitFactor === null) !== (record.profit_factor === null) ||
        (figure?.sharpeRatio === null) !== (record.sharpe_ratio_all === null) ||
        (figure?.totalTrades === null) !== (record.total_trades === null)
      );
    });
    expect(unread).toEqual([]);
  });

  it('have infinite profit factors, and minus signs as screens write them', () => {
    const endless = figures.filter(({ profitFactor }) => profitFactor === Infinity).length;
    expect(endless).toBeGreaterThan(15);
    expect(endless).toBeLessThan(150);
    expect(records.some(({ total_pandl }) => total_pandl?.includes('(\u2212'))).toBe(true);
    expect(records.some(({ total_pandl }) => total_pandl?.includes('-'))).toBe(false);
  });
});

describe('figures of one strategy agree', () => {
  it('the amount with the per cent and the capital', () => {
    for (const [index, { initial_capital }] of records.entries()) {
      const { totalPandlAmount: amount, totalPandlPercent: percent } = figures[index] ?? {};
      if (amount == null || percent == null) continue;
      const capital = Number(initial_capital ?? 100_000);
      expect(Math.abs((amount / capital) * 100 - percent)).toBeLessThanOrEqual(0.006);
    }
  });

  it('the profit factor with the sign of the result', () => {
    for (const { profitFactor, totalPandlPercent } of figures) {
      if (profitFactor === null || totalPandlPercent === null || totalPandlPercent === 0) continue;
      expect(profitFactor > 1).toBe(totalPandlPercent > 0);
    }
  });

  it('the Sharpe ratio with the sign of the result', () => {
    for (const { sharpeRatio, totalPandlPercent } of figures) {
      if (!sharpeRatio || !totalPandlPercent) continue;
      expect(Math.sign(sharpeRatio)).toBe(Math.sign(totalPandlPercent));
    }
  });

  it('the drawdown with the loss: equity that ends low has fallen as far', () => {
    for (const { maxDrawdownPercent, totalPandlPercent } of figures) {
      if (maxDrawdownPercent === null || totalPandlPercent === null) continue;
      expect(maxDrawdownPercent).toBeGreaterThanOrEqual(-totalPandlPercent - 0.01);
    }
  });

  it('the winners with all trades, and an infinite profit factor with no loser', () => {
    for (const [index, { profitable_trades }] of records.entries()) {
      const { totalTrades = null, profitFactor = null } = figures[index] ?? {};
      if (profitable_trades === null) continue;
      const profitable = profitableTradesOf(profitable_trades);
      if (!profitable) throw new Error(`${profitable_trades} cannot be read.`);
      const { won, total, percent } = profitable;
      expect(total).toBe(totalTrades);
      expect(won).toBeLessThanOrEqual(total);
      expect(percent).toBeCloseTo((won / total) * 100, 1);
      if (profitFactor === Infinity) expect(won).toBe(total);
      if (profitFactor === 0) expect(won).toBe(0);
    }
  });

  it('gross profit and loss, where told, with profit factor and result', () => {
    let told = 0;
    for (const [index, { full_description }] of records.entries()) {
      const gross = /gross profit ([\d,.]+) \w+, gross loss ([\d,.]+) \w+\./.exec(full_description ?? '');
      const { profitFactor, totalPandlAmount } = figures[index] ?? {};
      if (!gross || profitFactor == null || totalPandlAmount == null) continue;
      const [profit, loss] = [amountOf(gross[1] ?? '') ?? 0, amountOf(gross[2] ?? '') ?? 0];
      told++;
      expect(profit - loss).toBeCloseTo(totalPandlAmount, 1);
      if (loss === 0) expect(profitFactor).toBe(Infinity);
      else expect(profitFactor).toBeCloseTo(profit / loss, 2);
    }
    expect(told).toBeGreaterThan(1_000);
  });

  it('dates in their order, comments with their number', () => {
    for (const record of records) {
      const {
        backtesting_range_start: start,
        backtesting_range_end: end,
        publication_date: published,
      } = record;
      expect(String(start) < String(end)).toBe(true);
      expect(String(end) < String(published)).toBe(true);
      expect(String(published) >= '2017-01-01' && String(published) < '2027-01-01').toBe(true);
      expect(record.top_comments.length).toBeLessThanOrEqual(record.comments_count ?? 0);
    }
  });
});

describe('its indicators', () => {
  it('are all known to the catalogue of indicators, and cover it', () => {
    const named = new Set(records.flatMap(({ categories }) => categories));
    expect([...named].filter((name) => indicatorOf(name).category === 'Other')).toEqual([]);
    expect(named.size).toBeGreaterThanOrEqual(40);
    for (const name of ['MACD', 'RSI', 'KAMA', 'ichimoku', 'Supertrend']) expect(named.has(name)).toBe(true);
  });
});
