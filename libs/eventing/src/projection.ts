import type { RecordedEvent } from './event.ts';

export type DatabaseName = 'tapedeck' | 'catalogue';
export type ColumnValue = string | number | boolean | null | readonly string[] | bigint;
export type Row = Readonly<Record<string, ColumnValue | object>>;
export type Key = Readonly<Record<string, string | number>>;

/** What a fold asks of its tables. Changes of one key take effect in the order given. */
export type RowChange =
  /** The row is this, whole; columns that are not named keep their default. */
  | Readonly<{ op: 'put'; table: string; key: Key; row: Row }>
  /** These columns of the row change; no such row: nothing happens. */
  | Readonly<{ op: 'patch'; table: string; key: Key; row: Row }>
  | Readonly<{ op: 'remove'; table: string; key: Key }>;

/** One table of a read model; `name` is what queries say, the stored table carries the projection's version. */
export type ProjectionTable = Readonly<{
  name: string;
  /** Columns of the primary key, in order. */
  key: readonly string[];
  /** Column name to SQL type with constraints: `{ likes: 'bigint', title: 'text not null' }`, key included. */
  columns: Readonly<Record<string, string>>;
  /** Index definitions after the table name: `using gin (categories)`, `(account_id, added_at desc)`. */
  indexes?: readonly string[];
}>;

/**
 * A read model that can be thrown away and wound on again from the tape.
 * `fold` is pure: the same events give the same changes, whatever the batch they arrive in.
 *
 * @example
 * const doors: Projection = {
 *   name: 'doors',
 *   version: 1,
 *   database: 'tapedeck',
 *   types: ['DoorOpened'],
 *   tables: [{ name: 'doors', key: ['door'], columns: { door: 'text', opened_by: 'text not null' } }],
 *   fold: (events) =>
 *     events.map(({ stream, data }) => ({
 *       op: 'put', table: 'doors', key: { door: stream }, row: { opened_by: String(data['by']) },
 *     })),
 * };
 */
export type Projection = Readonly<{
  name: string;
  version: number;
  database: DatabaseName;
  types: readonly string[];
  tables: readonly ProjectionTable[];
  /** SQL run after the tables exist and after every swap (views over them), one statement each. */
  views?: readonly string[];
  /** Events with the same key are parked together; the stream by default. */
  keyOf?: (event: RecordedEvent) => string;
  fold: (events: readonly RecordedEvent[]) => readonly RowChange[];
}>;
