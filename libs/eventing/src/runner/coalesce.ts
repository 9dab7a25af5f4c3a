import type { Key, ProjectionTable, Row, RowChange } from '../projection.ts';

export type TableChanges = Readonly<{
  table: ProjectionTable;
  /** Rows that are this, whole: key and named columns in one. */
  puts: readonly Row[];
  /** Columns to change where the row is there. */
  patches: readonly Row[];
  removes: readonly Row[];
}>;

type Pending = { op: RowChange['op']; row: Row };

const keyText = (columns: readonly string[], key: Key): string => {
  const [only] = columns;
  if (columns.length === 1 && only !== undefined) return String(key[only]);
  // Text from the tape holds no U+0000.
  return columns.map((column) => String(key[column])).join('\u0000');
};

const merge = (before: Pending | undefined, change: RowChange): Pending => {
  switch (change.op) {
    case 'remove':
      return { op: 'remove', row: change.key };
    case 'put':
      return { op: 'put', row: { ...change.row, ...change.key } };
    case 'patch':
      if (before?.op === 'remove') return before;
      if (before) return { op: before.op, row: { ...before.row, ...change.row, ...change.key } };
      return { op: 'patch', row: { ...change.row, ...change.key } };
  }
};

/**
 * Many changes as at most one per row, with the same effect as one by one in their order.
 *
 * @example
 * coalesce([favourites], [put, patch, patch]); // one put with both patches in it
 */
export const coalesce = (
  tables: readonly ProjectionTable[],
  changes: readonly RowChange[],
): readonly TableChanges[] => {
  const pending = new Map(tables.map((table) => [table.name, { table, rows: new Map<string, Pending>() }]));
  for (const change of changes) {
    const target = pending.get(change.table);
    if (!target)
      throw new Error(`A fold changes the table "${change.table}", which its projection does not have.`);
    const key = keyText(target.table.key, change.key);
    target.rows.set(key, merge(target.rows.get(key), change));
  }
  return [...pending.values()].map(({ table, rows }) => {
    const all = [...rows.values()];
    const of = (op: RowChange['op']): readonly Row[] =>
      all.filter((entry) => entry.op === op).map(({ row }) => row);
    return { table, puts: of('put'), patches: of('patch'), removes: of('remove') };
  });
};
