import { favouriteSorts } from '@tapedeck/favourites/contract';
import type { JSX } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { isFavouriteSort, sortNames } from './figures.ts';
import { reversed, sortedBy, type FavouritesOrder, type ChangeOrder } from './order.ts';

export type SortControlProps = Readonly<{
  state: FavouritesOrder;
  onChange: ChangeOrder;
}>;

export const SortControl = ({ state, onChange }: SortControlProps): JSX.Element => {
  const isDescending = state.order === 'desc';
  return (
    <div className="joined fav-sort">
      <span className="select select--sm">
        <select
          aria-label="Sort favorites"
          value={state.sort}
          onChange={({ target }) => {
            const { value } = target;
            if (isFavouriteSort(value)) onChange((order) => sortedBy(order, value));
          }}
        >
          {favouriteSorts.map((sort) => (
            <option key={sort} value={sort}>
              {sortNames[sort]}
            </option>
          ))}
        </select>
        <Icon name="down" small />
      </span>
      <button
        className="btn btn--icon btn--sm"
        type="button"
        aria-label={isDescending ? 'Descending: change to ascending' : 'Ascending: change to descending'}
        title={isDescending ? 'Descending' : 'Ascending'}
        onClick={() => onChange(reversed)}
      >
        <Icon name={isDescending ? 'sortDown' : 'sortUp'} />
      </button>
    </div>
  );
};
