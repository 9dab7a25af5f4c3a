import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '@tapedeck/kernel';
import type { Pool } from 'pg';
import type { RecordedEvent } from '../event.ts';
import type { Key, Projection, ProjectionTable, Row, RowChange } from '../projection.ts';
import { poolOf, type ProjectionDatabases } from '../runner/projector.ts';
import { typeOf } from '../runner/rows/column-codec.ts';
import { quoted } from '../runner/rows/tables.ts';

/** A column of a row that events change, as JSON; `before` is null for a row that does not exist, `after` for one that is removed. */
export type FieldDifference = Readonly<{
  projection: string;
  table: string;
  key: Key;
  field: string;
  before: JsonValue;
  after: JsonValue;
  /** The event that has changed it last. */
  eventId: string;
}>;

type Values = Readonly<Record<string, JsonValue>>;

/** A row while the changes are applied to it, with the event that has set each column. */
type Draft = Readonly<{
  key: Key;
  row: Row | null;
  setBy: ReadonlyMap<string, string>;
}>;

const greater = (one: Row[string] | undefined, other: Row[string]): Row[string] =>
  (typeof one === 'number' || typeof one === 'bigint') && one > Number(other) ? one : other;

// Not linear: the definitions of columns are our own.
const defaultIn = /\sdefault\s+(.+?)(?=\s+(?:not\s+null|check|generated|collate)\b|$)/is;

/** What a put writes into the columns that it does not name. */
const defaultsOf = async (pool: Pool, { columns }: ProjectionTable): Promise<Values> => {
  const defaults = Object.entries(columns).flatMap(([name, definition]) => {
    if (definition.toLowerCase().split(/\s+/).includes('generated')) return [];
    const [, value = 'null'] = defaultIn.exec(definition) ?? [];
    return [`to_jsonb((${value})::${typeOf(definition)}) as ${quoted(name)}`];
  });
  const { rows } = await pool.query<Values>(`select ${defaults.join(', ')}`);
  return rows[0] ?? {};
};

type Table = Readonly<{ table: ProjectionTable; defaults: Values }>;

const changedRow = (
  { table: { growing = [] }, defaults }: Table,
  row: Row | null,
  change: RowChange,
): Row | null => {
  if (change.op === 'remove') return null;
  if (change.op === 'patch') return row && { ...row, ...change.row };
  const grown = growing.map(
    (column) => [column, greater(row?.[column], change.row[column] ?? null)] as const,
  );
  return { ...defaults, ...change.key, ...change.row, ...Object.fromEntries(grown) };
};

const withChange = (table: Table, draft: Draft, change: RowChange, eventId: string): Draft => {
  const row = changedRow(table, draft.row, change);
  const setBy = new Map(draft.setBy);
  for (const column of Object.keys(table.table.columns)) {
    if (!isDeepStrictEqual(row?.[column], draft.row?.[column])) setBy.set(column, eventId);
  }
  return { ...draft, row, setBy };
};

/** The rows as PostgreSQL writes them as JSON, in the order of the keys; null where there is none. */
const storedRows = async (
  pool: Pool,
  table: ProjectionTable,
  keys: readonly Key[],
): Promise<readonly (Values | null)[]> => {
  const name = quoted(table.name);
  const same = table.key.map((column) => `t.${quoted(column)} = wanted.${quoted(column)}`).join(' and ');
  const { rows } = await pool.query<{ row: Values | null }>(
    `select to_jsonb(t) as row
     from jsonb_array_elements($1::jsonb) with ordinality given (value, place)
     cross join lateral jsonb_populate_record(null::${name}, given.value) wanted
     left join ${name} t on ${same} order by given.place`,
    [JSON.stringify(keys)],
  );
  return rows.map(({ row }) => row);
};

/** The rows with their values as PostgreSQL would store them. */
const asStored = async (
  pool: Pool,
  table: ProjectionTable,
  rows: readonly Values[],
): Promise<readonly Values[]> => {
  const { rows: found } = await pool.query<{ row: Values }>(
    `select to_jsonb(r) as row
     from jsonb_array_elements($1::jsonb) with ordinality given (value, place)
     cross join lateral jsonb_populate_record(null::${quoted(table.name)}, given.value) r order by given.place`,
    [JSON.stringify(rows)],
  );
  return found.map(({ row }) => row);
};

const jsonOf = (row: Row): Values =>
  JSON.parse(
    JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  ) as Values;

const differencesOf = (
  projection: Projection,
  table: ProjectionTable,
  draft: Draft,
  before: Values | null,
  after: Values | null,
): readonly FieldDifference[] => {
  return [...draft.setBy]
    .filter(([field]) => !table.key.includes(field))
    .map(([field, eventId]) => ({
      projection: projection.name,
      table: table.name,
      key: draft.key,
      field,
      before: before?.[field] ?? null,
      after: after?.[field] ?? null,
      eventId,
    }))
    .filter((one) => !isDeepStrictEqual(one.before, one.after));
};

type EventChange = Readonly<{ eventId: string; change: RowChange }>;

const ofTable = async (
  pool: Pool,
  projection: Projection,
  table: ProjectionTable,
  changes: readonly EventChange[],
  isWhole: boolean,
): Promise<readonly FieldDifference[]> => {
  const byKey = new Map<string, EventChange[]>();
  for (const one of changes) {
    const id = JSON.stringify(one.change.key);
    const own = byKey.get(id);
    if (own) own.push(one);
    else byKey.set(id, [one]);
  }
  const groups = [...byKey.values()];
  const keys = groups.flatMap(([first]) => (first ? [first.change.key] : []));
  const before = await storedRows(pool, table, keys);
  const withDefaults: Table = { table, defaults: await defaultsOf(pool, table) };
  const drafts = groups.map((group, index) =>
    group.reduce<Draft>((draft, { change, eventId }) => withChange(withDefaults, draft, change, eventId), {
      key: keys[index] ?? {},
      row: isWhole ? null : (before[index] ?? null),
      setBy: new Map(),
    }),
  );
  const after = await asStored(
    pool,
    table,
    drafts.map(({ key, row }) => jsonOf({ ...row, ...key })),
  );
  return drafts.flatMap((draft, index) =>
    differencesOf(
      projection,
      table,
      draft,
      before[index] ?? null,
      draft.row === null ? null : (after[index] ?? null),
    ),
  );
};

export type RowDifferenceOptions = Readonly<{
  /** Whether the events are all that the rows were ever made of: they are then folded from nothing. */
  isWhole?: boolean;
}>;

/**
 * What events would change in read models if they were on the tape: folded by the projections themselves, compared with
 * the rows as they are. The events have sealed personal fields.
 *
 * @example
 * const fields = await rowDifferences(databases, projections, (await shadow.added('sealed')));
 */
export const rowDifferences = async (
  databases: ProjectionDatabases,
  projections: readonly Projection[],
  events: readonly RecordedEvent[],
  { isWhole = false }: RowDifferenceOptions = {},
): Promise<readonly FieldDifference[]> => {
  const found: FieldDifference[] = [];
  for (const projection of projections) {
    const changes = events
      .filter(({ type }) => projection.types.includes(type))
      .flatMap((event) => projection.fold([event]).map((change) => ({ eventId: event.id, change })));
    for (const table of projection.tables) {
      const own = changes.filter(({ change }) => change.table === table.name);
      if (own.length > 0) {
        found.push(...(await ofTable(poolOf(databases, projection), projection, table, own, isWhole)));
      }
    }
  }
  return found;
};
