import { createHash } from 'node:crypto';
import { handle, type CommandContext, type EventStore, type Handle } from '@tapedeck/eventing';
import { DomainError, eventIdFor } from '@tapedeck/kernel';
import type { SqlAnswer, SqlKind } from '../contract.ts';
import { sqlConsoleDecider, type SqlConsoleCommand } from '../domain/decide.ts';
import { streamEvents, sqlConsoleStream, statementSubject } from '../domain/console.ts';
import { StatementFailed } from './connection.ts';
import { mayContainWrites, planPath, readPath, seemsToWrite, writePath, type Outcome } from './paths.ts';
import { recordedEnd, type Ended } from './recorded.ts';
import { assertConsole, runStatement, type ConsoleParts, type Ran } from './run-statement.ts';
import { createSlots } from './slots.ts';

export type Caller = Readonly<{ accountId: string; role: string; ip: string; session: string | null }>;

export type Execution = Readonly<{
  caller: Caller;
  queryId: string;
  sql: string;
  /** `either`: the one that the statement needs. */
  path: 'either' | 'read' | 'write' | 'plan';
  /** How many rows somebody has confirmed, so that the changes are committed. */
  confirmedRows?: number;
  /** Why. */
  reason?: string;
  signal: AbortSignal;
  /** For the commands that this sends, by their names. */
  context: (part: string) => CommandContext;
}>;

export type Execute = (execution: Execution) => Promise<SqlAnswer>;

export const sha256Of = (sql: string): string => createHash('sha256').update(sql).digest('hex');

const repeated = (): DomainError =>
  new DomainError('conflict', 'QUERY_ID_USED', 'This query was sent before: look it up in the history.');

const changedMeanwhile = (rows: number): StatementFailed =>
  new StatementFailed({
    sqlState: '40001',
    message: `The statement would now change ${rows} rows, which is not what was confirmed: run it again.`,
    position: null,
  });

type Sent = Readonly<{ eventId: string; isRepeated: boolean }>;
type Send = (part: string, command: SqlConsoleCommand, causationId?: string) => Promise<Sent>;

const kindOf = ({ path, confirmedRows, sql }: Execution): SqlKind => {
  if (path === 'plan') return 'plan';
  if (confirmedRows !== undefined) return 'committed';
  return path === 'write' || (path === 'either' && seemsToWrite(sql)) ? 'changes' : 'rows';
};

const run = async (parts: ConsoleParts, execution: Execution): Promise<Ran> => {
  const { queryId, sql, signal, path } = execution;
  const writes = { queryId, sql, signal, role: 'write', path: writePath } as const;
  if (path === 'plan') return runStatement(parts, { ...writes, path: planPath });
  if (path === 'write' || (path === 'either' && seemsToWrite(sql))) return runStatement(parts, writes);
  try {
    return await runStatement(parts, { ...writes, role: 'read', path: readPath });
  } catch (error) {
    const isWrite = error instanceof StatementFailed && mayContainWrites(sql, error.error);
    if (path !== 'either' || !isWrite) throw error;
    return runStatement(parts, writes);
  }
};

/** @throws StatementFailed when others have changed the catalogue since the confirmation. */
const assertConfirmed = ({ confirmedRows }: Execution, { changes = [] }: Outcome): void => {
  if (confirmedRows !== undefined && changes.length !== confirmedRows) throw changedMeanwhile(changes.length);
};

const answerOf = (
  execution: Execution,
  { ran, failed, milliseconds }: Ended,
  executedAt: string,
): SqlAnswer => {
  const { table, changes } = ran?.outcome ?? { table: { columns: [], rows: [], truncated: false } };
  const kind = kindOf(execution);
  return {
    queryId: execution.queryId,
    success: failed === undefined,
    kind: kind === 'rows' && changes ? 'changes' : kind,
    rowCount: changes?.length ?? table.rows.length,
    columns: [...table.columns],
    rows: table.rows.map((row) => [...row]),
    truncated: table.truncated,
    sha256: sha256Of(execution.sql),
    error: failed?.error ?? null,
    executedAt,
    milliseconds,
  };
};

const attempt = async (parts: ConsoleParts, execution: Execution): Promise<Ended> => {
  const startedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  try {
    const ran = await run(parts, execution);
    assertConfirmed(execution, ran.outcome);
    return { ran, milliseconds: elapsed() };
  } catch (error) {
    if (!(error instanceof StatementFailed)) throw error;
    return { failed: error, milliseconds: elapsed() };
  }
};

const recordEnd = async (send: Send, execution: Execution, ended: Ended): Promise<void> => {
  const { queryId } = execution;
  const { ran, failed, milliseconds } = ended;
  if (failed) {
    const { sqlState, message } = failed.error;
    const personalSubject = statementSubject(queryId);
    await send('end', { type: 'FailSql', queryId, sqlState, message, milliseconds, personalSubject });
    return;
  }
  const { rowCount } = answerOf(execution, ended, '');
  await send('end', { type: 'CompleteSql', queryId, rowCount, bytes: ran?.bytes ?? 0, milliseconds });
};

const attemptOrRecord = async (send: Send, parts: ConsoleParts, execution: Execution): Promise<Ended> => {
  try {
    return await attempt(parts, execution);
  } catch (error) {
    const failed = new StatementFailed({ sqlState: '58000', message: String(error), position: null });
    await recordEnd(send, execution, { failed, milliseconds: 0 });
    throw error;
  }
};

const request = ({ caller, queryId, sql, ...rest }: Execution): SqlConsoleCommand => ({
  type: 'RequestSql',
  queryId,
  sql,
  sha256: sha256Of(sql),
  kind: kindOf({ caller, queryId, sql, ...rest }),
  role: caller.role,
  ip: caller.ip,
  session: caller.session,
  personalSubject: statementSubject(queryId),
  ...(rest.reason === undefined ? {} : { reason: rest.reason }),
});

/** Runs a statement between its two records on the tape: what cannot be recorded does not run. */
export const createExecute = (parts: ConsoleParts, store: EventStore): Execute => {
  const handleCommand: Handle<SqlConsoleCommand> = handle(store, sqlConsoleDecider, streamEvents);
  const slots = createSlots();
  return async (execution) => {
    assertConsole(parts);
    const { caller, queryId, context } = execution;
    const stream = sqlConsoleStream(caller.accountId);
    const send: Send = async (part, command, causationId) => {
      const base = context(part);
      const own = causationId === undefined ? base : { ...base, causationId };
      const { changed } = await handleCommand(stream, command, own);
      return { eventId: eventIdFor(base.commandId, stream, 0), isRepeated: !changed };
    };
    const leave = slots.enter(caller.accountId);
    try {
      const { eventId, isRepeated } = await send('request', request(execution));
      if (isRepeated && execution.confirmedRows === undefined) throw repeated();
      const recorded = isRepeated ? await recordedEnd(store, caller.accountId, queryId) : undefined;
      const ended = recorded ?? (await attemptOrRecord(send, parts, execution));
      const changes = ended.ran?.outcome.changes ?? [];
      if (!recorded && execution.confirmedRows !== undefined && changes.length > 0)
        await send('commit', { type: 'CommitChanges', queryId, changes }, eventId);
      await recordEnd(send, execution, ended);
      return answerOf(execution, ended, context('answer').now);
    } finally {
      leave();
    }
  };
};
