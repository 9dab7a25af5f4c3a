import { useMemo, useState, type JSX } from 'react';
import { Link } from 'react-router-dom';
import { formatWhole } from '../../ui/format.ts';
import {
  FavouritesFailed,
  LoadingRows,
  LoadingText,
  NoFavourites,
  RoomForMore,
} from './favourites-states.tsx';
import { FavouritesTable } from './favourites-table.tsx';
import { shortColumns } from './figures.ts';
import { defaultOrder } from './order.ts';
import { SortControl } from './sort-control.tsx';
import { HiddenHead } from './table-head.tsx';
import { TagFilter } from './tag-filter.tsx';
import { TagSuggestions } from './tag-suggestions.tsx';
import { useFavourites } from './use-favourites.ts';
import { useOrderedFavourites } from './use-order.ts';

const maxRows = 5;
/** So few leave a part of the card empty. */
const fewRows = 4;
const maxShownTags = 8;
const titleId = 'favourites-title';
const nothing = [] as const;

/** The first favourites, on the dashboard. */
export const FavouritesCard = ({ chartImageOrigin }: Readonly<{ chartImageOrigin: string }>): JSX.Element => {
  const view = useFavourites();
  const { favourites, error } = view;
  const [chosen, setChosen] = useState(defaultOrder);
  const { shown, totals, state, changeOrder } = useOrderedFavourites(
    favourites ?? nothing,
    chosen,
    setChosen,
  );
  const columns = useMemo(() => shortColumns(state.sort), [state.sort]);
  const rows = useMemo(() => shown.slice(0, maxRows), [shown]);
  const total = favourites?.length ?? 0;
  return (
    <section className="card favs" aria-labelledby={titleId} aria-busy={!favourites && !error}>
      <div className="card-head">
        <h2 id={titleId} tabIndex={-1}>
          Favorites
        </h2>
        {favourites && <span className="badge badge--plain">{formatWhole(total)}</span>}
        {total > 0 && <SortControl state={state} onChange={changeOrder} />}
      </div>
      {!favourites && !error && (
        <>
          <LoadingText />
          <LoadingRows count={maxRows} />
        </>
      )}
      {!favourites && error && <FavouritesFailed {...view} />}
      {favourites && total === 0 && <NoFavourites />}
      {total > 0 && (
        <>
          <TagFilter
            totals={totals}
            state={state}
            counts={{ shown: shown.length, total }}
            maxShown={maxShownTags}
            onChange={changeOrder}
          />
          <TagSuggestions totals={totals} />
          <FavouritesTable
            favourites={rows}
            columns={columns}
            chartImageOrigin={chartImageOrigin}
            headingId={titleId}
            head={<HiddenHead columns={columns} />}
          />
          {total < fewRows && <RoomForMore />}
          <p className="fav-foot">
            <Link to="/favorites">
              {total > maxRows ? `All ${formatWhole(total)} favorites` : 'Manage favorites'}
            </Link>
          </p>
        </>
      )}
    </section>
  );
};
