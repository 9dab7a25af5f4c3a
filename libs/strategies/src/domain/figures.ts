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
  likes: number | null;
  views: number | null;
  comments: number | null;
  codeLines: number | null;
}>;

export declare const figuresOf: (record: StrategyRecord) => StrategyFigures;
