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

type FigureColumn = Readonly<{
  type: 'double precision' | 'bigint';
  figure: keyof StrategyFigures;
  /** Its name in the view that the specification prescribes. */
  simple?: string;
}>;

/** The numbers in the texts; null is unknown, and the profit factor is Infinity without a losing trade. */
const figureColumns: Readonly<Record<string, FigureColumn>> = {
  total_pandl_percent: {
    type: 'double precision',
    figure: 'totalPandlPercent',
    simple: 'total_pandl_percent',
  },
  total_pandl_amount: { type: 'double precision', figure: 'totalPandlAmount' },
  max_drawdown_percent: {
    type: 'double precision',
    figure: 'maxDrawdownPercent',
    simple: 'max_equity_drawdown_numeric',
  },
  profit_factor_numeric: {
    type: 'double precision',
    figure: 'profitFactor',
    simple: 'profit_factor_numeric',
  },
  sharpe_ratio_numeric: { type: 'double precision', figure: 'sharpeRatio', simple: 'sharpe_ratio_numeric' },
  total_trades_numeric: { type: 'bigint', figure: 'totalTrades' },
};

const timeColumns = {
  created_at: 'timestamptz not null',
  updated_at: 'timestamptz not null',
} as const;

/** A value for each column of a figure. */
const figureRecord = <T>(value: (column: FigureColumn) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(figureColumns).map(([name, column]) => [name, value(column)]));

const table = 'strategies';
const indicators = 'strategy_indicators';

const rowOf = (record: StrategyRecord, at: string): Row => {
  const { url_id: _, ...columns } = record;
  const figures = figuresOf(record);
  const values = figureRecord(({ figure }) => figures[figure]);
  return { ...columns, code_lines: figures.codeLines, ...values, updated_at: at };
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

/** As the specification prescribes it, an unknown figure is 0 here, and only here. */
const parsedSimple = `
  create or replace view strategies_parsed_simple as
  select ${[...Object.keys(recordColumns), ...Object.keys(timeColumns)].map((column) => `"${column}"`).join(', ')},
    ${Object.entries(figureColumns)
      .flatMap(([column, { simple }]) => (simple ? [`coalesce(${column}, 0) as ${simple}`] : []))
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
      columns: { ...recordColumns, ...timeColumns, ...figureRecord(({ type }) => type) },
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
