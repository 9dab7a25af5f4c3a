import { defineProjection, type RecordedEvent, type Row, type RowChange } from '@tapedeck/eventing';
import { figuresOf, type StrategyFigures } from '../domain/figures.ts';
import { indicatorOf } from '../domain/indicators.ts';
import type { StrategyRecord } from '../domain/strategy-record.ts';
import type { StrategyEvent } from '../domain/strategy.ts';

/** Column to SQL type; whole numbers are bigint, because sources may have any size. */
export const recordColumns = {
  url_id: 'text collate "C" not null',
  title: 'text not null',
  author: 'text',
  author_profile: 'text',
  publication_date: 'date',
  pine_version: 'bigint',
  likes: 'bigint',
  views: 'bigint',
  comments_count: 'bigint',
  full_description: 'text',
  how_it_works: 'text',
  pine_script: 'text',
  categories: 'text[] not null',
  timeframes: 'text[] not null',
  markets: 'text[] not null',
  symbol: 'text',
  timeframe: 'text',
  total_pandl: 'text',
  max_equity_drawdown: 'text',
  total_trades: 'text',
  profitable_trades: 'text',
  profit_factor: 'text',
  open_source: 'boolean',
  code_available: 'boolean',
  code_lines: 'bigint',
  trading_range_start: 'date',
  trading_range_end: 'date',
  backtesting_range_start: 'date',
  backtesting_range_end: 'date',
  chart_type: 'text',
  currency: 'text',
  tick_size: 'text',
  precision: 'bigint',
  strategy_inputs: 'jsonb not null',
  initial_capital: 'text',
  order_size: 'text',
  pyramiding: 'bigint',
  commission: 'text',
  slippage: 'bigint',
  sharpe_ratio_all: 'text',
  sortino_ratio_all: 'text',
  profit_factor_long: 'text',
  profit_factor_short: 'text',
  margin_calls: 'bigint',
  top_comments: 'jsonb not null',
  related_strategies: 'jsonb not null',
  scraped_date: 'text',
  source_url: 'text',
  status: 'text',
  scraper_version: 'text',
  is_public: 'boolean',
} as const satisfies Record<keyof StrategyRecord, string>;

/** The numbers in the texts; null is unknown, and the profit factor is Infinity without a losing trade. */
const figureColumns = {
  total_pandl_percent: 'double precision',
  total_pandl_amount: 'double precision',
  max_drawdown_percent: 'double precision',
  profit_factor_numeric: 'double precision',
  sharpe_ratio_numeric: 'double precision',
  total_trades_numeric: 'bigint',
} as const;

const timeColumns = {
  created_at: 'timestamptz not null',
  updated_at: 'timestamptz not null',
} as const;

type FigureColumn = keyof typeof figureColumns;

const figureValues = (figures: StrategyFigures): Readonly<Record<FigureColumn, number | null>> => ({
  total_pandl_percent: figures.totalPandlPercent,
  total_pandl_amount: figures.totalPandlAmount,
  max_drawdown_percent: figures.maxDrawdownPercent,
  profit_factor_numeric: figures.profitFactor,
  sharpe_ratio_numeric: figures.sharpeRatio,
  total_trades_numeric: figures.totalTrades,
});

const table = 'strategies';
const indicators = 'strategy_indicators';

const rowOf = (record: StrategyRecord, at: string): Row => {
  const { url_id: _, ...columns } = record;
  const figures = figuresOf(record);
  return { ...columns, code_lines: figures.codeLines, ...figureValues(figures), updated_at: at };
};

const changeOf = (event: RecordedEvent<StrategyEvent>): RowChange => {
  const at = event.metadata.occurredAt;
  switch (event.type) {
    case 'StrategyImported': {
      const { record } = event.data;
      const row = { ...rowOf(record, at), created_at: at };
      return { op: 'put', table, key: { url_id: record.url_id }, row };
    }
    case 'StrategyRevised':
    case 'StrategyAmended': {
      const { record } = event.data;
      return { op: 'patch', table, key: { url_id: record.url_id }, row: rowOf(record, at) };
    }
    case 'StrategyWithdrawn':
      return { op: 'remove', table, key: { url_id: event.data.urlId } };
    default:
      return event satisfies never;
  }
};

/**
 * Indicators are only added: one that no strategy has any more can still be searched for. Every spelling has its row, so
 * that the order in which they were named does not matter.
 */
const indicatorsIn = (events: readonly RecordedEvent<StrategyEvent>[]): readonly RowChange[] => {
  const named = new Map<string, ReturnType<typeof indicatorOf>>();
  for (const { data } of events) {
    for (const name of 'record' in data ? data.record.categories : []) {
      const indicator = indicatorOf(name);
      if (indicator.id !== '') named.set(indicator.label, indicator);
    }
  }
  return [...named.values()].map(({ id, label }) => ({
    op: 'put',
    table: indicators,
    key: { id, label },
    row: {},
  }));
};

const simpleFigures: Readonly<Record<string, keyof typeof figureColumns>> = {
  total_pandl_percent: 'total_pandl_percent',
  max_equity_drawdown_numeric: 'max_drawdown_percent',
  profit_factor_numeric: 'profit_factor_numeric',
  sharpe_ratio_numeric: 'sharpe_ratio_numeric',
};

/** As the specification prescribes it, an unknown figure is 0 here, and only here. */
const parsedSimple = `
  create or replace view strategies_parsed_simple as
  select ${[...Object.keys(recordColumns), ...Object.keys(timeColumns)].map((column) => `"${column}"`).join(', ')},
    ${Object.entries(simpleFigures)
      .map(([name, column]) => `coalesce(${column}, 0) as ${name}`)
      .join(', ')}
  from strategies`;

/** A statement of the SQL console changes no rows: it is written down what it would change. */
const captureChanges = `
  create trigger capture_changes instead of insert or update or delete on strategies
  for each row execute function capture_strategy_change('${JSON.stringify(recordColumns)}')`;
const grantToConsole = 'select grant_catalogue_to_console()';

/** The catalogue with the columns of the specification, and with the numbers in its texts in further columns. */
export const strategies = defineProjection<StrategyEvent>({
  name: 'strategies',
  version: 2,
  database: 'catalogue',
  types: { StrategyImported: true, StrategyRevised: true, StrategyAmended: true, StrategyWithdrawn: true },
  tables: [
    {
      name: table,
      key: ['url_id'],
      columns: { ...recordColumns, ...timeColumns, ...figureColumns },
    },
    {
      name: indicators,
      key: ['id', 'label'],
      columns: { id: 'text not null', label: 'text collate "C" not null' },
    },
  ],
  views: [parsedSimple, captureChanges, grantToConsole],
  fold: (events) => [...events.map(changeOf), ...indicatorsIn(events)],
});
