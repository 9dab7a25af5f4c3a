import type { StrategyRecord } from '../domain/strategy-record.ts';
import type { Backtest } from './backtest.ts';
import type { Random } from './random.ts';

const minus = '\u2212';

const grouped = (value: number, decimals: number): string => {
  const [whole = '', fraction] = Math.abs(value).toFixed(decimals).split('.');
  const groups = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? groups : `${groups}.${fraction}`;
};

const signed = (value: number, decimals: number): string =>
  (value < 0 ? minus : value > 0 ? '+' : '') + grouped(value, decimals);

const ratio = (value: number): string =>
  value === Infinity ? '∞' : (value < 0 ? minus : '') + grouped(value, 3);

/** An amount with its unit, as a page shows it. */
export const amountText = (value: number, currency: string): string => `${grouped(value, 2)} ${currency}`;

export type FigureTexts = Pick<
  StrategyRecord,
  | 'total_pandl'
  | 'max_equity_drawdown'
  | 'total_trades'
  | 'profitable_trades'
  | 'profit_factor'
  | 'profit_factor_long'
  | 'profit_factor_short'
  | 'sharpe_ratio_all'
  | 'sortino_ratio_all'
>;

/** The figures of a backtest as texts of a charting site. */
export const figureTexts = (backtest: Backtest, currency: string, random: Random): FigureTexts => {
  const { netProfit, netPercent, drawdown, drawdownPercent, trades, won, profitFactor } = backtest;
  const winRate = ((won / trades) * 100).toFixed(2);
  const lean = random.between(0.8, 1.2);
  return {
    total_pandl: `${signed(netProfit, 2)} ${currency} (${signed(netPercent, 2)}%)`,
    max_equity_drawdown: `${amountText(drawdown, currency)} (${grouped(drawdownPercent, 2)}%)`,
    total_trades: grouped(trades, 0),
    profitable_trades: `${winRate}% (${grouped(won, 0)}/${grouped(trades, 0)})`,
    profit_factor: ratio(profitFactor),
    profit_factor_long: ratio(profitFactor * lean),
    profit_factor_short: ratio(profitFactor * (2 - lean)),
    sharpe_ratio_all: ratio(backtest.sharpe),
    sortino_ratio_all: ratio(backtest.sortino),
  };
};
