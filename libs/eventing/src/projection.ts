import type { SealedEvent } from './event-types.ts';
import type { DomainEvent, RecordedEvent } from './event.ts';

/** The name of a database, as the module that contributes it chose it. */
export type DatabaseName = string;
export type ColumnValue = string | number | boolean | null | readonly string[] | bigint;
export type Row = Readonly<Record<string, ColumnValue | object>>;
export type Key = Readonly<Record<string, string | number>>;

/** One change of a read model. Changes of one key take effect in the order in which a fold returns them. */
export type RowChange =
  /** Writes the whole row; columns that are not named get their default. */
  | Readonly<{ op: 'put'; table: string; key: Key; row: Row }>
  /** Changes these columns of the row, if the row exists. */
  | Readonly<{ op: 'patch'; table: string; key: Key; row: Row }>
  /** Deletes the row, if it exists. */
  | Readonly<{ op: 'remove'; table: string; key: Key }>;

/** A table of a read model. Queries use `name`, a view; the stored table is `<name>_v<version>`. */
export type ProjectionTable = Readonly<{
  name: string;
  /** Columns of the primary key, in order. */
  key: readonly string[];
  /** All columns, key included, as name and SQL type with constraints: `{ likes: 'bigint', title: 'text not null' }`. */
  columns: Readonly<Record<string, string>>;
  /**
   * Columns with numbers that only grow: a put writes the greater one of the stored and the new number. Needed where
   * events of several keys write one row, because parked events are applied after later ones of other keys. Such a table
   * takes nothing but puts.
   */
  growing?: readonly string[];
  /** Indexes, as SQL writes them after the table name: `using gin (categories)`, `(account_id, added_at desc)`. */
  indexes?: readonly string[];
}>;

/** What a replay of events does with a read model. */
export type ReplayUse = Readonly<{
  /** The replay finds in its rows what belongs to a target, so it begins only when they are up to date. */
  isSource?: true;
  /**
   * The replay shows how its rows would change: for each table, what a row is in plain words. A row comes from the events of
   * one stream only.
   */
  compares?: Readonly<Record<string, string>>;
}>;

/** A read model that can be deleted and projected again from the tape. Define it by `defineProjection`. */
export type Projection = Readonly<{
  name: string;
  version: number;
  database: DatabaseName;
  types: readonly string[];
  tables: readonly ProjectionTable[];
  /** SQL statements that create views over the tables; they run whenever this version goes live. */
  views?: readonly string[];
  /** The key of an event, by default its stream. A parked event blocks the later events of its key. */
  keyOf?: (event: RecordedEvent) => string;
  /** Pure; gets events of the form `sealed`. The result must not depend on how the events are cut into batches. */
  fold: (events: readonly RecordedEvent[]) => readonly RowChange[];
  /** By default a replay leaves it alone. */
  replay?: ReplayUse;
  /** @internal Its tables are beside those that queries read: made by `standbyOf`. */
  isStandby?: true;
}>;

export type ProjectionDefinition<Event extends DomainEvent> = Omit<
  Projection,
  'types' | 'fold' | 'isStandby'
> &
  Readonly<{
    /** One entry for each type of the union; the values are not used. A module's `EventTypes` fit, or `true` for each. */
    types: Readonly<Record<Event['type'], unknown>>;
    /** Personal fields are sealed, so that no read model contains any in clear. */
    fold: (events: readonly RecordedEvent<SealedEvent<Event>>[]) => readonly RowChange[];
  }>;

/**
 * A projection of the events of one union. The compiler demands an entry in `types` for each type of the union, and
 * gives `fold` typed events, with sealed personal fields.
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
  // The cast is safe: the runner reads events of these types only, at their current version.
  fold: (events) => fold(events as unknown as readonly RecordedEvent<SealedEvent<Event>>[]),
});
