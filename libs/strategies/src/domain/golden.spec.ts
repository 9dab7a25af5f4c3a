import { describe, expect, it } from '@jest/globals';
import type { EventTypeDefinition, EventTypes } from '@tapedeck/eventing/core';
import type { JsonObject } from '@tapedeck/kernel';
import { readdirSync, readFileSync } from 'node:fs';
import {
  strategyEvents,
  type SqlChangesCommitted,
  type StrategyEvent,
  type StrategyImportEvent,
} from '../events.ts';
import type { StrategyRecord } from './strategy-record.ts';

type AnyEvent = StrategyEvent | StrategyImportEvent | SqlChangesCommitted;
type Samples = { readonly [Type in AnyEvent['type']]: Extract<AnyEvent, { type: Type }>['data'] };

const folder = new URL('golden/', import.meta.url);
const importId = '5a0d6d6e-6c55-5c38-9c1e-0d8a3f5b7a11';
const contentHash = '44a1628b8fc1894872553161a7c68f51344e61cdead3051dce84ff640585b59d';

const record: StrategyRecord = {
  url_id: 'S3LKflwr',
  title: 'Alligator Trend',
  author: 'Ada',
  author_profile: 'https://example.org/u/Ada/',
  publication_date: '2024-05-17',
  pine_version: 5,
  likes: 12,
  views: 340,
  comments_count: 2,
  full_description: 'Follows the trend.',
  how_it_works: null,
  pine_script: '//@version=5\nstrategy("Alligator Trend")\n',
  categories: ['SMA', 'ichimoku'],
  timeframes: ['1d'],
  markets: ['Crypto'],
  symbol: 'BTC_USDT',
  timeframe: '1d',
  total_pandl: '−344.63 USDT (−34.46%)',
  max_equity_drawdown: '512.20 USDT (48.11%)',
  total_trades: '26',
  profitable_trades: '38.46% (10/26)',
  profit_factor: '∞',
  open_source: true,
  code_available: true,
  code_lines: 2,
  trading_range_start: '2023-06-01',
  trading_range_end: '2024-05-16',
  backtesting_range_start: '2023-05-11',
  backtesting_range_end: '2024-05-16',
  chart_type: 'Candles',
  currency: 'USDT',
  tick_size: '0.01',
  precision: 2,
  strategy_inputs: [{ name: 'Length', default: 14, type: 'int' }],
  initial_capital: '1000',
  order_size: '100% of equity',
  pyramiding: 1,
  commission: '0.1%',
  slippage: 5,
  sharpe_ratio_all: '−0.489',
  sortino_ratio_all: '−0.444',
  profit_factor_long: '0.492',
  profit_factor_short: null,
  margin_calls: 1,
  top_comments: [{ author: 'Bo', text: 'Thanks' }],
  related_strategies: ['05c73hlS'],
  scraped_date: '2025-06-01',
  source_url: 'https://example.org/script/S3LKflwr/',
  status: 'complete',
  scraper_version: '2.1',
  is_public: true,
};

const counts = { added: 1, revised: 2, unchanged: 3, rejected: 1 };

/** The current form of every stored version; the compiler checks it against the types. */
const current: Samples = {
  StrategyImported: { record, contentHash },
  StrategyRevised: { record, contentHash },
  StrategyAmended: { record, changed: ['title'], reason: 'Typing error' },
  StrategyWithdrawn: { urlId: 'S3LKflwr', reason: 'At the wish of its author' },
  SqlChangesCommitted: {
    queryId: '5b1c7a52-54a1-5a5e-8f3e-0c4d6b8f7e21',
    part: 0,
    changes: [{ op: 'update', urlId: 'S3LKflwr', values: { title: 'Alligator' } }],
  },
  ImportRequested: {
    importId,
    source: { kind: 'archive', name: 'all.zip', sha256: contentHash, size: 2_026_941 },
  },
  ImportEntryRejected: {
    importId,
    entry: 'strategies/05c73hlS.json',
    urlId: null,
    code: 'NOT_JSON',
    reason: 'It is not valid JSON.',
  },
  ImportCompleted: {
    importId,
    ...counts,
    duplicates: [{ urlId: 'S3LKflwr', kept: 'b.json', dropped: ['a.json'] }],
    duplicateCount: 1,
  },
  ImportFailed: { importId, ...counts, code: 'NOT_A_ZIP', reason: 'It is not a ZIP file.' },
};

const types: EventTypes = strategyEvents;
const definitions = Object.entries(types);

const upcast = (data: JsonObject, from: number, { upcasters = [] }: EventTypeDefinition): JsonObject =>
  upcasters.slice(from - 1).reduce((raw, upcaster) => upcaster(raw), data);

describe('stored events', () => {
  it('have one golden file for each type and version, and no others', () => {
    const expected = definitions.flatMap(([type, { version }]) =>
      Array.from({ length: version }, (_, index) => `${type}.v${index + 1}.json`),
    );
    expect(readdirSync(folder).toSorted()).toEqual(expected.toSorted());
  });

  it.each(definitions)('of type %s are read alike in every version', (type, definition) => {
    for (let version = 1; version <= definition.version; version++) {
      const stored = JSON.parse(
        readFileSync(new URL(`${type}.v${version}.json`, folder), 'utf8'),
      ) as JsonObject;
      expect(upcast(stored, version, definition)).toEqual(current[type as AnyEvent['type']]);
    }
  });
});
