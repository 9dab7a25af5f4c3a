import type { Favourite } from '@tapedeck/favourites/contract';
import { useCallback, useMemo, useState, type JSX } from 'react';
import { formatWhole } from '../../ui/format.ts';
import { BulkBar } from './bulk-bar.tsx';
import { ExportButton } from './export-button.tsx';
import { FavouritesFailed, LoadingRows, LoadingText, NoFavourites } from './favourites-states.tsx';
import { FavouritesTable } from './favourites-table.tsx';
import { figureColumns } from './figures.ts';
import type { ChangeOrder, FavouritesOrder } from './order.ts';
import { allSelected, nothingSelected, selectedOf, type Selection } from './selection.ts';
import { SortControl } from './sort-control.tsx';
import { TableHead } from './table-head.tsx';
import { TagFilter } from './tag-filter.tsx';
import { TagSuggestions } from './tag-suggestions.tsx';
import { useFavourites } from './use-favourites.ts';
import { useOrderedFavourites, type OrderedFavourites } from './use-order.ts';

const maxShownTags = 16;
const loadingRows = 8;
const titleId = 'favourites-title';
const nothing = [] as const;

type SelectedRows = Readonly<{
  selection: Selection;
  selected: readonly Favourite[];
  change: (change: (selection: Selection) => Selection) => void;
  selectAll: (isAll: boolean) => void;
}>;

const useSelectedRows = (shown: readonly Favourite[]): SelectedRows => {
  const [selection, setSelection] = useState(nothingSelected);
  const ids = useMemo(() => shown.map(({ urlId }) => urlId), [shown]);
  const selected = useMemo(() => {
    const chosen = new Set(selectedOf(selection, ids));
    return shown.filter(({ urlId }) => chosen.has(urlId));
  }, [selection, ids, shown]);
  const selectAll = useCallback(
    (isAll: boolean) => setSelection(isAll ? allSelected(ids) : nothingSelected),
    [ids],
  );
  return { selection, selected, change: setSelection, selectAll };
};

export type FavouritesPageProps = Readonly<{
  chartImageOrigin: string;
  /** From the address. */
  order: FavouritesOrder;
  onOrder: ChangeOrder;
  /** Whether the member's plan includes the export; undefined while that is not known. */
  isExportIncluded: boolean | undefined;
}>;

type ManagerProps = FavouritesPageProps & Readonly<{ ordered: OrderedFavourites; total: number }>;

const Manager = ({ ordered, total, chartImageOrigin }: ManagerProps): JSX.Element => {
  const { shown, totals, state, changeOrder } = ordered;
  const { selection, selected, change, selectAll } = useSelectedRows(shown);
  return (
    <>
      <div className="card favs favs--page">
        <div className="fav-tools">
          <TagFilter
            totals={totals}
            state={state}
            counts={{ shown: shown.length, total }}
            maxShown={maxShownTags}
            onChange={changeOrder}
          />
          <SortControl state={state} onChange={changeOrder} />
        </div>
        <TagSuggestions totals={totals} />
        <h2 className="visually-hidden">Saved strategies</h2>
        <FavouritesTable
          favourites={shown}
          columns={figureColumns}
          chartImageOrigin={chartImageOrigin}
          headingId={titleId}
          head={
            <TableHead
              columns={figureColumns}
              state={state}
              onChange={changeOrder}
              selected={selected.length}
              total={shown.length}
              onSelectAll={selectAll}
            />
          }
          selection={selection}
          onSelection={change}
        />
      </div>
      {selected.length > 0 && <BulkBar selected={selected} onClear={() => selectAll(false)} />}
    </>
  );
};

const Loading = (
  <div className="card favs favs--page" aria-busy="true">
    <LoadingText />
    <LoadingRows count={loadingRows} />
  </div>
);

/** All favourites. */
export const FavouritesPage = (props: FavouritesPageProps): JSX.Element => {
  const view = useFavourites();
  const { favourites, error } = view;
  const ordered = useOrderedFavourites(favourites ?? nothing, props.order, props.onOrder);
  const total = favourites?.length ?? 0;
  return (
    <main className="wrap member-page" id="main">
      <div className="member-head">
        <h1 id={titleId} tabIndex={-1} className="fav-title">
          Favorites
          {favourites && <span className="badge badge--plain">{formatWhole(total)}</span>}
        </h1>
        {total > 0 && (
          <ExportButton
            state={ordered.state}
            count={ordered.shown.length}
            isIncluded={props.isExportIncluded}
          />
        )}
      </div>
      {!favourites && !error && Loading}
      {!favourites && error && (
        <div className="card favs">
          <FavouritesFailed {...view} />
        </div>
      )}
      {favourites && total === 0 && (
        <div className="card favs">
          <NoFavourites isPrimary />
        </div>
      )}
      {total > 0 && <Manager {...props} ordered={ordered} total={total} />}
    </main>
  );
};
