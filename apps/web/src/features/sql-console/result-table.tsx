import { useState, type JSX } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { sortRows, type Sorting } from './sort-rows.ts';

export type ResultTableProps = Readonly<{
  columns: readonly string[];
  rows: readonly (readonly (string | null)[])[];
}>;

const next = (sorting: Sorting | null, column: number): Sorting | null => {
  if (sorting?.column !== column) return { column, isDescending: false };
  return sorting.isDescending ? null : { column, isDescending: true };
};

const directionOf = (sorting: Sorting | null, column: number): 'ascending' | 'descending' | 'none' => {
  if (sorting?.column !== column) return 'none';
  return sorting.isDescending ? 'descending' : 'ascending';
};

/** A result with a header that stays, and sorts. */
export const ResultTable = ({ columns, rows }: ResultTableProps): JSX.Element => {
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const shown = sorting ? sortRows(rows, sorting) : rows;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div className="sql-result" tabIndex={0} role="region" aria-label="Rows">
      <table className="sql-table">
        <thead>
          <tr>
            {columns.map((column, index) => (
              // Names of columns may repeat.
              // oxlint-disable-next-line react/no-array-index-key
              <th key={index} scope="col" aria-sort={directionOf(sorting, index)}>
                <button type="button" onClick={() => setSorting(next(sorting, index))}>
                  {column}
                  {sorting?.column === index && <Icon name="down" small />}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, index) => (
            // Rows have no identity of their own.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index}>
              {row.map((value, at) => (
                // oxlint-disable-next-line react/no-array-index-key
                <td key={at} className={value === null ? 'is-null' : undefined}>
                  <div className="sql-cell">{value ?? 'NULL'}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
