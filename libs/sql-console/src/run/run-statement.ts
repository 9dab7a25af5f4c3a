import { DomainError } from '@tapedeck/kernel';
import type pg from 'pg';
import { connect, errorOf, StatementFailed, type Connection } from './connection.ts';
import type { Outcome, Path } from './paths.ts';

export type ConsoleParts = Readonly<{
  /** The API's connections, by which queries are ended. */
  catalogue: pg.Pool;
  readUrl: string | undefined;
  writeUrl: string | undefined;
  /** The server ends a statement after this time. */
  statementMs?: number;
}>;

export type Statement = Readonly<{
  queryId: string;
  sql: string;
  path: Path;
  role: 'read' | 'write';
  signal: AbortSignal;
}>;

export type Ran = Readonly<{ outcome: Outcome; bytes: number }>;

const deadlineMs = 15_000;
const terminateAfterMs = 1_000;

const missing = (): DomainError =>
  new DomainError(
    'unavailable',
    'CONSOLE_ROLES_MISSING',
    'The SQL console has no database roles: set CONSOLE_DATABASE_PASSWORD, run `npm run migrate`, and give the API CONSOLE_READ_DATABASE_URL and CONSOLE_WRITE_DATABASE_URL.',
  );

/** Cancels the query, or ends its connection; false when it has none. */
export const endQuery = async (
  { catalogue }: ConsoleParts,
  queryId: string,
  hard: boolean,
): Promise<boolean> => {
  const { rows } = await catalogue.query<{ ended: boolean }>('select console_end_query($1, $2) as ended', [
    queryId,
    hard,
  ]);
  return rows[0]?.ended ?? false;
};

const serverVersion = async ({ catalogue }: ConsoleParts): Promise<number> => {
  const { rows } = await catalogue.query<{ version: string }>(
    `select current_setting('server_version_num') as version`,
  );
  return Math.floor(Number(rows[0]?.version ?? 0) / 10_000);
};

/** Ends the query at its deadline or when the signal says so. The returned function stops watching. */
const watch = (parts: ConsoleParts, { queryId, signal }: Statement): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  const terminate = (): void => void endQuery(parts, queryId, true).catch(() => {});
  const cancel = (): void => {
    clearTimeout(timer);
    timer = setTimeout(terminate, terminateAfterMs);
    void endQuery(parts, queryId, false).catch(() => {});
  };
  timer = setTimeout(cancel, deadlineMs);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  return () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  };
};

const open = async (parts: ConsoleParts, { queryId, role }: Statement): Promise<Connection> => {
  const url = role === 'read' ? parts.readUrl : parts.writeUrl;
  if (url === undefined) throw missing();
  const version = await serverVersion(parts);
  try {
    return await connect({
      url,
      queryId,
      isReadOnly: role === 'read',
      version,
      statementMs: parts.statementMs ?? 10_000,
    });
  } catch (error) {
    const { code, message } = error as Readonly<{ code?: string; message?: string }>;
    if (code === '28P01' || code === '28000' || code === '42501') throw missing();
    throw new StatementFailed({
      sqlState: code ?? '08006',
      message: `The database refuses another connection: ${message ?? 'try again in a moment'}`,
      position: null,
    });
  }
};

/** @throws DomainError CONSOLE_ROLES_MISSING. @throws StatementFailed */
export const assertConsole = ({ readUrl, writeUrl }: ConsoleParts): void => {
  if (readUrl === undefined || writeUrl === undefined) throw missing();
};

/**
 * Runs the statement in a connection of its own, which ends with it, and rolls back whatever it did.
 * @throws StatementFailed
 */
export const runStatement = async (parts: ConsoleParts, statement: Statement): Promise<Ran> => {
  const connection = await open(parts, statement);
  const stopWatching = watch(parts, statement);
  try {
    const outcome = await statement.path(connection, statement.sql);
    return { outcome, bytes: connection.bytes() };
  } catch (error) {
    throw error instanceof StatementFailed ? error : new StatementFailed(errorOf(error, connection));
  } finally {
    stopWatching();
    if (connection.destroyed()) await endQuery(parts, statement.queryId, true).catch(() => {});
    await connection.close();
  }
};
