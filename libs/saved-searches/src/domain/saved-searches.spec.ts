import { describe, it } from '@jest/globals';
import { deciderSpec } from '@tapedeck/eventing/testing';
import { accountId, derivedId } from '@tapedeck/kernel';
import { searchId, type SearchId } from './saved-searches.ts';
import { savedSearchesDecider } from './decide.ts';
import { maxSearchNameLength, maxSavedSearches } from './limits.ts';
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
  it('keeps its name in one line and where the catalogue stood', () => {
    given().when(save(one, '  MACD\n  with\tRSI ')).then(saved(one, 'MACD with RSI'));
  });

  it('changes nothing when it is saved already', () => {
    given(saved(one, 'MACD')).when(save(one, 'Other')).thenNothing();
  });

  it('refuses a name without letters, and one that is too long', () => {
    given().when(save(one, ' \n ')).thenRefused('SEARCH_NAME_EMPTY');
    given()
      .when(save(one, 'x'.repeat(maxSearchNameLength + 1)))
      .thenRefused('SEARCH_NAME_TOO_LONG');
  });

  it('refuses the name of another, whatever its case or width', () => {
    given(saved(one, 'Élan')).when(save(two, 'éLAN')).thenRefused('SEARCH_NAME_TAKEN');
    given(saved(one, 'Élan')).when(save(two, 'E\u0301lan')).thenRefused('SEARCH_NAME_TAKEN');
    given(saved(one, 'RSI')).when(save(two, 'ＲＳＩ')).thenRefused('SEARCH_NAME_TAKEN');
  });

  it('gives a name free with its search, or with the name it had before', () => {
    given(saved(one, 'MACD'), deleted(one)).when(save(two, 'macd')).then(saved(two, 'macd'));
    given(saved(one, 'MACD'), renamed(one, 'RSI')).when(save(two, 'MACD')).then(saved(two, 'MACD'));
  });

  it('refuses one more than there can be, and allows it after a deletion', () => {
    const ids = Array.from({ length: maxSavedSearches }, (_, at) => searchId(derivedId('search', at)));
    const full = ids.map((id, at) => saved(id, `Search ${at}`));
    given(...full)
      .when(save(one, 'One more'))
      .thenRefused('TOO_MANY_SEARCHES');
    given(...full, ...ids.slice(0, 1).map(deleted))
      .when(save(one, 'One more'))
      .then(saved(one, 'One more'));
  });
});

describe('renaming a search', () => {
  it('takes the new name, also one that differs in its case only', () => {
    given(saved(one, 'macd')).when(rename(one, 'MACD')).then(renamed(one, 'MACD'));
    given(saved(one, 'MACD')).when(rename(one, ' MACD ')).thenNothing();
  });

  it('refuses the name of another, and what is not there', () => {
    given(saved(one, 'MACD'), saved(two, 'RSI')).when(rename(two, 'macd')).thenRefused('SEARCH_NAME_TAKEN');
    given().when(rename(one, 'MACD')).thenRefused('SEARCH_NOT_FOUND');
    given(saved(one, 'MACD'), deleted(one)).when(rename(one, 'RSI')).thenRefused('SEARCH_NOT_FOUND');
  });
});

describe('looking at a search', () => {
  const look = (position: string) => ({ type: 'SeeSearch', ...about(one), position }) as const;

  it('moves forward only', () => {
    given(saved(one, 'MACD', '9'))
      .when(look('10'))
      .then(seen(one, '10'));
    given(saved(one, 'MACD', '9'))
      .when(look('9'))
      .thenNothing();
    given(saved(one, 'MACD', '9'), seen(one, '100'))
      .when(look('20'))
      .thenNothing();
  });

  it('refuses what is not there', () => {
    given().when(look('1')).thenRefused('SEARCH_NOT_FOUND');
  });
});

describe('deleting a search', () => {
  it('happens once', () => {
    given(saved(one, 'MACD'))
      .when({ type: 'DeleteSearch', ...about(one) })
      .then(deleted(one));
    given(saved(one, 'MACD'), deleted(one))
      .when({ type: 'DeleteSearch', ...about(one) })
      .thenNothing();
  });
});
