import { defineEvents, type DomainEvent, type Personal } from '@tapedeck/eventing/core';
import { catalogueEditEvents, type SqlChangesCommitted } from '@tapedeck/strategies/events';

export type SqlKind = 'rows' | 'changes' | 'committed' | 'plan';

type OfQuery = { queryId: string };

/** Recorded before the statement runs. */
export type SqlRequested = DomainEvent<
  'SqlRequested',
  OfQuery & {
    sql: Personal<string>;
    sha256: string;
    kind: SqlKind;
    role: string;
    ip: Personal<string>;
    /** The public id of the session: it opens nothing. */
    session: string | null;
    personalSubject: string;
    /** Why a change was confirmed. */
    reason?: Personal<string>;
  }
>;
export type SqlCompleted = DomainEvent<
  'SqlCompleted',
  OfQuery & { rowCount: number; bytes: number; milliseconds: number }
>;
/** A cancelled query has the state 57014. The message can repeat values of the statement. */
export type SqlFailed = DomainEvent<
  'SqlFailed',
  OfQuery & { sqlState: string; message: Personal<string>; milliseconds: number; personalSubject: string }
>;

export type SqlConsoleEvent = SqlRequested | SqlCompleted | SqlFailed | SqlChangesCommitted;

/** Those that belong to the console. */
export const sqlConsoleEvents = defineEvents<Exclude<SqlConsoleEvent, SqlChangesCommitted>>({
  SqlRequested: { version: 1, personal: ['sql', 'ip', 'reason'], subject: 'personalSubject' },
  SqlCompleted: { version: 1 },
  SqlFailed: { version: 1, personal: ['message'], subject: 'personalSubject' },
});

/** All that its stream contains. */
export const streamEvents = defineEvents<SqlConsoleEvent>({ ...sqlConsoleEvents, ...catalogueEditEvents });

export const sqlConsoleStream = (accountId: string): string => `sqlConsole-${accountId}`;

/** The key of one statement. */
export const statementSubject = (queryId: string): string => `sql:${queryId}`;

/** `running`: the queries without an end on the tape. */
export type SqlConsole = Readonly<{ running: ReadonlySet<string> }>;

export const emptyConsole: SqlConsole = { running: new Set() };

const without = (all: ReadonlySet<string>, one: string): ReadonlySet<string> =>
  new Set([...all].filter((id) => id !== one));

export const evolve = (state: SqlConsole, event: SqlConsoleEvent): SqlConsole => {
  const { queryId } = event.data;
  switch (event.type) {
    case 'SqlRequested':
      return { running: new Set([...state.running, queryId]) };
    case 'SqlChangesCommitted':
      return state;
    case 'SqlCompleted':
    case 'SqlFailed':
      return { running: without(state.running, queryId) };
    default:
      return event satisfies never;
  }
};
