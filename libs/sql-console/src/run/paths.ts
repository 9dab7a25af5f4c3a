import type { JsonValue } from '@tapedeck/kernel';
import type pg from 'pg';
import { sqlLimits } from '../contract.ts';
import { changedTwice, type CommittedChange } from '@tapedeck/strategies/events';
import { errorOf, StatementFailed, type Connection } from './connection.ts';

export type Table = Readonly<{
  columns: readonly string[];
  rows: readonly (readonly (string | null)[])[];
  truncated: boolean;
}>;
export type Outcome = Readonly<{
  table: Table;
  /** Undefined where the statement can change nothing. */
  changes?: readonly CommittedChange[];
}>;
export type Path = (connection: Connection, sql: string) => Promise<Outcome>;

type Rows = pg.QueryArrayResult<(string | null)[]>;

/** The extended protocol, which refuses a second statement in the same text. */
const send = async (connection: Connection, prefix: string, sql: string): Promise<Rows> => {
  const query = { text: prefix + sql, rowMode: 'array', queryMode: 'extended' } as const;
  try {
    return await connection.client.query<(string | null)[]>(query);
  } catch (error) {
    throw new StatementFailed(errorOf(error, connection, prefix.length));
  }
};

const tableOf = ({ fields, rows }: Rows): Table => ({
  columns: fields.map(({ name }) => name),
  rows: rows.slice(0, sqlLimits.rows),
  truncated: rows.length > sqlLimits.rows,
});

/** A cursor takes queries only, and one row more than is shown says that there are more. */
export const readPath: Path = async (connection, sql) => {
  await send(connection, 'begin transaction read only', '');
  // After a query, the transaction can no longer be made one that writes.
  await send(connection, 'select 1', '');
  await send(connection, 'declare console no scroll cursor for ', sql);
  const rows = await send(connection, `fetch ${sqlLimits.rows + 1} from console`, '');
  await send(connection, 'rollback', '');
  return { table: tableOf(rows) };
};

const invalidChange = (message: string): StatementFailed =>
  new StatementFailed({ sqlState: '22023', message, position: null });

const assertOnce = (changes: readonly CommittedChange[]): void => {
  const urlId = changedTwice(changes);
  if (urlId !== undefined) throw invalidChange(`The statement changes ${urlId} twice: change it once.`);
};

const assertNew = async (connection: Connection, changes: readonly CommittedChange[]): Promise<void> => {
  const inserted = changes.filter(({ op }) => op === 'insert').map(({ urlId }) => urlId);
  if (inserted.length === 0) return;
  const { rows } = await connection.client.query<{ url_id: string }>(
    'select url_id from read_models.strategies where url_id = any($1) limit 1',
    [inserted],
  );
  if (rows[0]) throw invalidChange(`There is a strategy ${rows[0].url_id} already: update it instead.`);
};

/** What the trigger on the table has written down; the rows themselves are as before. */
const capturedChanges = async (connection: Connection): Promise<readonly CommittedChange[]> => {
  const { rows } = await send(
    connection,
    `select op, url_id, changed from public.captured_changes order by id limit ${sqlLimits.changedRows + 1}`,
    '',
  );
  if (rows.length > sqlLimits.changedRows)
    throw invalidChange(
      `The statement changes more than ${sqlLimits.changedRows} rows: change fewer at once.`,
    );
  const changes = rows.map(([op, urlId, values]): CommittedChange => ({
    op: op as CommittedChange['op'],
    urlId: String(urlId),
    values: JSON.parse(values ?? '{}') as Readonly<Record<string, JsonValue>>,
  }));
  assertOnce(changes);
  await assertNew(connection, changes);
  return changes;
};

/** PREPARE takes queries and changes of rows only. Nothing is ever committed here: the events are the commit. */
export const writePath: Path = async (connection, sql) => {
  await send(connection, 'begin transaction', '');
  await send(connection, 'prepare console as ', sql);
  const rows = await send(connection, 'execute console', '');
  const changes = await capturedChanges(connection);
  await send(connection, 'rollback', '');
  return { table: tableOf(rows), changes };
};

/** EXPLAIN executes nothing: after the list of its options, ANALYZE is no longer one. */
export const planPath: Path = async (connection, sql) => {
  await send(connection, 'begin transaction', '');
  // Also here, so that only what could run is explained.
  await send(connection, 'prepare console as ', sql);
  const rows = await send(connection, 'explain (format json) ', sql);
  await send(connection, 'rollback', '');
  return { table: tableOf(rows) };
};

// Not linear in general: the statement has at most 64 KB, and each part begins with another character.
const beforeFirstWord = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/|\()*/;

/** Which path is tried first. For the comfort of the caller: both refuse what they must not run. */
export const seemsToWrite = (sql: string): boolean =>
  /^(?:insert|update|delete|merge)\b/i.test(sql.replace(beforeFirstWord, ''));

/** A statement that begins like a query and changes rows, which the read path refuses. */
export const mayContainWrites = (sql: string, { sqlState }: StatementFailed['error']): boolean =>
  /^with\b/i.test(sql.replace(beforeFirstWord, '')) && (sqlState === '0A000' || sqlState === '42601');
