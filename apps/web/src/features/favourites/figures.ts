import { favouriteSorts, type FavouriteSort, type FavouriteStrategy } from '@tapedeck/favourites/contract';
import {
  formatCount,
  formatGain,
  formatPercent,
  formatRatio,
  missing,
  parseNumeric,
} from '../../ui/format.ts';

type FigureSort = Exclude<FavouriteSort, 'added_at' | 'title'>;

export type FigureColumn = Readonly<{
  sort: FigureSort;
  /** Over the column. */
  name: string;
  value: (strategy: FavouriteStrategy) => number | null;
  format: (value: number | null) => string;
  /** Whether its sign has a colour. */
  isGain?: true;
}>;

export const figureColumns: readonly FigureColumn[] = [
  {
    sort: 'total_pandl',
    name: 'P&L',
    value: (strategy) => parseNumeric(strategy.total_pandl_percent),
    format: formatGain,
    isGain: true,
  },
  {
    sort: 'max_equity_drawdown',
    name: 'Max DD',
    value: (strategy) => parseNumeric(strategy.max_drawdown_percent),
    format: formatPercent,
  },
  {
    sort: 'profit_factor',
    name: 'PF',
    value: (strategy) => parseNumeric(strategy.profit_factor_numeric),
    format: formatRatio,
  },
  {
    sort: 'sharpe_ratio_all',
    name: 'Sharpe',
    value: (strategy) => parseNumeric(strategy.sharpe_ratio_numeric),
    format: formatRatio,
  },
  {
    sort: 'total_trades',
    name: 'Trades',
    value: (strategy) => parseNumeric(strategy.total_trades),
    format: formatCount,
  },
  { sort: 'likes', name: 'Likes', value: ({ likes }) => likes, format: formatCount },
  { sort: 'views', name: 'Views', value: ({ views }) => views, format: formatCount },
];

const performanceFigures = 4;

/** The four figures of performance, and the one that the list is sorted by. */
export const shortColumns = (sort: FavouriteSort): readonly FigureColumn[] =>
  figureColumns.filter((column, index) => index < performanceFigures || column.sort === sort);

export const sortNames: Readonly<Record<FavouriteSort, string>> = {
  added_at: 'Recently added',
  total_pandl: 'Total P&L',
  max_equity_drawdown: 'Max Drawdown',
  profit_factor: 'Profit Factor',
  sharpe_ratio_all: 'Sharpe Ratio',
  total_trades: 'Trades',
  likes: 'Likes',
  views: 'Views',
  title: 'Title',
};

export const isFavouriteSort = (text: string | null): text is FavouriteSort =>
  favouriteSorts.some((sort) => sort === text);

export const figureText = ({ value, format }: FigureColumn, strategy: FavouriteStrategy | null): string =>
  strategy ? format(value(strategy)) : missing;

export const toneOf = (
  { value, isGain }: FigureColumn,
  strategy: FavouriteStrategy | null,
): 'gain' | 'loss' | '' => {
  const figure = isGain && strategy ? value(strategy) : null;
  return figure === null || figure === 0 ? '' : figure > 0 ? 'gain' : 'loss';
};
