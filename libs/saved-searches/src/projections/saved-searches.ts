import {
  defineProjection,
  type RecordedEvent,
  type RowChange,
  type Sealed,
  type SealedEvent,
} from '@tapedeck/eventing';
import { type SavedSearchEvent, savedSearchEvents } from '../domain/saved-searches.ts';

export type SavedSearchRow = Readonly<{
  id: string;
  name: Sealed<string>;
  query: Sealed<string>;
  /** `bigint` as PostgreSQL's client gives it. */
  seen_position: string;
  saved_at: Date;
}>;

const changeOf = (event: RecordedEvent<SealedEvent<SavedSearchEvent>>): RowChange => {
  const { accountId, searchId } = event.data;
  const at = { table: 'saved_searches', key: { account_id: accountId, id: searchId } } as const;
  switch (event.type) {
    case 'SearchSaved': {
      const { name, query, seenPosition } = event.data;
      const row = { name, query, seen_position: seenPosition, saved_at: event.metadata.occurredAt };
      return { op: 'put', ...at, row };
    }
    case 'SearchRenamed':
      return { op: 'patch', ...at, row: { name: event.data.name } };
    case 'SearchSeen':
      return { op: 'patch', ...at, row: { seen_position: event.data.seenPosition } };
    case 'SearchDeleted':
      return { op: 'remove', ...at };
    default:
      return event satisfies never;
  }
};

/** The saved searches of every account, and the position up to which each was seen. */
export const savedSearches = defineProjection<SavedSearchEvent>({
  name: 'saved_searches',
  version: 2,
  database: 'tapedeck',
  types: savedSearchEvents,
  tables: [
    {
      name: 'saved_searches',
      key: ['account_id', 'id'],
      columns: {
        account_id: 'uuid not null',
        id: 'uuid not null',
        name: 'text not null',
        query: 'text not null',
        seen_position: 'bigint not null',
        saved_at: 'timestamptz not null',
      },
    },
  ],
  fold: (events) => events.map(changeOf),
});
