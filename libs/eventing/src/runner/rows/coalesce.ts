import type { Key, ProjectionTable, Row, RowChange } from '../../projection.ts';

export type KeyedRow = Readonly<{ key: Key; row: Row }>;

export type TableChanges = Readonly<{
  table: ProjectionTable;
  /** Rows to write as a whole. */
  puts: readonly KeyedRow[];
  /** Columns to change in rows that exist. */
  patches: readonly KeyedRow[];
  removes: readonly KeyedRow[];
}>;

type Pending = { op: RowChange['op']; key: Key; row: Row };

const noRow: Row = {};

const keyText = (columns: readonly string[], key: Key): string => {
  const [only] = columns;
  if (columns.length === 1 && only !== undefined) return String(key[only]);
  // Text from the tape contains no U+0000.
  return columns.map((column) => String(key[column])).join('\u0000');
};

/** Combines two changes of one row. */
const merge = (before: Pending, change: RowChange): void => {
  if (change.op !== 'patch') {
    before.op = change.op;
    before.row = change.op === 'put' ? change.row : noRow;
  } else if (before.op !== 'remove') {
    before.row = { ...before.row, ...change.row };
  }
};

const pendingOf = (change: RowChange): Pending => ({
  op: change.op,
  key: change.key,
  row: change.op === 'remove' ? noRow : change.row,
});

/**
 * Combines the changes of each row into one, with the same effect as applying all of them in order.
 *
 * @example
 * coalesce([favourites], [put, patch, patch]); // one put that includes both patches
 */
export const coalesce = (
  tables: readonly ProjectionTable[],
  changes: readonly RowChange[],
): readonly TableChanges[] => {
  const targets = new Map(
    tables.map((table) => [table.name, { table, rows: new Map<string, Pending>() }] as const),
  );
  for (const change of changes) {
    const target = targets.get(change.table);
    if (!target) {
      throw new Error(`A fold changes the table "${change.table}", which its projection does not have.`);
    }
    const key = keyText(target.table.key, change.key);
    const before = target.rows.get(key);
    if (before) merge(before, change);
    else target.rows.set(key, pendingOf(change));
  }
  return [...targets.values()].map(({ table, rows }) => {
    const puts: KeyedRow[] = [];
    const patches: KeyedRow[] = [];
    const removes: KeyedRow[] = [];
    const byOp = { put: puts, patch: patches, remove: removes };
    for (const pending of rows.values()) byOp[pending.op].push(pending);
    return { table, puts, patches, removes };
  });
};
