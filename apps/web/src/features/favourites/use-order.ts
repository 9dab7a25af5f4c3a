import { sortFavourites, withAnyTag, type Favourite } from '@tapedeck/favourites/contract';
import { useMemo } from 'react';
import { withExistingTags, type ChangeOrder, type FavouritesOrder } from './order.ts';
import { tagTotals, type TagTotal } from './tags.ts';

export type OrderedFavourites = Readonly<{
  shown: readonly Favourite[];
  totals: readonly TagTotal[];
  /** The order without tags that are gone. */
  state: FavouritesOrder;
  changeOrder: ChangeOrder;
}>;

export const useOrderedFavourites = (
  favourites: readonly Favourite[],
  chosen: FavouritesOrder,
  changeChosen: ChangeOrder,
): OrderedFavourites => {
  const totals = useMemo(() => tagTotals(favourites), [favourites]);
  const ofExisting = (order: FavouritesOrder): FavouritesOrder =>
    withExistingTags(
      order,
      totals.map(({ tag }) => tag),
    );
  const existing = ofExisting(chosen);
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
  const changeOrder: ChangeOrder = (change) => changeChosen((order) => change(ofExisting(order)));
  return { shown, totals, state, changeOrder };
};
