import { useMemo, useState, type JSX, type KeyboardEvent } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { CellDrawer, type Cell } from './cell-drawer.tsx';
import { isClamped } from './cell-text.ts';
import { clampedAfter, firstClamped, type Place, type Row } from './clamped-cells.ts';
import { sortRows, type Sorting } from './sort-rows.ts';

export type ResultTableProps = Readonly<{ columns: readonly string[]; rows: readonly Row[] }>;

const next = (sorting: Sorting | null, column: number): Sorting | null => {
  if (sorting?.column !== column) return { column, isDescending: false };
  return sorting.isDescending ? null : { column, isDescending: true };
};

const directionOf = (sorting: Sorting | null, column: number): 'ascending' | 'descending' | 'none' => {
  if (sorting?.column !== column) return 'none';
  return sorting.isDescending ? 'descending' : 'ascending';
};

type CellsProps = Readonly<{
  columns: readonly string[];
  row: Row;
  index: number;
  /** The one that Tab leads to; arrow keys lead to the others. */
  current: Place | null;
  onOpen: (cell: Cell) => void;
}>;

const Cells = ({ columns, row, index, current, onOpen }: CellsProps): JSX.Element => (
  <tr>
    {row.map((value, at) => (
      // oxlint-disable-next-line react/no-array-index-key -- columns have no identity of their own
      <td key={at} className={value === null ? 'is-null' : undefined}>
        {isClamped(value) ? (
          <button
            className="sql-cell"
            type="button"
            data-cell={`${index} ${at}`}
            tabIndex={current?.row === index && current.at === at ? 0 : -1}
            aria-haspopup="dialog"
            title="Show the whole value"
            onClick={() => onOpen({ column: columns[at] ?? '', row: index + 1, value })}
          >
            <span className="sql-cell-text">{value}</span>
          </button>
        ) : (
          (value ?? 'NULL')
        )}
      </td>
    ))}
  </tr>
);

/** A result with a header that stays, and sorts. Long values open whole. */
export const ResultTable = ({ columns, rows }: ResultTableProps): JSX.Element => {
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const [chosen, setChosen] = useState<Place | null>(null);
  const [cell, setCell] = useState<Cell | null>(null);
  const shown = useMemo(() => (sorting ? sortRows(rows, sorting) : rows), [rows, sorting]);
  const current = chosen ?? firstClamped(shown);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || target.dataset['cell'] === undefined) return;
    const [row = 0, at = 0] = target.dataset['cell'].split(' ').map(Number);
    const place = clampedAfter(shown, { row, at }, key);
    if (!place) return;
    event.preventDefault();
    setChosen(place);
    event.currentTarget.querySelector<HTMLElement>(`[data-cell="${place.row} ${place.at}"]`)?.focus();
  };
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions -- what scrolls must be reachable by keyboard; the keys are those of the buttons inside */}
      <div className="sql-result" tabIndex={0} role="region" aria-label="Rows" onKeyDown={onKeyDown}>
        <table className="sql-table">
          <thead>
            <tr>
              {columns.map((column, index) => (
                // Names of columns may repeat.
                // oxlint-disable-next-line react/no-array-index-key
                <th key={index} scope="col" aria-sort={directionOf(sorting, index)}>
                  <button
                    type="button"
                    onClick={() => {
                      setSorting(next(sorting, index));
                      setChosen(null);
                    }}
                  >
                    {column}
                    {sorting?.column === index && <Icon name="down" small />}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- rows have no identity of their own
              <Cells
                key={index}
                columns={columns}
                row={row}
                index={index}
                current={current}
                onOpen={setCell}
              />
            ))}
          </tbody>
        </table>
      </div>
      <CellDrawer cell={cell} onClose={() => setCell(null)} />
    </>
  );
};
