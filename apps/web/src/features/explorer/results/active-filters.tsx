import { useEffect, useRef, type JSX } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Icon } from '../../../ui/icon.tsx';
import { filtersRemoved, filtersReset } from '../filter-state/filters.slice.ts';
import { wordsOf } from '../filter-state/filter-words.ts';
import { activeFilters } from '../filter-state/filters.ts';
import { focusResults } from './results-title.ts';
import { selectExplorer } from '../filter-state/use-filters.ts';

type ChipProps = Readonly<{ name: string; words: string; onRemove: () => void }>;

const FilterChip = ({ name, words, onRemove }: ChipProps): JSX.Element => (
  <li className="chip chip--filter" title={`${name} ${words}`}>
    <span className="chip-words">
      <i>{name}</i> <b>{words}</b>
    </span>
    <button className="chip-x" type="button" aria-label={`Remove filter ${name} ${words}`} onClick={onRemove}>
      <Icon name="x" small />
    </button>
  </li>
);

export const ActiveFilters = (): JSX.Element | null => {
  const dispatch = useDispatch();
  const { filters } = useSelector(selectExplorer);
  const list = useRef<HTMLUListElement>(null);
  const removedAt = useRef<number | null>(null);
  const active = activeFilters(filters);
  useEffect(() => {
    const at = removedAt.current;
    if (at === null) return;
    removedAt.current = null;
    const crosses = list.current?.querySelectorAll<HTMLElement>('.chip-x') ?? [];
    const next = crosses[Math.min(at, crosses.length - 1)];
    if (next) next.focus();
    else focusResults();
  });
  if (active.length === 0) return null;
  return (
    <ul className="chips" aria-label="Active filters" ref={list}>
      {active.map((id, at) => (
        <FilterChip
          key={id}
          {...wordsOf(filters, id)}
          onRemove={() => {
            removedAt.current = at;
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
