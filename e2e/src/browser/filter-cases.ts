import { figures } from './catalogue-sql.ts';

/** Input into the filter panel, and the SQL condition for the same strategies. */
export type FilterCase = Readonly<{
  name: string;
  /** Text to type into a field, by the field's label. */
  types?: Readonly<Record<string, string>>;
  /** Heading of the part of the panel to open before. */
  opens?: string;
  /** Label of a checkbox. */
  checks?: string;
  condition: string;
}>;

const anyFigure = [figures.pnl, figures.drawdown, figures.factor, figures.sharpe]
  .map((figure) => `${figure} is not null`)
  .join(' or ');

export const filterCases: readonly FilterCase[] = [
  { name: 'search', types: { 'Search strategies': 'ichimoku' }, condition: figures.matches('ichimoku') },
  {
    name: 'P&L',
    types: { 'Total P&L from': '10', 'Total P&L to': '50' },
    condition: `${figures.pnl} between 10 and 50`,
  },
  { name: 'drawdown', types: { 'Max drawdown to': '12.5' }, condition: `${figures.drawdown} <= 12.5` },
  { name: 'profit factor', types: { 'Profit factor from': '2' }, condition: `${figures.factor} >= 2` },
  {
    name: 'Sharpe',
    types: { 'Sharpe ratio from': '−0.5', 'Sharpe ratio to': '1' },
    condition: `${figures.sharpe} between -0.5 and 1`,
  },
  { name: 'symbol', types: { Symbol: 'eth' }, condition: `${figures.symbol} ilike 'eth%'` },
  { name: 'Pine version', types: { 'Pine Script version': 'v4' }, condition: 'pine_version = 4' },
  {
    name: 'publication',
    types: { 'Published from': '2024-03-14', 'Published to': '2025-01-31' },
    condition: `publication_date between '2024-03-14' and '2025-01-31'`,
  },
  {
    name: 'backtest',
    types: { 'Backtested from': '2021-01-01', 'Backtested to': '2024-12-31' },
    condition: `backtesting_range_start >= '2021-01-01' and backtesting_range_end <= '2024-12-31'`,
  },
  { name: 'likes', types: { 'Likes from': '1K' }, condition: 'likes >= 1000' },
  { name: 'views', types: { 'Views to': '40' }, condition: 'views <= 40' },
  {
    name: 'comments',
    types: { 'Comments from': '3', 'Comments to': '5' },
    condition: 'comments_count between 3 and 5',
  },
  { name: 'lines', types: { 'Lines of code to': '50' }, condition: 'code_lines <= 50' },
  {
    name: 'trades',
    opens: 'More figures',
    types: { 'Trades from': '100', 'Trades to': '250' },
    condition: `replace(total_trades, ',', '')::numeric between 100 and 250`,
  },
  {
    name: 'win rate',
    opens: 'More figures',
    types: { 'Win rate from': '60' },
    condition: `replace(substring(profitable_trades from '\\(([\\d,]+)/'), ',', '')::numeric >= 0.6 * replace(total_trades, ',', '')::numeric`,
  },
  { name: 'performance', checks: 'Has Performance Data', condition: anyFigure },
  {
    name: 'enhanced',
    checks: 'Has Enhanced Data',
    condition: `trim(full_description) <> '' and (trim(initial_capital) <> '' or trim(commission) <> '')`,
  },
];

export const presetCases: readonly Pick<FilterCase, 'name' | 'condition'>[] = [
  { name: 'Low drawdown', condition: `${figures.drawdown} <= 10` },
  { name: 'High Sharpe', condition: `${figures.sharpe} >= 1.5` },
  { name: 'Steady earners', condition: `${figures.drawdown} <= 20 and ${figures.factor} >= 1.5` },
  { name: 'Popular', condition: 'likes >= 500' },
  {
    name: 'New this year',
    condition: `publication_date >= date_trunc('year', now() at time zone 'utc')`,
  },
  { name: 'Short scripts', condition: 'code_lines <= 50' },
];
