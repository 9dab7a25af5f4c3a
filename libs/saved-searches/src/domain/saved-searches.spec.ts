import { describe, it } from '@jest/globals';
import { deciderSpec } from '@tapedeck/eventing/testing';
import { accountId, derivedId } from '@tapedeck/kernel';
import { savedSearchesDecider } from './decide.ts';
import { maxSavedSearches, maxSearchNameLength } from './limits.ts';
import { searchId, type SearchId } from './saved-searches.ts';
import type { SavedSearchEvent } from './saved-searches.ts';

const { given } = deciderSpec(savedSearchesDecider);
const account = accountId(derivedId('saved searches'));
const one = searchId(derivedId('one'));
const two = searchId(derivedId('two'));
const about = (id: SearchId) => ({ accountId: account, searchId: id });

const saved = (id: SearchId, name: string, seenPosition = '7'): SavedSearchEvent => ({
  type: 'SearchSaved',
  data: { ...about(id), name, query: 'search=macd', seenPosition },
});
const deleted = (id: SearchId): SavedSearchEvent => ({ type: 'SearchDeleted', data: about(id) });
const renamed = (id: SearchId, name: string): SavedSearchEvent => ({
  type: 'SearchRenamed',
  data: { ...about(id), name },
});
const seen = (id: SearchId, seenPosition: string): SavedSearchEvent => ({
  type: 'SearchSeen',
  data: { ...about(id), seenPosition },
});

const save = (id: SearchId, name: string) =>
  ({ type: 'SaveSearch', ...about(id), name, query: 'search=macd', position: '7' }) as const;
const rename = (id: SearchId, name: string) => ({ type: 'RenameSearch', ...about(id), name }) as const;

describe('saving a search', () => {
  it('stores the name on one line and the position of the catalogue', () => {
    given().when(save(one, '  MACD\n  with\tRSI ')).then(saved(one, 'MACD with RSI'));
  });

  it('changes nothing when the search exists already', () => {
    given(saved(one, 'MACD')).when(save(one, 'Other')).thenNothing();
  });

  it('refuses an empty name', () => given().when(save(one, ' \n ')).thenRefused('SEARCH_NAME_EMPTY'));

  it('refuses a name that is too long', () =>
    given()
      .when(save(one, 'x'.repeat(maxSearchNameLength + 1)))
      .thenRefused('SEARCH_NAME_TOO_LONG'));

  it.each([
    ['case', 'Élan', 'éLAN'],
    ['normal form', 'Élan', 'E\u0301lan'],
    ['width', 'RSI', 'ＲＳＩ'],
  ])('refuses the name of another search in another %s', (_, known, name) =>
    given(saved(one, known)).when(save(two, name)).thenRefused('SEARCH_NAME_TAKEN'),
  );

  it('accepts the name of a search that was deleted', () =>
    given(saved(one, 'MACD'), deleted(one)).when(save(two, 'macd')).then(saved(two, 'macd')));

  it('accepts the former name of a search that was renamed', () =>
    given(saved(one, 'MACD'), renamed(one, 'RSI')).when(save(two, 'MACD')).then(saved(two, 'MACD')));

  const ids = Array.from({ length: maxSavedSearches }, (_, at) => searchId(derivedId('search', at)));
  const full = ids.map((id, at) => saved(id, `Search ${at}`));

  it('refuses more searches than the limit', () =>
    given(...full)
      .when(save(one, 'One more'))
      .thenRefused('TOO_MANY_SEARCHES'));

  it('accepts a search again after one of as many as the limit was deleted', () =>
    given(...full, ...ids.slice(0, 1).map(deleted))
      .when(save(one, 'One more'))
      .then(saved(one, 'One more')));
});

describe('renaming a search', () => {
  it('changes the name, also when only its case differs', () =>
    given(saved(one, 'macd')).when(rename(one, 'MACD')).then(renamed(one, 'MACD')));

  it('changes nothing when the search has the name', () =>
    given(saved(one, 'MACD')).when(rename(one, ' MACD ')).thenNothing());

  it('refuses the name of another search', () =>
    given(saved(one, 'MACD'), saved(two, 'RSI')).when(rename(two, 'macd')).thenRefused('SEARCH_NAME_TAKEN'));

  it('refuses a search that does not exist', () =>
    given().when(rename(one, 'MACD')).thenRefused('SEARCH_NOT_FOUND'));

  it('refuses a search that was deleted', () =>
    given(saved(one, 'MACD'), deleted(one)).when(rename(one, 'RSI')).thenRefused('SEARCH_NOT_FOUND'));
});

describe('marking a search as seen', () => {
  const see = (position: string) => ({ type: 'SeeSearch', ...about(one), position }) as const;

  it('moves the seen position forward', () =>
    given(saved(one, 'MACD', '9'))
      .when(see('10'))
      .then(seen(one, '10')));

  it('changes nothing at the position that was seen', () =>
    given(saved(one, 'MACD', '9'))
      .when(see('9'))
      .thenNothing());

  it('does not move the seen position back', () =>
    given(saved(one, 'MACD', '9'), seen(one, '100'))
      .when(see('20'))
      .thenNothing());

  it('refuses a search that does not exist', () => {
    given().when(see('1')).thenRefused('SEARCH_NOT_FOUND');
  });
});

describe('deleting a search', () => {
  const remove = { type: 'DeleteSearch', ...about(one) } as const;

  it('deletes it', () => given(saved(one, 'MACD')).when(remove).then(deleted(one)));
  it('deletes it once', () => given(saved(one, 'MACD'), deleted(one)).when(remove).thenNothing());
});
