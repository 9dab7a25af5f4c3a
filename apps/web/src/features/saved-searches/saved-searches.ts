import { maxSearchNameLength, type SavedSearch } from '@tapedeck/saved-searches/contract';
import { decodeFilters } from '../explorer/filter-state/filter-address.ts';
import { storedForm } from '../explorer/filter-state/filter-storage.ts';
import { wordsOf } from '../explorer/filter-state/filter-words.ts';
import { activeFilters, defaultFilters, type Filters } from '../explorer/filter-state/filters.ts';
import { sortNames } from '../explorer/filter-state/sort-names.ts';

const filterWords = (filters: Filters): readonly string[] =>
  activeFilters(filters).map((id) => {
    const { name, words } = wordsOf(filters, id);
    return id === 'search' ? words : `${name} ${words}`;
  });

const orderWords = ({ sortBy, sortOrder }: Filters): readonly string[] =>
  sortBy === defaultFilters.sortBy && sortOrder === defaultFilters.sortOrder
    ? []
    : [`by ${sortNames[sortBy]}, ${sortOrder === 'asc' ? 'ascending' : 'descending'}`];

/** Filters and order in one line: `“macd” · Max drawdown ≤ 20 % · by Likes, descending`. */
export const searchWords = (filters: Filters): string => {
  const words = filterWords(filters);
  return [...(words.length > 0 ? words : ['All strategies']), ...orderWords(filters)].join(' · ');
};

/** A name to begin with; it is there to be overwritten. */
export const suggestedName = (filters: Filters): string => {
  const name = (filterWords(filters).join(', ') || 'All strategies').replaceAll(/[“”\u00a0]/g, (mark) =>
    mark === '\u00a0' ? ' ' : '',
  );
  return name.length <= maxSearchNameLength ? name : `${name.slice(0, maxSearchNameLength - 1).trimEnd()}…`;
};

export const filtersOf = ({ query }: Pick<SavedSearch, 'query'>): Filters =>
  decodeFilters(new URLSearchParams(query));

/** The saved search that these filters are, whatever the page. */
export const savedAs = (searches: readonly SavedSearch[], filters: Filters): SavedSearch | undefined => {
  const form = storedForm(filters);
  return searches.find((search) => storedForm(filtersOf(search)) === form);
};

/** New matches of all searches together; 0 too when none are known. */
export const newMatchesOf = (searches: readonly SavedSearch[]): number =>
  searches.reduce((sum, { newMatches }) => sum + (newMatches ?? 0), 0);
