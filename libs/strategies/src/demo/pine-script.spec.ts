import { describe, expect, it } from '@jest/globals';
import type { StrategyRecord } from '../domain/strategy-record.ts';
import { demoRecords } from './demo-records.ts';

const records = [...demoRecords({ count: 1_000, seed: 7 })];
const codeOf = (record: StrategyRecord): string => record.pine_script ?? '';

/** What a script that computes the indicator contains, in any version of the language. */
const signatures: Readonly<Record<string, RegExp>> = {
  SMA: /\bsma\(/,
  EMA: /\bema\(/,
  WMA: /\bwma\(/,
  RMA: /\brma\(/,
  VWMA: /\bvwma\(/,
  HMA: /\bhma\(/,
  ALMA: /\balma\(/,
  DEMA: /2 \* first - .*ema\(first/,
  TEMA: /3 \* \(first - second\)/,
  KAMA: /efficiency \* 0\.6022/,
  Supertrend: /\bsupertrend\(/,
  ADX: /plusDI[\s\S]*minusDI[\s\S]*adxValue/,
  ichimoku: /tenkan[\s\S]*kijun[\s\S]*spanB/,
  'Parabolic SAR': /\bsar\(/,
  'Linear Regression': /\blinreg\(/,
  'Heikin Ashi': /\bheikinashi\(/,
  Aroon: /highestbars\([\s\S]*lowestbars\(/,
  Vortex: /high - low\[1\][\s\S]*low - high\[1\]/,
  RSI: /\brsi\(/,
  MACD: /\bmacd\(/,
  Stochastic: /\bstoch\(/,
  CCI: /\bcci\(/,
  Momentum: /\bmom\(/,
  ROC: /\broc\(/,
  CMO: /\bcmo\(/,
  TSI: /\btsi\(/,
  'Williams %R': /-100 \* \(wprTop - close\)/,
  WaveTrend: /0\.015 \* waveSpread/,
  QQE: /qqeTrail :=/,
  'Squeeze Momentum': /squeezeOff = [\s\S]*linreg\(/,
  'Bollinger Bands': /bandWidth \* (?:ta\.)?stdev\(/,
  'Keltner Channels': /keltnerFactor \* (?:ta\.)?atr\(/,
  'Donchian Channels': /highest\(high, channelLength\)/,
  ATR: /\batr\(/,
  'VIX Fix': /100 \* \(fearTop - low\) \/ fearTop/,
  VWAP: /\bvwap\b/,
  OBV: /obvValue = /,
  MFI: /\bmfi\(/,
  CMF: /flowShare \* volume/,
  'Pivot Points': /\(dayHigh \+ dayLow \+ dayClose\) \/ 3/,
  Fibonacci: /0\.618 \*/,
  ZigZag: /pivothigh\([\s\S]*pivotlow\(/,
};

/** Indicators that are computed wherever their function is called. */
const plainCalls = [
  'SMA',
  'EMA',
  'WMA',
  'RMA',
  'VWMA',
  'HMA',
  'ALMA',
  'RSI',
  'ATR',
  'MACD',
  'Stochastic',
  'Linear Regression',
];

describe('the script of a demo record', () => {
  it('computes the indicators that the record names', () => {
    for (const record of records) {
      for (const indicator of record.categories)
        expect(codeOf(record)).toMatch(signatures[indicator] ?? /^no such/);
    }
  });

  it('computes no indicator that the record does not name', () => {
    for (const record of records) {
      const unnamed = plainCalls.filter((indicator) => !record.categories.includes(indicator));
      for (const indicator of unnamed) expect(codeOf(record)).not.toMatch(signatures[indicator] ?? /^/);
    }
  });

  it('uses the syntax of one language version', () => {
    expect(new Set(records.map(({ pine_version }) => pine_version))).toEqual(new Set([3, 4, 5, 6]));
    for (const record of records) {
      const code = codeOf(record);
      expect(code.startsWith(`//@version=${record.pine_version}\n`)).toBe(true);
      const modern = (record.pine_version ?? 0) >= 5;
      expect(/\bta\./.test(code)).toBe(modern);
      expect(/\binput\.(?:int|float)\(/.test(code)).toBe(modern);
      expect(/, when = /.test(code)).toBe(!modern);
      expect(/\bcolor\.|\bsyminfo\./.test(code) && record.pine_version === 3).toBe(false);
      expect(/\bsecurity\(/.test(code) && modern).toBe(/\brequest\.security\(/.test(code));
    }
  });

  it('has the settings of the record in its declaration', () => {
    for (const record of records) {
      const [declaration = ''] = /^strategy\([\s\S]*?\)$/m.exec(codeOf(record)) ?? [];
      const setting = (name: string): string | null =>
        new RegExp(`\\b${name} = ([\\w.]+)`).exec(declaration)?.[1] ?? null;
      expect(declaration.startsWith(`strategy(${JSON.stringify(record.title)}, `)).toBe(true);
      expect(setting('initial_capital')).toBe(record.initial_capital);
      expect(setting('pyramiding')).toBe(record.pyramiding === null ? null : String(record.pyramiding));
      expect(setting('slippage')).toBe(record.slippage === null ? null : String(record.slippage));
      expect(setting('commission_value')).toBe(record.commission?.replace('%', '') ?? null);
      expect(setting('default_qty_value')).toBe(/^\d+/.exec(record.order_size ?? '')?.[0] ?? null);
    }
  });

  it('declares the inputs of the record with their defaults', () => {
    for (const record of records) {
      const asked = [...codeOf(record).matchAll(/^\w+ = input[.\w]*\(([\d.]+),(?: title =)? "([^"]+)"/gm)];
      expect(asked.map(([, value, name]) => ({ name, default: Number(value) }))).toEqual(
        record.strategy_inputs.map((input) => {
          const { name, default: value } = input as { name: string; default: number };
          return { name, default: value };
        }),
      );
    }
  });

  it('defines every name before it is used, and closes every bracket', () => {
    const wrong: string[] = [];
    for (const record of records) {
      const code = codeOf(record).replace(/"[^"]*"|\/\/.*$/gm, '');
      for (const [open, close] of ['()', '[]'].map((pair) => pair.split(''))) {
        if (code.split(open ?? '').length !== code.split(close ?? '').length)
          wrong.push(`${record.url_id} ${open}`);
      }
      const defined = new Set<string>();
      for (const line of code.split('\n')) {
        const [left = ''] = /^ *(?:\w+|\[[\w, ]+\]|\w+\([\w, ]+\))(?= :?=)/.exec(line) ?? [];
        const names = (text: string): readonly string[] => text.match(/\b[a-z]+[A-Z]\w*\b/g) ?? [];
        const unknown = names(line.slice(left.length)).filter((name) => !defined.has(name));
        wrong.push(...unknown.map((name) => `${record.url_id} ${name}`));
        for (const name of names(left)) defined.add(name);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('has as many lines as the record says', () => {
    for (const record of records) {
      expect(record.code_lines).toBe(codeOf(record).split('\n').length - 1);
      expect(record.code_lines).toBeLessThanOrEqual(4_328);
    }
    expect(records.some(({ code_lines }) => code_lines === 4_328)).toBe(true);
  });

  it('enters and exits only the sides it trades', () => {
    for (const record of records) {
      const code = codeOf(record);
      for (const side of ['Long', 'Short']) {
        const enters = code.includes(`strategy.entry("${side}"`);
        expect(/strategy\.(?:exit\("Exit )?/.test(code)).toBe(true);
        expect(new RegExp(`strategy\\.(?:exit\\("Exit ${side}|close\\("${side}")`).test(code)).toBe(enters);
      }
    }
  });
});
