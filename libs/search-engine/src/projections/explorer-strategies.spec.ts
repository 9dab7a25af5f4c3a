import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '@tapedeck/eventing';
import { recordedEvent } from '@tapedeck/eventing/testing';
import type { StrategyRecord } from '@tapedeck/strategies/events';
import { unknownRecord } from '../testing/strategy-tape.ts';
import { explorerStrategies } from './explorer-strategies.ts';

const recorded = (type: string, data: RecordedEvent['data'], position: bigint): RecordedEvent =>
  recordedEvent({ type, data }, { position, stream: 'strategy-S3LKflwr' });

const imported = (record: Partial<StrategyRecord>, position = 7n): RecordedEvent =>
  recorded('StrategyImported', { record: { ...unknownRecord, url_id: 'S3LKflwr', ...record } }, position);

const rowOf = (record: Partial<StrategyRecord>): unknown => {
  const [change] = explorerStrategies.fold([imported(record)]);
  return change?.op === 'put' ? change.row : undefined;
};

describe('the projection explorer_strategies', () => {
  it('stores figures as numbers, indicators as labels and as spelled, and dates unchanged', () => {
    expect(
      rowOf({
        title: 'Alligator',
        categories: ['super trend', 'Supertrend', 'Gann Fan'],
        backtesting_range_start: '2023-05-11',
        total_pandl: '−1,667,115.74 USDT (−166.71%)',
        max_equity_drawdown: '1,898,012.87 USDT (154.20%)',
        profit_factor: '∞',
        total_trades: '1,026',
        pine_script: 'a\nb\n',
      }),
    ).toMatchObject({
      title: 'Alligator',
      author: null,
      categories: ['Supertrend', 'Gann Fan'],
      spellings: ['super trend', 'Supertrend', 'Gann Fan'],
      backtesting_start: '2023-05-11',
      backtesting_end: null,
      total_pandl_percent: -166.71,
      max_drawdown_percent: 154.2,
      profit_factor: Infinity,
      sharpe_ratio: null,
      total_trades: 1026,
      likes: null,
      code_lines: 2,
    });
  });

  it('rounds figures to their precision and stores the version of the strategy', () => {
    expect(
      rowOf({
        total_pandl: '1 USD (0.12345%)',
        profit_factor: '1.0006',
        sharpe_ratio_all: '-0.0004',
        likes: 7,
      }),
    ).toMatchObject({
      version: 1,
      total_pandl_percent: 0.123,
      profit_factor: 1.001,
      sharpe_ratio: 0,
      likes: 7,
    });
    expect(rowOf({ total_pandl: `1 USD (${'9'.repeat(40)}%)` })).toMatchObject({ total_pandl_percent: null });
  });

  it('marks rows with a description and an initial capital or a commission as enhanced', () => {
    const enhanced = (record: Partial<StrategyRecord>): boolean =>
      (rowOf(record) as { enhanced: boolean }).enhanced;
    expect(enhanced({ full_description: 'Long.', commission: '0.1%' })).toBe(true);
    expect(enhanced({ full_description: 'Long.', initial_capital: '1000' })).toBe(true);
    expect(enhanced({ full_description: 'Long.' })).toBe(false);
    expect(enhanced({ full_description: ' ', commission: '0.1%' })).toBe(false);
    expect(enhanced({ commission: '0.1%', initial_capital: '1000' })).toBe(false);
  });

  it('removes a withdrawn strategy and stores the position of the newest change', () => {
    const events = [
      imported({}, 7n),
      recorded('StrategyWithdrawn', { urlId: 'S3LKflwr', reason: 'asked' }, 9n),
    ];
    expect(explorerStrategies.fold(events).slice(1)).toEqual([
      { op: 'remove', table: 'explorer_strategies', key: { url_id: 'S3LKflwr' } },
      { op: 'put', table: 'explorer_catalogue', key: { id: 1 }, row: { position: 9n } },
    ]);
    expect(explorerStrategies.fold([])).toEqual([]);
  });
});
