import {
  defineEvents,
  type DomainEvent,
  type Personal,
  readable,
  type SnapshotForm,
} from '@tapedeck/eventing/core';
import { parseUuid, type AccountId, type Branded } from '@tapedeck/kernel';
import { Map as ImmutableMap } from 'immutable';

/** A saved search of an account. */
export type SearchId = Branded<'SearchId'>;

/** @throws DomainError INVALID_ID */
export const searchId = (value: string): SearchId => parseUuid('search id', value) as SearchId;

type SearchData = { accountId: AccountId; searchId: SearchId };
/** `seenPosition`: tape position of the catalogue that its owner has seen, as decimal text. */
type SeenAt = { seenPosition: string };

export type SearchSaved = DomainEvent<
  'SearchSaved',
  SearchData &
    SeenAt & {
      name: Personal<string>;
      /** Filters and order in their canonical form, without the page. */
      query: Personal<string>;
    }
>;
export type SearchRenamed = DomainEvent<'SearchRenamed', SearchData & { name: Personal<string> }>;
export type SearchSeen = DomainEvent<'SearchSeen', SearchData & SeenAt>;
export type SearchDeleted = DomainEvent<'SearchDeleted', SearchData>;
export type SavedSearchEvent = SearchSaved | SearchRenamed | SearchSeen | SearchDeleted;

export const savedSearchEvents = defineEvents<SavedSearchEvent>({
  SearchSaved: { version: 1, personal: ['name', 'query'], subject: 'accountId' },
  SearchRenamed: { version: 1, personal: ['name'], subject: 'accountId' },
  SearchSeen: { version: 1 },
  SearchDeleted: { version: 1 },
});

export const savedSearchesStream = (account: AccountId): string => `savedSearches-${account}`;

export type SearchDetails = Readonly<{ name: string; query: string; seenPosition: string }>;

/** The saved searches of one account by their ids. */
export type SavedSearches = ImmutableMap<SearchId, SearchDetails>;

export const noSearches: SavedSearches = ImmutableMap();

const changed = (state: SavedSearches, id: SearchId, change: Partial<SearchDetails>): SavedSearches => {
  const search = state.get(id);
  return search ? state.set(id, { ...search, ...change }) : state;
};

export const evolve = (state: SavedSearches, event: SavedSearchEvent): SavedSearches => {
  const { searchId } = event.data;
  switch (event.type) {
    case 'SearchSaved': {
      const { name, query, seenPosition } = event.data;
      return state.set(searchId, { name: readable(name, ''), query: readable(query, ''), seenPosition });
    }
    case 'SearchRenamed':
      return changed(state, searchId, { name: readable(event.data.name, '') });
    case 'SearchSeen':
      return changed(state, searchId, { seenPosition: event.data.seenPosition });
    case 'SearchDeleted':
      return state.delete(searchId);
    default:
      return event satisfies never;
  }
};

type Entry = [searchId: SearchId, name: string, query: string, seenPosition: string];

export const savedSearchesSnapshot: SnapshotForm<SavedSearches> = {
  version: 1,
  toEntries: (state) =>
    state
      .entrySeq()
      .map(([id, { name, query, seenPosition }]): Entry => [id, name, query, seenPosition])
      .toArray(),
  fromEntries: (entries) =>
    ImmutableMap(
      // `toEntries` of the same version has written them.
      (entries as unknown as readonly Entry[]).map(([id, name, query, seenPosition]) => [
        id,
        { name, query, seenPosition },
      ]),
    ),
  subjectOf: (stream) => stream.slice('savedSearches-'.length),
};
