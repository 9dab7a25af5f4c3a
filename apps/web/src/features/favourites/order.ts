import type { FavouriteSort, SortOrder } from '@tapedeck/favourites/contract';
import { isFavouriteSort } from './figures.ts';

/** What a list of favourites shows, and in which order. */
export type FavouritesOrder = Readonly<{
  tags: readonly string[];
  sort: FavouriteSort;
  order: SortOrder;
}>;

/** On the newest order, which may not have been rendered yet. */
export type ChangeOrder = (change: (order: FavouritesOrder) => FavouritesOrder) => void;

export const defaultOrder: FavouritesOrder = { tags: [], sort: 'added_at', order: 'desc' };

/** Where the values begin that are looked for: titles at A, drawdowns at the smallest, all others at the largest. */
const firstOrder = (sort: FavouriteSort): SortOrder =>
  sort === 'title' || sort === 'max_equity_drawdown' ? 'asc' : 'desc';

export const sortedBy = (state: FavouritesOrder, sort: FavouriteSort): FavouritesOrder =>
  state.sort === sort ? state : { ...state, sort, order: firstOrder(sort) };

export const reversed = (state: FavouritesOrder): FavouritesOrder => ({
  ...state,
  order: state.order === 'asc' ? 'desc' : 'asc',
});

export const withTagToggled = (state: FavouritesOrder, tag: string): FavouritesOrder => ({
  ...state,
  tags: state.tags.includes(tag) ? state.tags.filter((each) => each !== tag) : [...state.tags, tag],
});

/** Without tags that no favourite has any more. */
export const withExistingTags = (state: FavouritesOrder, existing: readonly string[]): FavouritesOrder => {
  const tags = state.tags.filter((tag) => existing.includes(tag));
  return tags.length === state.tags.length ? state : { ...state, tags };
};

/** A sort that does not exist is the default one. */
export const orderOfAddress = (query: URLSearchParams): FavouritesOrder => {
  const named = query.get('sort_by');
  const sort = isFavouriteSort(named) ? named : defaultOrder.sort;
  const order = query.get('sort_order');
  return {
    tags: [...new Set(query.getAll('tag'))],
    sort,
    order: order === 'asc' || order === 'desc' ? order : firstOrder(sort),
  };
};

/** Without what is the default. */
export const addressOfOrder = ({ tags, sort, order }: FavouritesOrder): URLSearchParams =>
  new URLSearchParams([
    ...tags.map((tag): [string, string] => ['tag', tag]),
    ...(sort === defaultOrder.sort ? [] : [['sort_by', sort] as [string, string]]),
    ...(order === firstOrder(sort) ? [] : [['sort_order', order] as [string, string]]),
  ]);
