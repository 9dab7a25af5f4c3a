import {
  readEvents,
  type EventStore,
  type RecordedEvent,
  type Sealed,
  type SealedEvent,
} from '@tapedeck/eventing';
import { sqlLimits, type SqlHistoryEntry } from '../contract.ts';
import { streamEvents, sqlConsoleStream, type SqlConsoleEvent } from '../domain/console.ts';

/** A statement and how it ended; its texts are sealed. */
export type Statement = Readonly<
  Omit<SqlHistoryEntry, 'sqlQuery' | 'reason'> & {
    sqlQuery: Sealed<string>;
    reason: Sealed<string | undefined> | null;
  }
>;

type Recorded = RecordedEvent<SealedEvent<SqlConsoleEvent>>;
type Requested = Extract<Recorded, { type: 'SqlRequested' }>;
type Statements = ReadonlyMap<string, Statement>;

const requested = ({ data, metadata }: Requested): Statement => ({
  queryId: data.queryId,
  sqlQuery: data.sql,
  reason: data.reason ?? null,
  kind: data.kind,
  requestedAt: metadata.occurredAt,
  outcome: 'running',
  rowCount: null,
  milliseconds: null,
  sqlState: null,
});

const after = (statement: Statement, event: Exclude<Recorded, Requested>): Statement => {
  switch (event.type) {
    case 'SqlChangesCommitted': {
      // Also where its process has died before it could record the end.
      const rowCount = (statement.rowCount ?? 0) + event.data.changes.length;
      return { ...statement, outcome: 'completed', rowCount };
    }
    case 'SqlCompleted': {
      const { rowCount, milliseconds } = event.data;
      return { ...statement, outcome: 'completed', rowCount, milliseconds };
    }
    case 'SqlFailed': {
      const { sqlState, milliseconds } = event.data;
      return { ...statement, outcome: 'failed', sqlState, milliseconds };
    }
    default:
      return event satisfies never;
  }
};

const fold = (statements: Statements, events: readonly Recorded[]): Statements => {
  const next = new Map(statements);
  for (const event of events) {
    const known = next.get(event.data.queryId);
    if (event.type === 'SqlRequested') next.set(event.data.queryId, requested(event));
    else if (known) next.set(known.queryId, after(known, event));
  }
  return new Map([...next].slice(-sqlLimits.historyEntries));
};

const pageEvents = 1_000;

export type NewestStatements = (accountId: string) => Promise<Statements>;

/** The newest statements of an account, the oldest first. Of a stream that was read before, only what is new is read. */
export const createNewestStatements = (store: Pick<EventStore, 'readStream'>): NewestStatements => {
  const read = new Map<string, Readonly<{ version: number; statements: Statements }>>();
  return async (accountId) => {
    let { version, statements } = read.get(accountId) ?? { version: 0, statements: new Map() };
    let isLast = false;
    while (!isLast) {
      const page = { from: version + 1, upTo: version + pageEvents, form: 'sealed' } as const;
      const events = await readEvents(store, sqlConsoleStream(accountId), streamEvents, page);
      statements = fold(statements, events);
      version += events.length;
      isLast = events.length < pageEvents;
    }
    read.set(accountId, { version, statements });
    return statements;
  };
};
