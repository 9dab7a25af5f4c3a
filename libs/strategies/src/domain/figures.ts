import { amountOf, countOf, percentOf, ratioOf } from './number-text.ts';
import type { StrategyRecord } from './strategy-record.ts';

/** The numbers of a strategy; null is unknown, never 0. */
export type StrategyFigures = Readonly<{
  /** Per cent, −100 to about 300,000,000. */
  totalPandlPercent: number | null;
  /** In the strategy's currency. */
  totalPandlAmount: number | null;
  /** Per cent, positive; over 100 is possible. */
  maxDrawdownPercent: number | null;
  /** Gross profit over gross loss; Infinity when no trade lost. */
  profitFactor: number | null;
  sharpeRatio: number | null;
  totalTrades: number | null;
  /** Per cent of all trades that made a profit. */
  winRate: number | null;
  likes: number | null;
  views: number | null;
  comments: number | null;
  codeLines: number | null;
}>;

const magnitudeOf = (value: number | null): number | null => (value === null ? null : Math.abs(value));

const profitFactorOf = (text: string | null): number | null => {
  const value = ratioOf(text);
  return value === null || value < 0 ? null : value;
};

const finite = (value: number | null): number | null =>
  value !== null && Number.isFinite(value) ? value : null;

const linesOf = (code: string | null): number | null => {
  if (code === null || code === '') return null;
  const lines = code.split(/\r\n|\r|\n/);
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
};

export type ProfitableTrades = Readonly<{ percent: number; won: number; total: number }>;

/** Parses `38.46% (10/26)`, also on two lines; null unless both counts are there. */
export const profitableTradesOf = (text: string | null): ProfitableTrades | null => {
  // Linear: a match begins only where no digit stands before.
  const counts = /(?<![\d,])(\d[\d,]*)\s*\/\s*(\d[\d,]*)/.exec(text ?? '');
  const percent = percentOf(text);
  if (!counts || percent === null) return null;
  const [won, total] = [countOf(counts[1] ?? ''), countOf(counts[2] ?? '')];
  return won === null || total === null || won > total ? null : { percent, won, total };
};

const winRateOf = (record: StrategyRecord): number | null => {
  const won = profitableTradesOf(record.profitable_trades)?.won ?? null;
  const total = countOf(record.total_trades);
  return won === null || total === null || total === 0 || won > total ? null : (100 * won) / total;
};

/**
 * The numbers in a record's texts.
 *
 * @example
 * figuresOf({ ...record, total_pandl: '+1,234.56 USD (+12.35%)' }).totalPandlPercent; // 12.35
 */
export const figuresOf = (record: StrategyRecord): StrategyFigures => ({
  totalPandlPercent: percentOf(record.total_pandl),
  totalPandlAmount: amountOf(record.total_pandl),
  maxDrawdownPercent: magnitudeOf(percentOf(record.max_equity_drawdown)),
  profitFactor: profitFactorOf(record.profit_factor),
  sharpeRatio: finite(ratioOf(record.sharpe_ratio_all)),
  totalTrades: countOf(record.total_trades),
  winRate: winRateOf(record),
  likes: record.likes,
  views: record.views,
  comments: record.comments_count,
  codeLines: record.code_lines ?? linesOf(record.pine_script),
});
