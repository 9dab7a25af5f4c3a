import { describe, expect, it } from '@jest/globals';
import { figuresOf, profitableTradesOf } from '../domain/figures.ts';
import { isDemoStrategy } from '../domain/ids.ts';
import { indicatorOf } from '../domain/indicators.ts';
import { amountOf } from '../domain/number-text.ts';
import type { StrategyRecord } from '../domain/strategy-record.ts';
import { parseRecord } from '../parsing/parse-record.ts';
import { demoIdAt, demoRecords } from './demo-records.ts';

const started = performance.now();
const records = [...demoRecords()];
const took = performance.now() - started;
const figures = records.map(figuresOf);

const countDistinct = (of: (record: StrategyRecord) => unknown): number => new Set(records.map(of)).size;

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

describe('demoRecords', () => {
  it('generates 4,500 strategies within 30 seconds', () => {
    expect(records).toHaveLength(4_500);
    expect(took).toBeLessThan(30_000);
  });

  it('gives demo ids, at least 4,300 titles and 800 authors', () => {
    expect(countDistinct(({ url_id }) => url_id)).toBe(4_500);
    expect(records.every(({ url_id }) => isDemoStrategy(url_id))).toBe(true);
    expect(isDemoStrategy('S3LKflwr')).toBe(false);
    expect(countDistinct(({ title }) => title.toLowerCase())).toBeGreaterThanOrEqual(4_300);
    expect(countDistinct(({ author }) => author)).toBeGreaterThanOrEqual(800);
  });

  it('gives a few authors many strategies and most authors few', () => {
    const counts = new Map<string | null, number>();
    for (const { author } of records) counts.set(author, (counts.get(author) ?? 0) + 1);
    const byCount = [...counts.values()].toSorted((a, b) => b - a);
    expect(byCount[0]).toBeGreaterThan(40);
    expect(byCount[0]).toBeLessThan(300);
    expect(quantile(byCount, 0.5)).toBeLessThanOrEqual(4);
  });

  it('depends only on its options', () => {
    expect([...demoRecords({ count: 40 })]).toEqual([...demoRecords({ count: 40 })]);
    const [first] = demoRecords({ count: 40, seed: 1 });
    const [other] = demoRecords({ count: 40, seed: 2 });
    expect(first?.title).not.toBe(other?.title);
    expect(first?.url_id).toBe(other?.url_id);
  });

  it('generates any number of records, also without code', () => {
    expect([...demoRecords({ count: 0 })]).toEqual([]);
    expect([...demoRecords({ count: 1 })]).toHaveLength(1);
    const [bare] = demoRecords({ count: 3, code: false });
    expect(bare).toMatchObject({ pine_script: null, code_available: false, code_lines: expect.any(Number) });
    expect(() => [...demoRecords({ count: -1 })]).toThrow(RangeError);
    expect(new Set(Array.from({ length: 100_000 }, (_, index) => demoIdAt(index))).size).toBe(100_000);
  });

  it('generates records that the import parses unchanged', () => {
    for (const record of records.slice(0, 300))
      expect(parseRecord(JSON.parse(JSON.stringify(record)))).toEqual(record);
  });

  it('names no real product of others in its texts', () => {
    expect(JSON.stringify(records)).not.toMatch(/skyrex|tradingview\.com|https?:/i);
  });
});

