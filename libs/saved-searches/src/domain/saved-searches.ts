import type { DomainEvent } from '@tapedeck/eventing';
import type { AccountId, SearchId } from '@tapedeck/kernel';

type Fact = { accountId: AccountId; searchId: SearchId };
/** `seenPosition`: tape position of the catalogue that was looked at, as decimal text. */
type Look = { seenPosition: string };

export type SearchSaved = DomainEvent<
  'SearchSaved',
  Fact &
    Look & {
      name: string;
      /** Filters and order in their canonical form, without the page. */
      query: string;
    }
>;
export type SearchRenamed = DomainEvent<'SearchRenamed', Fact & { name: string }>;
export type SearchSeen = DomainEvent<'SearchSeen', Fact & Look>;
export type SearchDeleted = DomainEvent<'SearchDeleted', Fact>;
export type SavedSearchEvent = SearchSaved | SearchRenamed | SearchSeen | SearchDeleted;

export type KeptSearch = Readonly<{ name: string; query: string; seenPosition: string }>;

/** The saved searches of one account by their ids. */
export type SavedSearches = ReadonlyMap<SearchId, KeptSearch>;

export const noSearches: SavedSearches = new Map();

const changed = (state: SavedSearches, id: SearchId, change: Partial<KeptSearch>): SavedSearches => {
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
