import type { JSX, KeyboardEvent } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Icon } from '../../../ui/icon.tsx';
import { searchSubmitted, searchTyped, selectFilters } from '../filter-state/filters.slice.ts';
import { maxSearchLength } from '../filter-state/filters.ts';

export const searchFieldId = 'search-strategies';

const SlashKey = (): JSX.Element => (
  <kbd className="key" aria-hidden="true">
    /
  </kbd>
);

export const SearchField = ({ onSubmit }: Readonly<{ onSubmit: () => void }>): JSX.Element => {
  const dispatch = useDispatch();
  const { search } = useSelector(selectFilters);
  const onKeyDown = (event: KeyboardEvent): void => {
    // The first Escape empties the field; a second one may close the panel.
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
        maxLength={maxSearchLength}
        value={search}
        onChange={(event) => dispatch(searchTyped(event.target.value))}
        onKeyDown={onKeyDown}
      />
      {search === '' && <SlashKey />}
    </form>
  );
};
