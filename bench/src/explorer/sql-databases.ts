import { DuckDBInstance, type DuckDBAppender, type DuckDBPreparedStatement } from '@duckdb/node-api';
import { Client } from 'pg';
import type { Figures } from './figures.ts';

/** A database with the table `strategies`: id, the figures f0, f1, … and their bins b0, b1, …. */
export type SqlDatabase = Readonly<{
  name: string;
  load: (figures: Figures) => Promise<void>;
  /** Each statement is prepared once; `$1` and so on are the values. */
  query: (sql: string, values: readonly number[]) => Promise<readonly (readonly unknown[])[]>;
  close: () => Promise<void>;
}>;

const tableSql = ({ columns }: Figures): string => `create table strategies (
  id text,
  ${columns.map((_, facet) => `f${facet} float8`).join(', ')},
  ${columns.map((_, facet) => `b${facet} smallint`).join(', ')})`;

const appendRow = (appender: DuckDBAppender, { ids, columns, bins }: Figures, row: number): void => {
  appender.appendVarchar(ids[row] ?? '');
  for (const column of columns) {
    const value = column[row] ?? NaN;
    if (Number.isNaN(value)) appender.appendNull();
    else appender.appendDouble(value);
  }
  for (const column of bins) appender.appendSmallInt(column[row] ?? 0);
  appender.endRow();
};

export const openDuckDb = async (threads: number): Promise<SqlDatabase> => {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(threads) });
  const connection = await instance.connect();
  const prepared = new Map<string, DuckDBPreparedStatement>();
  const prepare = async (sql: string): Promise<DuckDBPreparedStatement> => {
    const statement = prepared.get(sql) ?? (await connection.prepare(sql));
    prepared.set(sql, statement);
    return statement;
  };
  return {
    name: 'DuckDB',
    load: async (figures) => {
      await connection.run(tableSql(figures));
      const appender = await connection.createAppender('strategies');
      figures.ids.forEach((_, row) => appendRow(appender, figures, row));
      appender.closeSync();
    },
    query: async (sql, values) => {
      const statement = await prepare(sql);
      values.forEach((value, index) => statement.bindDouble(index + 1, value));
      return (await statement.runAndReadAll()).getRows();
    },
    close: async () => {
      for (const statement of prepared.values()) statement.destroySync();
      connection.closeSync();
      instance.closeSync();
    },
  };
};

const rowsPerInsert = 10_000;
const literal = (values: Float64Array | Uint8Array): string =>
  `{${Array.from(values, (value) => (Number.isNaN(value) ? 'null' : String(value))).join(',')}}`;

export const openPostgres = async (url: string): Promise<SqlDatabase> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const names = new Map<string, string>();
  return {
    name: 'PostgreSQL',
    load: async (figures) => {
      await client.query(tableSql(figures));
      const { ids, columns, bins } = figures;
      const parameters = [
        ...columns.map((_, facet) => `$${facet + 2}::float8[]`),
        ...bins.map((_, facet) => `$${facet + 2 + columns.length}::smallint[]`),
      ];
      const insert = `insert into strategies select * from unnest($1::text[], ${parameters.join(', ')})`;
      for (let from = 0; from < ids.length; from += rowsPerInsert) {
        const to = from + rowsPerInsert;
        const values = [...columns, ...bins].map((column) => literal(column.subarray(from, to)));
        await client.query(insert, [ids.slice(from, to), ...values]);
      }
      await client.query('vacuum (analyze, freeze) strategies');
    },
    query: async (text, values) => {
      const name = names.get(text) ?? `statement_${names.size}`;
      names.set(text, name);
      const { rows } = await client.query<unknown[]>({ name, text, values: [...values], rowMode: 'array' });
      return rows;
    },
    close: () => client.end(),
  };
};
