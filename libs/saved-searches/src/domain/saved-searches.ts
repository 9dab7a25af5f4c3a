import type { DomainEvent } from '@tapedeck/eventing';
import { parseUuid, type AccountId, type Branded } from '@tapedeck/kernel';

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
      name: string;
      /** Filters and order in their canonical form, without the page. */
      query: string;
    }
>;
export type SearchRenamed = DomainEvent<'SearchRenamed', SearchData & { name: string }>;
export type SearchSeen = DomainEvent<'SearchSeen', SearchData & SeenAt>;
export type SearchDeleted = DomainEvent<'SearchDeleted', SearchData>;
export type SavedSearchEvent = SearchSaved | SearchRenamed | SearchSeen | SearchDeleted;

export type SearchDetails = Readonly<{ name: string; query: string; seenPosition: string }>;

/** The saved searches of one account by their ids. */
export type SavedSearches = ReadonlyMap<SearchId, SearchDetails>;

export const noSearches: SavedSearches = new Map();

const changed = (state: SavedSearches, id: SearchId, change: Partial<SearchDetails>): SavedSearches => {
  const search = state.get(id);
  return search ? new Map(state).set(id, { ...search, ...change }) : state;
};

export const evolve = (state: SavedSearches, event: SavedSearchEvent): SavedSearches => {
  const { searchId } = event.data;
  switch (event.type) {
    case 'SearchSaved': {
      const { name, query, seenPosition } = event.data;
      return new Map(state).set(searchId, { name, query, seenPosition });
    }
    case 'SearchRenamed':
      return changed(state, searchId, { name: event.data.name });
    case 'SearchSeen':
      return changed(state, searchId, { seenPosition: event.data.seenPosition });
    case 'SearchDeleted':
      return new Map([...state].filter(([id]) => id !== searchId));
    default:
      return event satisfies never;
  }
};
