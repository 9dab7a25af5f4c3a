import type { JSX } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Icon } from '../../ui/icon.tsx';
import { openBounds } from '../../ui/range-thumbs.ts';
import { boundsMoved, filtersReset, searchCleared } from './explorer.slice.ts';
import { facets } from './facets.ts';
import { activeFacets } from './filters.ts';
import { boundsWords } from './repairs.ts';
import { selectExplorer } from './use-filters.ts';

type ChipProps = Readonly<{ name: string; words: string; onRemove: () => void }>;

const FilterChip = ({ name, words, onRemove }: ChipProps): JSX.Element => (
  <li className="chip chip--filter">
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
  const active = activeFacets(filters);
  const search = filters.search.trim();
  if (active.length === 0 && search === '') return null;
  return (
    <ul className="chips" aria-label="Active filters">
      {search && (
        <FilterChip name="Search" words={`“${search}”`} onRemove={() => dispatch(searchCleared())} />
      )}
      {facets
        .filter(({ field }) => active.includes(field))
        .map((facet) => (
          <FilterChip
            key={facet.field}
            name={facet.label}
            words={boundsWords(facet, filters.ranges[facet.field])}
            onRemove={() => dispatch(boundsMoved({ field: facet.field, bounds: openBounds }))}
          />
        ))}
      <li>
        <button className="linkish" type="button" onClick={() => dispatch(filtersReset())}>
          Clear all
        </button>
      </li>
    </ul>
  );
};
