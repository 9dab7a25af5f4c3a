import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { EventStore, RecordedEvent } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import { sqlLimits, type SqlHistory, type SqlHistoryEntry } from '../contract.ts';
import { sqlConsoleStream, type SqlConsoleEvent, type SqlRequested } from '../events.ts';

/** The newest statements of an admin, from the admin's own stream. */
export class ShowHistory extends Query<SqlHistory> {
  constructor(readonly accountId: AccountId) {
    super();
  }
}

const requestedEntry = ({ data, metadata }: RecordedEvent<SqlRequested>): SqlHistoryEntry => ({
  queryId: data.queryId,
  // A forgotten one is no text.
  sqlQuery: typeof data.sql === 'string' ? data.sql : null,
  kind: data.kind,
  requestedAt: metadata.occurredAt,
  outcome: 'running',
  rowCount: null,
  milliseconds: null,
  sqlState: null,
});

const endOf = (event: RecordedEvent<SqlConsoleEvent>): Partial<SqlHistoryEntry> => {
  switch (event.type) {
    case 'SqlCompleted': {
      const { rowCount, milliseconds } = event.data;
      return { outcome: 'completed', rowCount, milliseconds };
    }
    case 'SqlFailed': {
      const { sqlState, milliseconds } = event.data;
      return { outcome: 'failed', sqlState, milliseconds };
    }
    default:
      return {};
  }
};

/** The newest first. */
export const historyOf = (events: readonly RecordedEvent<SqlConsoleEvent>[]): readonly SqlHistoryEntry[] => {
  const entries = new Map<string, SqlHistoryEntry>();
  for (const event of events) {
    const known = entries.get(event.data.queryId);
    if (event.type === 'SqlRequested') entries.set(event.data.queryId, requestedEntry(event));
    else if (known) entries.set(known.queryId, { ...known, ...endOf(event) });
  }
  return [...entries.values()].reverse();
};

@QueryHandler(ShowHistory)
export class ShowHistoryHandler implements IQueryHandler<ShowHistory> {
  readonly #store: EventStore;

  constructor(@Inject(EVENT_STORE) store: EventStore) {
    this.#store = store;
  }

  async execute({ accountId }: ShowHistory): Promise<SqlHistory> {
    // The stream contains events of this module only.
    const events = (await this.#store.readStream(
      sqlConsoleStream(accountId),
      // The stream contains events of this module only.
    )) as unknown as readonly RecordedEvent<SqlConsoleEvent>[];
    return { entries: historyOf(events).slice(0, sqlLimits.historyEntries) };
  }
}
