import type { JsonValue } from '@tapedeck/kernel';

/**
 * One published strategy as its source has it; the fields are named like the catalogue's columns.
 * Figures are text as scraped (`−1,667,115.74 USDT (−166.71%)`); `figures.ts` parses the numbers in them.
 * Null means unknown, which is common.
 */
export type StrategyRecord = Readonly<{
  url_id: string;
  title: string;
  author: string | null;
  author_profile: string | null;
  /** YYYY-MM-DD, like every date here. */
  publication_date: string | null;
  pine_version: number | null;
  likes: number | null;
  views: number | null;
  comments_count: number | null;
  full_description: string | null;
  how_it_works: string | null;
  pine_script: string | null;
  /** Names of the indicators it uses, in the source's spelling. */
  categories: readonly string[];
  timeframes: readonly string[];
  markets: readonly string[];
  symbol: string | null;
  timeframe: string | null;
  total_pandl: string | null;
  max_equity_drawdown: string | null;
  total_trades: string | null;
  profitable_trades: string | null;
  profit_factor: string | null;
  open_source: boolean | null;
  code_available: boolean | null;
  code_lines: number | null;
  trading_range_start: string | null;
  trading_range_end: string | null;
  backtesting_range_start: string | null;
  backtesting_range_end: string | null;
  chart_type: string | null;
  currency: string | null;
  tick_size: string | null;
  precision: number | null;
  strategy_inputs: readonly JsonValue[];
  initial_capital: string | null;
  order_size: string | null;
  pyramiding: number | null;
  commission: string | null;
  slippage: number | null;
  sharpe_ratio_all: string | null;
  sortino_ratio_all: string | null;
  profit_factor_long: string | null;
  profit_factor_short: string | null;
  margin_calls: number | null;
  top_comments: readonly JsonValue[];
  related_strategies: readonly JsonValue[];
  scraped_date: string | null;
  source_url: string | null;
  status: string | null;
  scraper_version: string | null;
  is_public: boolean | null;
}>;

/** A record in which everything is unknown. */
export const emptyRecord: Omit<StrategyRecord, 'url_id' | 'title'> = {
  author: null,
  author_profile: null,
  publication_date: null,
  pine_version: null,
  likes: null,
  views: null,
  comments_count: null,
  full_description: null,
  how_it_works: null,
  pine_script: null,
  categories: [],
  timeframes: [],
  markets: [],
  symbol: null,
  timeframe: null,
  total_pandl: null,
  max_equity_drawdown: null,
  total_trades: null,
  profitable_trades: null,
  profit_factor: null,
  open_source: null,
  code_available: null,
  code_lines: null,
  trading_range_start: null,
  trading_range_end: null,
  backtesting_range_start: null,
  backtesting_range_end: null,
  chart_type: null,
  currency: null,
  tick_size: null,
  precision: null,
  strategy_inputs: [],
  initial_capital: null,
  order_size: null,
  pyramiding: null,
  commission: null,
  slippage: null,
  sharpe_ratio_all: null,
  sortino_ratio_all: null,
  profit_factor_long: null,
  profit_factor_short: null,
  margin_calls: null,
  top_comments: [],
  related_strategies: [],
  scraped_date: null,
  source_url: null,
  status: null,
  scraper_version: null,
  is_public: null,
};
