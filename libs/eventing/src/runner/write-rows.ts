import type { ClientBase } from 'pg';
import type { ProjectionTable, Row } from '../projection.ts';
import type { TableChanges } from './coalesce.ts';
import { quoted } from './names.ts';
import { rowChunks } from './row-json.ts';

const list = (columns: readonly string[], prefix = ''): string =>
  columns.map((column) => `${prefix}${quoted(column)}`).join(', ');

const sameKey = (table: ProjectionTable, left: string, right: string): string =>
  table.key.map((column) => `${left}.${quoted(column)} = ${right}.${quoted(column)}`).join(' and ');

const isWritable = (definition: string): boolean => !/\bgenerated\s+always\b/i.test(definition);

const recordset = (stored: string): string => `json_populate_recordset(null::${stored}, $1::json)`;

const putSql = (table: ProjectionTable, stored: string, columns: readonly string[]): string => {
  // A put is the whole row: what it does not name goes back to its default, as `excluded` has it.
  const others = Object.entries(table.columns)
    .filter(([column, definition]) => !table.key.includes(column) && isWritable(definition))
    .map(([column]) => `${quoted(column)} = excluded.${quoted(column)}`);
  const onConflict = others.length === 0 ? 'do nothing' : `do update set ${others.join(', ')}`;
  return `insert into ${stored} (${list(columns)}) select ${list(columns)} from ${recordset(stored)}
    on conflict (${list(table.key)}) ${onConflict}`;
};

const patchSql = (table: ProjectionTable, stored: string, columns: readonly string[]): string => {
  const changes = columns
    .filter((column) => !table.key.includes(column))
    .map((column) => `${quoted(column)} = r.${quoted(column)}`);
  return `update ${stored} t set ${changes.join(', ')} from ${recordset(stored)} r where ${sameKey(table, 't', 'r')}`;
};

const removeSql = (table: ProjectionTable, stored: string): string =>
  `delete from ${stored} t using ${recordset(stored)} r where ${sameKey(table, 't', 'r')}`;

/** Rows that name the same columns go in one statement. */
const byColumns = (rows: readonly Row[]): ReadonlyMap<string, Row[]> => {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const signature = Object.keys(row).join(',');
    const group = groups.get(signature);
    if (group) group.push(row);
    else groups.set(signature, [row]);
  }
  return groups;
};

const send = async (client: ClientBase, text: string, rows: readonly Row[]): Promise<void> => {
  for (const chunk of rowChunks(rows)) await client.query(text, [chunk]);
};

/** Writes the changes with one statement per kind of change and set of columns. */
export const writeRows = async (
  client: ClientBase,
  changes: readonly TableChanges[],
  storedNameOf: (table: ProjectionTable) => string,
): Promise<void> => {
  for (const { table, puts, patches, removes } of changes) {
    const stored = quoted(storedNameOf(table));
    if (removes.length > 0) await send(client, removeSql(table, stored), removes);
    for (const [columns, rows] of byColumns(puts)) {
      await send(client, putSql(table, stored, columns.split(',')), rows);
    }
    for (const [columns, rows] of byColumns(patches)) {
      const named = columns.split(',');
      if (named.length > table.key.length) await send(client, patchSql(table, stored, named), rows);
    }
  }
};
