import type { DomainEvent, RecordedEvent } from './event.ts';

/** A database that the process opens, by the name under which its module contributes it. */
export type DatabaseName = string;
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

/** A read model that can be thrown away and projected again from the tape. Made by `defineProjection`. */
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
  /** Pure: the same events give the same changes, whatever the batch they arrive in. */
  fold: (events: readonly RecordedEvent[]) => readonly RowChange[];
}>;

export type ProjectionDefinition<Event extends DomainEvent> = Omit<Projection, 'types' | 'fold'> &
  Readonly<{
    /** An entry for every type of the union, so that none can be missing: a module's event types, or `true` each. */
    types: Readonly<Record<Event['type'], unknown>>;
    fold: (events: readonly RecordedEvent<Event>[]) => readonly RowChange[];
  }>;

/**
 * A projection of the events of one union: the compiler demands an entry for each of its types, and the fold gets
 * them typed.
 *
 * @example
 * const doors = defineProjection<DoorOpened>({
 *   name: 'doors',
 *   version: 1,
 *   database: 'tapedeck',
 *   types: { DoorOpened: true },
 *   tables: [{ name: 'doors', key: ['door'], columns: { door: 'text', opened_by: 'text not null' } }],
 *   fold: (events) =>
 *     events.map(({ stream, data }) => ({
 *       op: 'put', table: 'doors', key: { door: stream }, row: { opened_by: data.by },
 *     })),
 * });
 */
export const defineProjection = <Event extends DomainEvent>({
  types,
  fold,
  ...rest
}: ProjectionDefinition<Event>): Projection => ({
  ...rest,
  types: Object.keys(types),
  // The runner hands out events of these types only, upcast to their current version.
  fold: (events) => fold(events as unknown as readonly RecordedEvent<Event>[]),
});
