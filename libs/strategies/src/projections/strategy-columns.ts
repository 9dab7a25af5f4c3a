import type { StrategyFigures } from '../domain/figures.ts';
import type { StrategyRecord } from '../domain/strategy-record.ts';

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
export const figureColumns = {
  total_pandl_percent: 'double precision',
  total_pandl_amount: 'double precision',
  max_drawdown_percent: 'double precision',
  profit_factor_numeric: 'double precision',
  sharpe_ratio_numeric: 'double precision',
  total_trades_numeric: 'bigint',
} as const;

export const timeColumns = {
  created_at: 'timestamptz not null',
  updated_at: 'timestamptz not null',
} as const;

type FigureColumn = keyof typeof figureColumns;

export const figureValues = (figures: StrategyFigures): Readonly<Record<FigureColumn, number | null>> => ({
  total_pandl_percent: figures.totalPandlPercent,
  total_pandl_amount: figures.totalPandlAmount,
  max_drawdown_percent: figures.maxDrawdownPercent,
  profit_factor_numeric: figures.profitFactor,
  sharpe_ratio_numeric: figures.sharpeRatio,
  total_trades_numeric: figures.totalTrades,
});
