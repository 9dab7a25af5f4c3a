import { useLayoutEffect, useRef, type JSX } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Icon } from '../../../ui/icon.tsx';
import { filterText, type FilterText } from '../filter-state/filter-text.ts';
import { filtersRemoved, filtersReset, selectFilters } from '../filter-state/filters.slice.ts';
import { activeFilters } from '../filter-state/filters.ts';
import { focusResults } from './results-head.tsx';

type ChipProps = FilterText & Readonly<{ onRemove: () => void }>;

const FilterChip = ({ name, value, onRemove }: ChipProps): JSX.Element => (
  <li className="chip chip--filter" title={`${name} ${value}`}>
    <span className="chip-text">
      <i>{name}</i> <b>{value}</b>
    </span>
    <button className="chip-x" type="button" aria-label={`Remove filter ${name} ${value}`} onClick={onRemove}>
      <Icon name="x" small />
    </button>
  </li>
);

/** A chip per filter. After a removal the focus goes to the next chip, or to the title when there is none. */
export const ActiveFilters = (): JSX.Element | null => {
  const dispatch = useDispatch();
  const filters = useSelector(selectFilters);
  const list = useRef<HTMLUListElement>(null);
  const removedIndex = useRef<number | null>(null);
  const active = activeFilters(filters);
  // A passive effect of an earlier render could run between the click and the removal, and focus the chip that is removed.
  useLayoutEffect(() => {
    const index = removedIndex.current;
    if (index === null) return;
    removedIndex.current = null;
    const removeButtons = list.current?.querySelectorAll<HTMLElement>('.chip-x') ?? [];
    const next = removeButtons[Math.min(index, removeButtons.length - 1)];
    if (next) next.focus();
    else focusResults();
  });
  if (active.length === 0) return null;
  return (
    <ul className="chips" aria-label="Active filters" ref={list}>
      {active.map((id, index) => (
        <FilterChip
          key={id}
          {...filterText(filters, id)}
          onRemove={() => {
            removedIndex.current = index;
            dispatch(filtersRemoved([id]));
          }}
        />
      ))}
      <li>
        <button
          className="linkish"
          type="button"
          onClick={() => {
            dispatch(filtersReset());
            focusResults();
          }}
        >
          Clear all
        </button>
      </li>
    </ul>
  );
};
