import { skipToken } from '@reduxjs/toolkit/query';
import type { Exploration } from '@tapedeck/explorer/contract';
import { useState, type JSX } from 'react';
import { useDispatch } from 'react-redux';
import { formatWhole } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { filtersRemoved, filtersReset } from '../filter-state/filters.slice.ts';
import { addressOf, decodeFilters } from '../filter-state/filter-address.ts';
import { wordsOf } from '../filter-state/filter-words.ts';
import { defaultFilters, withoutFilters, type FilterId, type Filters } from '../filter-state/filters.ts';
import { runningCounts, useFoundCountsQuery, type CountsAsked } from './filter-suggestions.api.ts';
import {
  bestFirst,
  catalogueSize,
  rangeRepairs,
  singlesToAsk,
  togetherToAsk,
  type Repair,
} from './filter-suggestions.ts';
import { focusResults } from './results-title.ts';
import { useAbortOfSuperseded } from '../../../api/use-abort-of-superseded.ts';

const resultsWords = (results: number): string =>
  `${formatWhole(results)} ${results === 1 ? 'result' : 'results'}`;

const addressWithout = (filters: Filters, ids: readonly FilterId[]): string => {
  const { sortBy, sortOrder, scales } = defaultFilters;
  return addressOf({ ...withoutFilters(filters, ids), sortBy, sortOrder, scales });
};

type Counted = Readonly<{ repairs: readonly Repair[]; isWaiting: boolean }>;

/** Counts what removing each of the sets would give. */
const useCounted = (filters: Filters, sets: readonly (readonly FilterId[])[], position: string): Counted => {
  const queries = sets.map((ids) => addressWithout(filters, ids));
  const asked: CountsAsked | null = queries.length > 0 ? { queries, position } : null;
  const { currentData, isFetching } = useFoundCountsQuery(asked ?? skipToken);
  useAbortOfSuperseded(asked, runningCounts);
  const repairs = sets.map((ids, at) => ({ ids, results: currentData?.[at] ?? 0 }));
  return { repairs, isWaiting: asked !== null && currentData === undefined && isFetching };
};

const useRepairs = (filters: Filters, { histograms, meta }: Exploration): Counted => {
  const asked = useCounted(filters, singlesToAsk(filters), meta.position);
  const singles = bestFirst([...rangeRepairs(filters, histograms), ...asked.repairs]);
  const isHelpless = !asked.isWaiting && singles.length === 0;
  const together = useCounted(filters, isHelpless ? togetherToAsk(filters) : [], meta.position);
  return {
    repairs: isHelpless ? bestFirst(together.repairs) : singles,
    isWaiting: asked.isWaiting || together.isWaiting,
  };
};

const Removal = ({ filters, ids }: Readonly<{ filters: Filters; ids: readonly FilterId[] }>): JSX.Element => {
  const [first] = ids;
  if (ids.length === 1 && first === 'search') {
    return (
      <>
        Clear the search <b>{wordsOf(filters, first).words}</b>
      </>
    );
  }
  return (
    <>
      Remove{' '}
      {ids.map((id, at) => {
        const { name, words } = wordsOf(filters, id);
        return (
          <span key={id}>
            {at > 0 && (at === ids.length - 1 ? ' and ' : ', ')}
            <b>{`${name} ${words}`}</b>
          </span>
        );
      })}
    </>
  );
};

type RepairListProps = Readonly<Counted & { filters: Filters }>;

const RepairList = ({ filters, repairs, isWaiting }: RepairListProps): JSX.Element | null => {
  const dispatch = useDispatch();
  if (isWaiting) {
    return (
      <div className="repairs" role="status" aria-label="Looking for a filter to remove">
        <span className="skeleton" />
      </div>
    );
  }
  if (repairs.length === 0) return null;
  return (
    <div className="repairs" role="group" aria-label="Filters to remove">
      {repairs.map(({ ids, results }) => (
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
          <span className="n">{resultsWords(results)}</span>
        </button>
      ))}
    </div>
  );
};

type NoStrategiesProps = Readonly<{
  shown: Exploration;
  query: string;
  /** Whether `shown` answers `query`; until it does, what was said last stays. */
  isSettled: boolean;
}>;

export const NoStrategies = ({ shown, query, isSettled }: NoStrategiesProps): JSX.Element => {
  const dispatch = useDispatch();
  const [answered, setAnswered] = useState({ shown, query });
  if (isSettled && (answered.shown !== shown || answered.query !== query)) setAnswered({ shown, query });
  const filters = decodeFilters(new URLSearchParams(answered.query));
  const repairs = useRepairs(filters, answered.shown);
  const size = catalogueSize(answered.shown.histograms);
  return (
    <div className="empty" style={{ '--at': '62%' }} aria-busy={!isSettled}>
      <div className="tape" aria-hidden="true" />
      <h2>No strategies found.</h2> <p>Try adjusting your filters to see more results.</p>
      <RepairList filters={filters} {...repairs} />
      <button
        className="linkish"
        type="button"
        onClick={() => {
          dispatch(filtersReset());
          focusResults();
        }}
      >
        Clear all filters{size ? `: ${resultsWords(size)}` : ''}
      </button>
    </div>
  );
};
