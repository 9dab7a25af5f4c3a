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

type Value = Row[string] | undefined;

const isNumber = (value: Value): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

const greater = (one: Value, other: Value): Value =>
  isNumber(one) && (!isNumber(other) || one > other) ? one : other;

/** The new row, with the greater numbers of both in growing columns. */
const withGrown = ({ growing = [] }: ProjectionTable, before: Row, row: Row): Row => {
  if (growing.length === 0) return row;
  const grown = growing.flatMap((column) => {
    const value = greater(before[column], row[column]);
    return value === undefined ? [] : [[column, value] as const];
  });
  return { ...row, ...Object.fromEntries(grown) };
};

/** Combines two changes of one row. */
const merge = (table: ProjectionTable, before: Pending, change: RowChange): void => {
  if (change.op !== 'patch') {
    before.op = change.op;
    before.row = change.op === 'put' ? withGrown(table, before.row, change.row) : noRow;
  } else if (before.op !== 'remove') {
    before.row = { ...before.row, ...change.row };
  }
};

const assertPut = ({ name, growing = [] }: ProjectionTable, { op }: RowChange): void => {
  if (op === 'put' || growing.length === 0) return;
  throw new Error(
    `A fold must put whole rows into the table "${name}", because it has columns that only grow.`,
  );
};

const pendingOf = (change: RowChange): Pending => ({
  op: change.op,
  key: change.key,
  row: change.op === 'remove' ? noRow : change.row,
});

/** Combines changes of rows as they come. */
export type Coalescer = Readonly<{
  add: (changes: readonly RowChange[]) => void;
  /** The number of rows that the changes are about. */
  rows: () => number;
  /** One change for each row. */
  tables: () => readonly TableChanges[];
}>;

export const createCoalescer = (tables: readonly ProjectionTable[]): Coalescer => {
  const targets = new Map(
    tables.map((table) => [table.name, { table, rows: new Map<string, Pending>() }] as const),
  );
  const addOne = (change: RowChange): void => {
    const target = targets.get(change.table);
    if (!target) {
      throw new Error(`A fold changes the table "${change.table}", which its projection does not have.`);
    }
    assertPut(target.table, change);
    const key = keyText(target.table.key, change.key);
    const before = target.rows.get(key);
    if (before) merge(target.table, before, change);
    else target.rows.set(key, pendingOf(change));
  };
  return {
    add: (changes) => {
      for (const change of changes) addOne(change);
    },
    rows: () => [...targets.values()].reduce((sum, { rows }) => sum + rows.size, 0),
    tables: () =>
      [...targets.values()].map(({ table, rows }) => {
        const puts: KeyedRow[] = [];
        const patches: KeyedRow[] = [];
        const removes: KeyedRow[] = [];
        const byOp = { put: puts, patch: patches, remove: removes };
        for (const pending of rows.values()) byOp[pending.op].push(pending);
        return { table, puts, patches, removes };
      }),
  };
};

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
  const coalescer = createCoalescer(tables);
  coalescer.add(changes);
  return coalescer.tables();
};
