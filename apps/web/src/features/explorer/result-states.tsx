import type { Exploration } from '@tapedeck/explorer/contract';
import type { JSX, ReactNode } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { ApiError } from '../../app/base-query.ts';
import { formatWhole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { openBounds } from '../../ui/range-thumbs.ts';
import { boundsMoved, filtersReset, searchCleared } from './explorer.slice.ts';
import { pageSize } from './filters.ts';
import { rangeRepairs } from './repairs.ts';
import { StrategyCardSkeleton } from './strategy-card.tsx';
import { selectExplorer } from './use-filters.ts';

export const LoadingCards = (): JSX.Element => (
  <>
    <p className="visually-hidden" role="status">
      Loading strategies
    </p>
    <div className="cards">
      {Array.from({ length: pageSize }, (_, at) => (
        <StrategyCardSkeleton key={at} />
      ))}
    </div>
  </>
);

type RepairProps = Readonly<{ children: ReactNode; results?: number; onRepair: () => void }>;

const RepairButton = ({ children, results, onRepair }: RepairProps): JSX.Element => (
  <button type="button" onClick={onRepair}>
    <Icon name="x" small />
    <span>{children}</span>
    {results !== undefined && (
      <span className="n">
        {formatWhole(results)} {results === 1 ? 'result' : 'results'}
      </span>
    )}
  </button>
);

export const NoStrategies = ({ exploration }: Readonly<{ exploration: Exploration }>): JSX.Element => {
  const dispatch = useDispatch();
  const { filters } = useSelector(selectExplorer);
  const repairs = rangeRepairs(filters, exploration.histograms);
  const search = filters.search.trim();
  const canRepair = repairs.length > 0 || search !== '';
  return (
    <div className="empty" style={{ '--at': '62%' }}>
      <div className="tape" aria-hidden="true" />
      <h2>No strategies found.</h2> <p>Try adjusting your filters to see more results.</p>
      {canRepair && (
        <div className="repairs">
          {repairs.map(({ field, label, words, results }) => (
            <RepairButton
              key={field}
              results={results}
              onRepair={() => dispatch(boundsMoved({ field, bounds: openBounds }))}
            >
              Remove <b>{`${label} ${words}`}</b>
            </RepairButton>
          ))}
          {search && (
            <RepairButton onRepair={() => dispatch(searchCleared())}>
              Clear the search <b>“{search}”</b>
            </RepairButton>
          )}
        </div>
      )}
      <button className="linkish" type="button" onClick={() => dispatch(filtersReset())}>
        Clear all filters
      </button>
    </div>
  );
};

const reasonOf = ({ status, message }: ApiError): string => {
  if (status === 'network')
    return 'The server is not answering. Your filters are kept; nothing else is affected.';
  if (status === 503)
    return 'The search engine is not answering. Your filters are kept; nothing else is affected.';
  return message;
};

export type FailedProps = Readonly<{ error: ApiError; isRetrying: boolean; onRetry: () => void }>;

export const FailedStrategies = ({ error, isRetrying, onRetry }: FailedProps): JSX.Element => (
  <div className="empty" role="alert" style={{ '--at': '18%' }}>
    <div className="tape" aria-hidden="true" />
    <h2>Failed to fetch filtered strategies</h2>
    <p className="failure-words">{reasonOf(error)}</p>
    <button className="btn" type="button" aria-busy={isRetrying} onClick={onRetry}>
      <Icon name="refresh" />
      Try again
    </button>
    <p className="hint mono">
      {error.status}
      {error.requestId && ` · request ${error.requestId}`}
    </p>
  </div>
);
