import { sortFavourites, withAnyTag, type Favourite } from '@tapedeck/favourites/contract';
import { useMemo } from 'react';
import { withExistingTags, type FavouritesOrder } from './order.ts';
import { tagTotals, type TagTotal } from './tags.ts';

export type OrderedFavourites = Readonly<{
  shown: readonly Favourite[];
  totals: readonly TagTotal[];
  /** The order without tags that are gone. */
  state: FavouritesOrder;
}>;

export const useOrderedFavourites = (
  favourites: readonly Favourite[],
  chosen: FavouritesOrder,
): OrderedFavourites => {
  const totals = useMemo(() => tagTotals(favourites), [favourites]);
  const existing = withExistingTags(
    chosen,
    totals.map(({ tag }) => tag),
  );
  const { sort, order } = existing;
  const tagText = JSON.stringify(existing.tags);
  const state = useMemo(
    (): FavouritesOrder => ({ tags: JSON.parse(tagText) as readonly string[], sort, order }),
    [tagText, sort, order],
  );
  const shown = useMemo(
    () => sortFavourites(withAnyTag(favourites, state.tags), state.sort, state.order),
    [favourites, state],
  );
  return { shown, totals, state };
};
