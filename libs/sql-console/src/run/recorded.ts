import { isForgotten, readEvents, type EventStore, type RecordedEvent } from '@tapedeck/eventing';
import { streamEvents, sqlConsoleStream, type SqlConsoleEvent } from '../domain/console.ts';
import { StatementFailed } from './connection.ts';
import type { Ran } from './run-statement.ts';

/** How a statement ended, or what it has committed. */
export type Ended = Readonly<{ ran?: Ran; failed?: StatementFailed; milliseconds: number }>;

const noRows = { columns: [], rows: [], truncated: false } as const;

const failureOf = (events: readonly RecordedEvent<SqlConsoleEvent>[]): Ended | undefined => {
  for (const event of events)
    if (event.type === 'SqlFailed') {
      const { sqlState, message: recorded, milliseconds } = event.data;
      const message = isForgotten(recorded) ? 'The statement has failed.' : recorded;
      return { failed: new StatementFailed({ sqlState, message, position: null }), milliseconds };
    }
  return undefined;
};

/**
 * What the tape says about a confirmed statement that is sent again: its process may have died before it could answer.
 * Undefined when it has committed nothing, so that it may run.
 */
export const recordedEnd = async (
  store: EventStore,
  accountId: string,
  queryId: string,
): Promise<Ended | undefined> => {
  const events = await readEvents(store, sqlConsoleStream(accountId), streamEvents);
  const own = events.filter(({ data }) => data.queryId === queryId);
  const changes = own.flatMap((event) => (event.type === 'SqlChangesCommitted' ? event.data.changes : []));
  const completed = own.find((event) => event.type === 'SqlCompleted');
  if (changes.length === 0 && !completed) return failureOf(own);
  return {
    ran: { outcome: { table: noRows, changes }, bytes: 0 },
    milliseconds: completed?.data.milliseconds ?? 0,
  };
};
