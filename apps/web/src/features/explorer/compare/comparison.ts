import type { ComparedStrategy } from '@tapedeck/explorer/contract';
import {
  formatCount,
  formatDay,
  formatGain,
  formatPercent,
  formatRatio,
  formatWhole,
  missing,
  parseNumeric,
} from '../../../ui/format.ts';

export type ComparedCell = Readonly<{ text: string; tone?: 'gain' | 'loss'; isBest: boolean }>;
export type ComparedRow = Readonly<{ name: string; cells: readonly ComparedCell[] }>;

type Better = 'more' | 'less' | null;
type Figure = Readonly<{
  name: string;
  value: (strategy: ComparedStrategy) => number | null;
  format: (value: number | null) => string;
  /** Null if neither more nor less is better. */
  better: Better;
  isSigned?: boolean;
}>;

const formatExact = (value: number | null): string => (value === null ? missing : formatWhole(value));

const figures: readonly Figure[] = [
  {
    name: 'Total P&L',
    value: (strategy) => parseNumeric(strategy.total_pandl_percent),
    format: formatGain,
    better: 'more',
    isSigned: true,
  },
  {
    name: 'Max drawdown',
    value: (strategy) => parseNumeric(strategy.max_drawdown_percent),
    format: formatPercent,
    better: 'less',
  },
  {
    name: 'Profit factor',
    value: (strategy) => parseNumeric(strategy.profit_factor_numeric),
    format: formatRatio,
    better: 'more',
  },
  {
    name: 'Sharpe ratio',
    value: (strategy) => parseNumeric(strategy.sharpe_ratio_numeric),
    format: formatRatio,
    better: 'more',
  },
  {
    name: 'Total trades',
    value: (strategy) => parseNumeric(strategy.total_trades),
    format: formatExact,
    better: null,
  },
  { name: 'Likes', value: ({ likes }) => likes, format: formatCount, better: 'more' },
  { name: 'Views', value: ({ views }) => views, format: formatCount, better: 'more' },
  { name: 'Comments', value: ({ comments }) => comments, format: formatCount, better: 'more' },
  { name: 'Lines of code', value: (strategy) => strategy.code_lines, format: formatExact, better: null },
];

/** The best known value; null if no value is better than another. */
const bestOf = (values: readonly (number | null)[], better: Better): number | null => {
  const known = values.filter((value) => value !== null);
  if (better === null || new Set(known).size < 2) return null;
  return known.reduce((best, value) => ((better === 'more' ? value > best : value < best) ? value : best));
};

const toneOf = (value: number | null): Pick<ComparedCell, 'tone'> =>
  value === null || value === 0 ? {} : { tone: value > 0 ? 'gain' : 'loss' };

const figureRow = (strategies: readonly ComparedStrategy[], figure: Figure): ComparedRow => {
  const { name, value, format, better, isSigned = false } = figure;
  const values = strategies.map(value);
  const best = bestOf(values, better);
  const cells = values.map((each) => ({
    text: format(each),
    isBest: each !== null && each === best,
    ...(isSigned ? toneOf(each) : {}),
  }));
  return { name, cells };
};

const period = ({ backtesting_range_start: from, backtesting_range_end: to }: ComparedStrategy): string =>
  from === null && to === null ? missing : `${formatDay(from)} – ${formatDay(to)}`;

const facts: readonly Readonly<{ name: string; text: (strategy: ComparedStrategy) => string }>[] = [
  { name: 'Indicators', text: ({ categories }) => categories.join(', ') || missing },
  { name: 'Symbol', text: ({ symbol }) => symbol ?? missing },
  { name: 'Pine version', text: ({ pine_version: version }) => (version === null ? missing : `v${version}`) },
  { name: 'Published', text: (strategy) => formatDay(strategy.publication_date) },
  { name: 'Backtested', text: period },
];

/** First the figures, each with its best value marked, then facts that cannot be ranked. */
export const comparedRows = (strategies: readonly ComparedStrategy[]): readonly ComparedRow[] => [
  ...figures.map((figure) => figureRow(strategies, figure)),
  ...facts.map(({ name, text }) => ({
    name,
    cells: strategies.map((strategy) => ({ text: text(strategy), isBest: false })),
  })),
];
