import { skipToken } from '@reduxjs/toolkit/query';
import type { Exploration } from '@tapedeck/explorer/contract';
import { useState, type JSX } from 'react';
import { useDispatch } from 'react-redux';
import { useAbortOfSuperseded } from '../../../api/use-abort-of-superseded.ts';
import { formatWhole } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { filterText } from '../filter-state/filter-text.ts';
import { filtersRemoved, filtersReset } from '../filter-state/filters.slice.ts';
import {
  countAddress,
  decodeFilters,
  withoutFilters,
  type FilterId,
  type Filters,
} from '../filter-state/filters.ts';
import {
  bestFirst,
  catalogueSize,
  jointRemovals,
  rangeSuggestions,
  singleRemovals,
  type FilterSuggestion,
} from './filter-suggestions.ts';
import { focusResults } from './results-head.tsx';
import { runningResultCounts, useResultCountsQuery, type ResultCountsOptions } from './suggestions.api.ts';

const resultsText = (results: number): string =>
  `${formatWhole(results)} ${results === 1 ? 'result' : 'results'}`;

type Suggestions = Readonly<{ suggestions: readonly FilterSuggestion[]; isLoading: boolean }>;

/** Requests the number of results without each set of filters. */
const useCountedRemovals = (
  filters: Filters,
  removals: readonly (readonly FilterId[])[],
  position: string,
): Suggestions => {
  const queries = removals.map((ids) => countAddress(withoutFilters(filters, ids)));
  const options: ResultCountsOptions | null = queries.length > 0 ? { queries, position } : null;
  const { currentData, isFetching } = useResultCountsQuery(options ?? skipToken);
  useAbortOfSuperseded(options, runningResultCounts);
  return {
    suggestions: removals.map((ids, index) => ({ ids, results: currentData?.[index] ?? 0 })),
    isLoading: options !== null && currentData === undefined && isFetching,
  };
};

const useSuggestions = (filters: Filters, { histograms, meta }: Exploration): Suggestions => {
  const single = useCountedRemovals(filters, singleRemovals(filters), meta.position);
  const best = bestFirst([...rangeSuggestions(filters, histograms), ...single.suggestions]);
  const needsJoint = !single.isLoading && best.length === 0;
  const joint = useCountedRemovals(filters, needsJoint ? jointRemovals(filters) : [], meta.position);
  return {
    suggestions: needsJoint ? bestFirst(joint.suggestions) : best,
    isLoading: single.isLoading || joint.isLoading,
  };
};

const Removal = ({ filters, ids }: Readonly<{ filters: Filters; ids: readonly FilterId[] }>): JSX.Element => {
  const [first] = ids;
  if (ids.length === 1 && first === 'search') {
    return (
      <>
        Clear the search <b>{filterText(filters, first).value}</b>
      </>
    );
  }
  return (
    <>
      Remove{' '}
      {ids.map((id, index) => {
        const { name, value } = filterText(filters, id);
        return (
          <span key={id}>
            {index > 0 && (index === ids.length - 1 ? ' and ' : ', ')}
            <b>{`${name} ${value}`}</b>
          </span>
        );
      })}
    </>
  );
};

type SuggestionListProps = Readonly<Suggestions & { filters: Filters }>;

const SuggestionList = ({ filters, suggestions, isLoading }: SuggestionListProps): JSX.Element | null => {
  const dispatch = useDispatch();
  if (isLoading) {
    return (
      <div className="suggestions" role="status" aria-label="Looking for a filter to remove">
        <span className="skeleton" />
      </div>
    );
  }
  if (suggestions.length === 0) return null;
  return (
    <div className="suggestions" role="group" aria-label="Filters to remove">
      {suggestions.map(({ ids, results }) => (
        <button
          key={ids.join()}
          type="button"
          onClick={() => {
            dispatch(filtersRemoved(ids));
            focusResults();
          }}
        >
          <Icon name="x" small />
          <span>
            <Removal filters={filters} ids={ids} />
            <span className="visually-hidden">: </span>
          </span>
          <span className="n">{resultsText(results)}</span>
        </button>
      ))}
    </div>
  );
};

type NoStrategiesProps = Readonly<{
  shown: Exploration;
  query: string;
  /** Whether `shown` answers `query`; until then the last suggestions stay. */
  isCurrent: boolean;
}>;

/** The empty list, with suggestions of filters to remove. */
export const NoStrategies = ({ shown, query, isCurrent }: NoStrategiesProps): JSX.Element => {
  const dispatch = useDispatch();
  const [answered, setAnswered] = useState({ shown, query });
  if (isCurrent && (answered.shown !== shown || answered.query !== query)) setAnswered({ shown, query });
  const filters = decodeFilters(answered.query);
  const suggestions = useSuggestions(filters, answered.shown);
  const size = catalogueSize(answered.shown.histograms);
  return (
    <div className="empty" style={{ '--position': '62%' }} aria-busy={!isCurrent}>
      <div className="tape" aria-hidden="true" />
      <h2>No strategies found.</h2> <p>Try adjusting your filters to see more results.</p>
      <SuggestionList filters={filters} {...suggestions} />
      <button
        className="linkish"
        type="button"
        onClick={() => {
          dispatch(filtersReset());
          focusResults();
        }}
      >
        Clear all filters{size ? `: ${resultsText(size)}` : ''}
      </button>
    </div>
  );
};
