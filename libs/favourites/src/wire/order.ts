import type { Favourite, FavouriteStrategy } from './favourite.ts';

type Value = string | number | null;

const figure = (text: string | null): number | null => {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isNaN(value) ? null : value;
};

const valuesOf = {
  total_pandl: (strategy) => figure(strategy.total_pandl_percent),
  max_equity_drawdown: (strategy) => figure(strategy.max_drawdown_percent),
  profit_factor: (strategy) => figure(strategy.profit_factor_numeric),
  sharpe_ratio_all: (strategy) => figure(strategy.sharpe_ratio_numeric),
  total_trades: (strategy) => figure(strategy.total_trades),
  likes: (strategy) => strategy.likes,
  views: (strategy) => strategy.views,
  title: (strategy) => strategy.title.toLocaleLowerCase('en'),
} as const satisfies Record<string, (strategy: FavouriteStrategy) => Value>;

export const favouriteSorts = [
  'added_at',
  'total_pandl',
  'max_equity_drawdown',
  'profit_factor',
  'sharpe_ratio_all',
  'total_trades',
  'likes',
  'views',
  'title',
] as const;
export type FavouriteSort = (typeof favouriteSorts)[number];
export type SortOrder = 'asc' | 'desc';

const valueOf = ({ addedAt, strategy }: Favourite, sort: FavouriteSort): Value => {
  if (sort === 'added_at') return addedAt;
  return strategy && valuesOf[sort](strategy);
};

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

/** Unknown values come last in both directions, and equal ones in the order of their ids (docs/product-decisions.md#sort-order). */
export const sortFavourites = (
  favourites: readonly Favourite[],
  sort: FavouriteSort,
  order: SortOrder,
): readonly Favourite[] => {
  const sign = order === 'asc' ? 1 : -1;
  return favourites
    .map((favourite) => ({ favourite, value: valueOf(favourite, sort) }))
    .sort((a, b) => {
      const byId = compare(a.favourite.urlId, b.favourite.urlId);
      if (a.value === null || b.value === null) {
        return Number(a.value === null) - Number(b.value === null) || byId;
      }
      return sign * compare(a.value, b.value) || byId;
    })
    .map(({ favourite }) => favourite);
};

/** Those that have any of the tags; all of them when no tag is given. */
export const withAnyTag = (favourites: readonly Favourite[], tags: readonly string[]): readonly Favourite[] =>
  tags.length === 0
    ? favourites
    : favourites.filter((favourite) => favourite.tags.some((tag) => tags.includes(tag)));
