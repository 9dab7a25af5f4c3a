import { commandTarget, type Decider } from '@tapedeck/eventing/core';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import { maxSavedSearches, maxSearchNameLength } from './limits.ts';
import {
  evolve,
  noSearches,
  type SavedSearches,
  savedSearchesSnapshot,
  type SavedSearchEvent,
  savedSearchEvents,
  type SearchDetails,
  type SearchId,
} from './saved-searches.ts';

type Subject = Readonly<{ accountId: AccountId; searchId: SearchId }>;
/** The catalogue's position at this moment, as decimal text. */
type SeenAt = Readonly<{ position: string }>;

export type SaveSearch = Readonly<{ type: 'SaveSearch'; name: string; query: string }> & Subject & SeenAt;
export type RenameSearch = Readonly<{ type: 'RenameSearch'; name: string }> & Subject;
export type SeeSearch = Readonly<{ type: 'SeeSearch' }> & Subject & SeenAt;
export type DeleteSearch = Readonly<{ type: 'DeleteSearch' }> & Subject;
export type SavedSearchCommand = SaveSearch | RenameSearch | SeeSearch | DeleteSearch;

/** One line of readable text, 1 to `maxSearchNameLength` characters. */
const normalisedName = (text: string): string => {
  const name = text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  if (name === '') {
    throw new DomainError('invalid', 'SEARCH_NAME_EMPTY', 'name: give the search a name.');
  }
  if (name.length > maxSearchNameLength) {
    throw new DomainError(
      'invalid',
      'SEARCH_NAME_TOO_LONG',
      `name: use at most ${maxSearchNameLength} characters.`,
    );
  }
  return name;
};

const folded = (name: string): string => name.normalize('NFKC').toLowerCase();

/** @throws DomainError SEARCH_NAME_TAKEN when another search of the account has the name, whatever its case. */
const assertNameIsFree = (name: string, searchId: SearchId, state: SavedSearches): void => {
  const taken = state.find((other, id) => id !== searchId && folded(other.name) === folded(name));
  if (!taken) return;
  throw new DomainError(
    'conflict',
    'SEARCH_NAME_TAKEN',
    `You already have a search called “${taken.name}”: choose another name.`,
  );
};

const existing = (searchId: SearchId, state: SavedSearches): SearchDetails => {
  const search = state.get(searchId);
  if (search) return search;
  throw new DomainError(
    'not-found',
    'SEARCH_NOT_FOUND',
    'This search is not among your saved ones: it may have been deleted.',
  );
};

const save = (command: SaveSearch, state: SavedSearches): readonly SavedSearchEvent[] => {
  const { accountId, searchId, query, position } = command;
  if (state.has(searchId)) return [];
  const name = normalisedName(command.name);
  assertNameIsFree(name, searchId, state);
  if (state.size >= maxSavedSearches) {
    throw new DomainError(
      'conflict',
      'TOO_MANY_SEARCHES',
      `You have ${maxSavedSearches} saved searches, the limit: delete one first.`,
    );
  }
  return [{ type: 'SearchSaved', data: { accountId, searchId, name, query, seenPosition: position } }];
};

const rename = (command: RenameSearch, state: SavedSearches): readonly SavedSearchEvent[] => {
  const { accountId, searchId } = command;
  const search = existing(searchId, state);
  const name = normalisedName(command.name);
  if (name === search.name) return [];
  assertNameIsFree(name, searchId, state);
  return [{ type: 'SearchRenamed', data: { accountId, searchId, name } }];
};

const see = (
  { accountId, searchId, position }: SeeSearch,
  state: SavedSearches,
): readonly SavedSearchEvent[] => {
  const search = existing(searchId, state);
  if (BigInt(position) <= BigInt(search.seenPosition)) return [];
  return [{ type: 'SearchSeen', data: { accountId, searchId, seenPosition: position } }];
};

const decide = (command: SavedSearchCommand, state: SavedSearches): readonly SavedSearchEvent[] => {
  switch (command.type) {
    case 'SaveSearch':
      return save(command, state);
    case 'RenameSearch':
      return rename(command, state);
    case 'SeeSearch':
      return see(command, state);
    case 'DeleteSearch': {
      const { accountId, searchId } = command;
      return state.has(searchId) ? [{ type: 'SearchDeleted', data: { accountId, searchId } }] : [];
    }
    default:
      return command satisfies never;
  }
};

export const savedSearchesDecider: Decider<SavedSearches, SavedSearchCommand, SavedSearchEvent> = {
  initialState: noSearches,
  decide,
  evolve,
  snapshot: savedSearchesSnapshot,
};

export const savedSearches = commandTarget(savedSearchesDecider, savedSearchEvents);
