import type { JSX, KeyboardEvent } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Icon } from '../../../ui/icon.tsx';
import { searchSubmitted, searchTyped } from '../filter-state/filters.slice.ts';
import { longestSearch } from '../filter-state/filters.ts';
import { selectExplorer } from '../filter-state/use-filters.ts';

export const searchFieldId = 'search-strategies';

const SlashKey = (): JSX.Element => (
  <kbd className="key" aria-hidden="true">
    /
  </kbd>
);

export const SearchField = ({ onSubmit }: Readonly<{ onSubmit: () => void }>): JSX.Element => {
  const dispatch = useDispatch();
  const { search } = useSelector(selectExplorer).filters;
  const onKeyDown = (event: KeyboardEvent): void => {
    // A first Escape empties the field, a second one is left to whatever is around it.
    if (event.key !== 'Escape' || search === '') return;
    event.stopPropagation();
    event.preventDefault();
    dispatch(searchTyped(''));
  };
  return (
    <form
      role="search"
      className="with-icon"
      onSubmit={(event) => {
        event.preventDefault();
        dispatch(searchSubmitted());
        onSubmit();
      }}
    >
      <Icon name="search" />
      <input
        id={searchFieldId}
        className="input"
        type="search"
        aria-label="Search strategies"
        aria-keyshortcuts="/"
        placeholder="Title, author, indicator, description"
        autoComplete="off"
        spellCheck={false}
        maxLength={longestSearch}
        value={search}
        onChange={(event) => dispatch(searchTyped(event.target.value))}
        onKeyDown={onKeyDown}
      />
      {search === '' && <SlashKey />}
    </form>
  );
};
