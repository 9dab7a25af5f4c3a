import type { ClientBase } from 'pg';
import type { ProjectionTable } from '../../projection.ts';
import type { KeyedRow, TableChanges } from './coalesce.ts';
import { columnCodec, type ColumnCodec } from './column-codec.ts';
import { quoted } from './tables.ts';

// Characters in the parameters of one statement: well below the limits of the server and the driver.
const maxParameterLength = 8_000_000;

export type Statement = Readonly<{ text: string; values: readonly string[] }>;

/** Rows of one table that name the same columns. They become one statement. */
type Group = Readonly<{ columns: readonly string[]; rows: KeyedRow[] }>;

const list = (columns: readonly string[]): string => columns.map(quoted).join(', ');

const sameKey = ({ key }: ProjectionTable): string =>
  key.map((column) => `t.${quoted(column)} = r.${quoted(column)}`).join(' and ');

// Not linear: the types of columns are our own.
const isWritable = (definition: string): boolean => !/\bgenerated\s+always\b/i.test(definition);

const codecsOf = (table: ProjectionTable, columns: readonly string[]): readonly ColumnCodec[] =>
  columns.map((column) => {
    const definition = table.columns[column];
    if (definition === undefined) {
      throw new Error(`A fold writes the column "${column}", which the table "${table.name}" does not have.`);
    }
    return columnCodec(definition);
  });

/** The parameters as a relation `r` that has the columns with their names and types. */
const relation = (columns: readonly string[], codecs: readonly ColumnCodec[]): string => {
  const selected = columns.map(
    (column, index) => `${quoted(column)}${codecs[index]?.cast} as ${quoted(column)}`,
  );
  const parameters = codecs.map(({ parameter }, index) => `$${index + 1}::${parameter}`);
  return `(select ${selected.join(', ')} from unnest(${parameters.join(', ')}) u (${list(columns)})) r`;
};

const newValue = ({ growing = [] }: ProjectionTable, column: string): string => {
  const given = `excluded.${quoted(column)}`;
  return growing.includes(column) ? `greatest(t.${quoted(column)}, ${given})` : given;
};

const putSql = (table: ProjectionTable, stored: string, columns: readonly string[], rows: string): string => {
  // A put writes the whole row: `excluded` contains the defaults of the columns that it does not name.
  const others = Object.entries(table.columns)
    .filter(([column, definition]) => !table.key.includes(column) && isWritable(definition))
    .map(([column]) => `${quoted(column)} = ${newValue(table, column)}`);
  const onConflict = others.length === 0 ? 'do nothing' : `do update set ${others.join(', ')}`;
  return `insert into ${stored} as t (${list(columns)}) select ${list(columns)} from ${rows}
    on conflict (${list(table.key)}) ${onConflict}`;
};

const patchSql = (
  table: ProjectionTable,
  stored: string,
  columns: readonly string[],
  rows: string,
): string => {
  const changes = columns
    .filter((column) => !table.key.includes(column))
    .map((column) => `${quoted(column)} = r.${quoted(column)}`);
  return `update ${stored} t set ${changes.join(', ')} from ${rows} where ${sameKey(table)}`;
};

const removeSql = (table: ProjectionTable, stored: string, rows: string): string =>
  `delete from ${stored} t using ${rows} where ${sameKey(table)}`;

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((column, index) => column === right[index]);

const groupsOf = (table: ProjectionTable, rows: readonly KeyedRow[]): readonly Group[] => {
  const groups: (Group & Readonly<{ named: readonly string[] }>)[] = [];
  for (const keyed of rows) {
    const named = Object.keys(keyed.row);
    const group = groups.find((one) => isSame(one.named, named));
    if (group) {
      group.rows.push(keyed);
      continue;
    }
    const others = named.filter((column) => !table.key.includes(column));
    groups.push({ named, columns: [...table.key, ...others], rows: [keyed] });
  }
  return groups;
};

/** One statement for the rows, or several when their parameters are too long for one. */
const groupStatements = (
  table: ProjectionTable,
  { columns, rows }: Group,
  sqlOf: (rows: string) => string,
): readonly Statement[] => {
  const codecs = codecsOf(table, columns);
  const keyColumns = table.key.length;
  const text = sqlOf(relation(columns, codecs));
  const statements: Statement[] = [];
  let elements: string[][] = columns.map(() => []);
  let length = 0;
  const flush = (): void => {
    if (length > 0) statements.push({ text, values: elements.map((column) => `{${column.join(',')}}`) });
    elements = columns.map(() => []);
    length = 0;
  };
  for (const { key, row } of rows) {
    columns.forEach((column, index) => {
      const element = codecs[index]?.element(index < keyColumns ? key[column] : row[column]) ?? 'NULL';
      elements[index]?.push(element);
      length += element.length + 1;
    });
    if (length > maxParameterLength) flush();
  }
  flush();
  return statements;
};

/** Writes the changes by one statement per table, operation and set of columns. */
export const rowStatements = (
  changes: readonly TableChanges[],
  storedNameOf: (table: ProjectionTable) => string,
): readonly Statement[] =>
  changes.flatMap(({ table, puts, patches, removes }) => {
    const stored = quoted(storedNameOf(table));
    const patchGroups = groupsOf(table, patches).filter(({ columns }) => columns.length > table.key.length);
    return [
      ...groupsOf(table, removes).flatMap((group) =>
        groupStatements(table, group, (rows) => removeSql(table, stored, rows)),
      ),
      ...groupsOf(table, puts).flatMap((group) =>
        groupStatements(table, group, (rows) => putSql(table, stored, group.columns, rows)),
      ),
      ...patchGroups.flatMap((group) =>
        groupStatements(table, group, (rows) => patchSql(table, stored, group.columns, rows)),
      ),
    ];
  });

export const runStatements = async (client: ClientBase, statements: readonly Statement[]): Promise<void> => {
  for (const { text, values } of statements) await client.query(text, [...values]);
};