describe('the figures of demo records', () => {
  it('reach the ends of the scales and are spread between them', () => {
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

  it('stay within possible values', () => {
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

  it('are unknown in about one of ten records', () => {
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

  it('can be parsed wherever there is a text', () => {
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

  it('include infinite profit factors, and minus signs as screens show them', () => {
    const endless = figures.filter(({ profitFactor }) => profitFactor === Infinity).length;
    expect(endless).toBeGreaterThan(15);
    expect(endless).toBeLessThan(150);
    expect(records.some(({ total_pandl }) => total_pandl?.includes('(\u2212'))).toBe(true);
    expect(records.some(({ total_pandl }) => total_pandl?.includes('-'))).toBe(false);
  });
});

/** The records that violate a rule. */
const recordsWhere = (
  violates: (record: StrategyRecord, figure: ReturnType<typeof figuresOf>) => boolean,
): readonly StrategyRecord[] =>
  records.filter((record, index) => {
    const figure = figures[index];
    return figure !== undefined && violates(record, figure);
  });

describe('a demo record', () => {
  it('has an amount that agrees with the per cent and the capital', () => {
    const wrong = recordsWhere(
      ({ initial_capital }, { totalPandlAmount: amount, totalPandlPercent: percent }) => {
        if (amount === null || percent === null) return false;
        return Math.abs((amount / Number(initial_capital ?? 100_000)) * 100 - percent) > 0.006;
      },
    );
    expect(wrong).toEqual([]);
  });

  it('has a profit factor that agrees with the sign of the result', () => {
    const wrong = recordsWhere(
      (_, { profitFactor, totalPandlPercent: percent }) =>
        profitFactor !== null && percent !== null && percent !== 0 && profitFactor > 1 !== percent > 0,
    );
    expect(wrong).toEqual([]);
  });

  it('has a Sharpe ratio with the sign of the result', () => {
    const wrong = recordsWhere(
      (_, { sharpeRatio, totalPandlPercent: percent }) =>
        sharpeRatio !== null &&
        percent !== null &&
        percent !== 0 &&
        Math.sign(sharpeRatio) !== Math.sign(percent),
    );
    expect(wrong).toEqual([]);
  });

  it('has a drawdown at least as large as its loss', () => {
    const wrong = recordsWhere(
      (_, { maxDrawdownPercent, totalPandlPercent }) =>
        maxDrawdownPercent !== null &&
        totalPandlPercent !== null &&
        maxDrawdownPercent < -totalPandlPercent - 0.01,
    );
    expect(wrong).toEqual([]);
  });

  it('has winning trades that agree with all trades and with the profit factor', () => {
    const wrong = recordsWhere(({ profitable_trades }, { totalTrades, profitFactor }) => {
      if (profitable_trades === null) return totalTrades !== null;
      const profitable = profitableTradesOf(profitable_trades);
      if (!profitable) return true;
      const { won, total, percent } = profitable;
      return (
        total !== totalTrades ||
        won > total ||
        Math.abs(percent - (won / total) * 100) > 0.006 ||
        (profitFactor === Infinity && won < total) ||
        (profitFactor === 0 && won > 0)
      );
    });
    expect(wrong).toEqual([]);
  });

  it('describes gross profit and loss that agree with profit factor and result', () => {
    let described = 0;
    const wrong = recordsWhere(({ full_description }, { profitFactor, totalPandlAmount }) => {
      const gross = /gross profit ([\d,.]+) \w+, gross loss ([\d,.]+) \w+\./.exec(full_description ?? '');
      if (!gross || profitFactor === null || totalPandlAmount === null) return false;
      described++;
      const [profit, loss] = [amountOf(gross[1] ?? '') ?? 0, amountOf(gross[2] ?? '') ?? 0];
      const agrees = loss === 0 ? profitFactor === Infinity : Math.abs(profitFactor - profit / loss) <= 0.001;
      return !agrees || Math.abs(profit - loss - totalPandlAmount) > 0.011;
    });
    expect(wrong).toEqual([]);
    expect(described).toBeGreaterThan(1_000);
  });

  it('has dates in order and at most as many comments as it counts', () => {
    const wrong = recordsWhere((record) => {
      const [start, end, published] = [
        record.backtesting_range_start ?? '',
        record.backtesting_range_end ?? '',
        record.publication_date ?? '',
      ];
      const inOrder =
        '2005' < start && start < end && end < published && published < '2027' && published > '2017';
      return !inOrder || record.top_comments.length > (record.comments_count ?? 0);
    });
    expect(wrong).toEqual([]);
  });
});

describe('the indicators of demo records', () => {
  it('are known, and at least 40', () => {
    const named = new Set(records.flatMap(({ categories }) => categories));
    expect([...named].filter((name) => indicatorOf(name).category === 'Other')).toEqual([]);
    expect(named.size).toBeGreaterThanOrEqual(40);
    for (const name of ['MACD', 'RSI', 'KAMA', 'ichimoku', 'Supertrend']) expect(named.has(name)).toBe(true);
  });
});
