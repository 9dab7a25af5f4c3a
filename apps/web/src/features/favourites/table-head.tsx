import type { JSX } from 'react';
import { narrowScreen, useMediaQuery } from '../../ui/browser/use-media-query.ts';
import { Icon } from '../../ui/icon.tsx';
import { sortNames, type FigureColumn } from './figures.ts';
import { reversed, sortedBy, type FavouritesOrder, type ChangeOrder } from './order.ts';

const ariaSort = ({ sort, order }: FavouritesOrder, column: string): 'ascending' | 'descending' | undefined =>
  sort !== column ? undefined : order === 'asc' ? 'ascending' : 'descending';

type HiddenNamesProps = Readonly<{ columns: readonly FigureColumn[] }>;

/** Where the figures of a row have their names beside them. */
const HiddenNames = ({ columns }: HiddenNamesProps): JSX.Element => (
  <>
    <span role="columnheader" className="visually-hidden">
      Strategy
    </span>
    {columns.map(({ sort }) => (
      <span key={sort} role="columnheader" className="visually-hidden">
        {sortNames[sort]}
      </span>
    ))}
    <span role="columnheader" className="visually-hidden">
      Actions
    </span>
  </>
);

export const HiddenHead = ({ columns }: HiddenNamesProps): JSX.Element => (
  <div role="row" aria-rowindex={1} className="fav-head-hidden">
    <HiddenNames columns={columns} />
  </div>
);

type SortButtonProps = Readonly<{
  name: string;
  sort: FavouritesOrder['sort'];
  state: FavouritesOrder;
  onChange: ChangeOrder;
}>;

const SortButton = ({ name, sort, state, onChange }: SortButtonProps): JSX.Element => {
  const isCurrent = state.sort === sort;
  return (
    <button
      className="fav-sort-button"
      type="button"
      title={`Sort by ${sortNames[sort]}`}
      onClick={() => onChange((order) => (order.sort === sort ? reversed(order) : sortedBy(order, sort)))}
    >
      {name}
      {isCurrent && <Icon name={state.order === 'desc' ? 'down' : 'up'} small />}
    </button>
  );
};

export type TableHeadProps = Readonly<{
  columns: readonly FigureColumn[];
  state: FavouritesOrder;
  onChange: ChangeOrder;
  /** How many of the rows are selected. */
  selected: number;
  total: number;
  onSelectAll: (isAll: boolean) => void;
}>;

type SelectAllProps = Pick<TableHeadProps, 'selected' | 'total' | 'onSelectAll'>;

const SelectAll = ({ selected, total, onSelectAll }: SelectAllProps): JSX.Element => {
  const isAll = selected === total;
  return (
    <div role="columnheader" aria-label="Selection" className="fav-select">
      <label className="check">
        <input
          type="checkbox"
          checked={isAll}
          ref={(box) => {
            if (box) box.indeterminate = selected > 0 && !isAll;
          }}
          onChange={() => onSelectAll(!isAll)}
        />
        <span className="fav-select-text">Select all</span>
      </label>
    </div>
  );
};

/** Sorts by a column, and selects all rows. */
export const TableHead = (props: TableHeadProps): JSX.Element => {
  const { columns, state, onChange } = props;
  const isNarrow = useMediaQuery(narrowScreen);
  return (
    <div role="row" aria-rowindex={1} className="fav-head">
      <SelectAll {...props} />
      {isNarrow ? (
        <HiddenNames columns={columns} />
      ) : (
        <>
          <div role="columnheader" className="fav-head-main" aria-sort={ariaSort(state, 'title')}>
            <SortButton name="Strategy" sort="title" state={state} onChange={onChange} />
          </div>
          <div role="presentation" className="fav-figures">
            {columns.map(({ sort, name }) => (
              <div key={sort} role="columnheader" aria-sort={ariaSort(state, sort)}>
                <SortButton name={name} sort={sort} state={state} onChange={onChange} />
              </div>
            ))}
          </div>
          <div role="columnheader" className="fav-acts">
            <span className="visually-hidden">Actions</span>
          </div>
        </>
      )}
    </div>
  );
};
