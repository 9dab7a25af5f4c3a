import { sortFields } from '@tapedeck/search-engine/contract';
import type { JSX } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { formatWhole } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { orderTurned, sortChosen } from '../filter-state/filters.slice.ts';
import { activeFilters } from '../filter-state/filters.ts';
import { catalogueSize } from './filter-suggestions.ts';
import { SearchTools } from '../search-tools.tsx';
import { sortNames } from '../filter-state/sort-names.ts';
import { resultsTitleId } from './results-title.ts';
import { useIsBrushing, useShownTotal } from '../slider/use-brush.ts';
import type { ExplorationView } from '../use-exploration.ts';
import { selectExplorer } from '../filter-state/use-filters.ts';

export const openPanelId = 'open-filters';

const Sort = (): JSX.Element => {
  const dispatch = useDispatch();
  const { sortBy, sortOrder } = useSelector(selectExplorer).filters;
  const isDescending = sortOrder === 'desc';
  return (
    <div className="joined sort">
      <span className="select">
        <select
          aria-label="Sort by"
          value={sortBy}
          onChange={({ target }) => {
            const chosen = sortFields.find((field) => field === target.value);
            if (chosen) dispatch(sortChosen(chosen));
          }}
        >
          {sortFields.map((field) => (
            <option key={field} value={field}>
              {sortNames[field]}
            </option>
          ))}
        </select>
        <Icon name="down" />
      </span>
      <button
        className="btn btn--icon"
        type="button"
        aria-label={isDescending ? 'Descending: change to ascending' : 'Ascending: change to descending'}
        title={isDescending ? 'Descending' : 'Ascending'}
        onClick={() => dispatch(orderTurned())}
      >
        <Icon name={isDescending ? 'sortDown' : 'sortUp'} />
      </button>
    </div>
  );
};

const Tally = ({ shown, error }: ExplorationView): JSX.Element => {
  const total = useShownTotal(shown?.total);
  const isBrushing = useIsBrushing();
  const size = shown ? catalogueSize(shown.histograms) : null;
  if (!shown && !error) return <span className="skeleton tally-wait" aria-hidden="true" />;
  return (
    <span className="tally">
      {/* Sixty totals a second are to be seen, not to be read out. */}
      <span className="badge" role="status" aria-live={isBrushing ? 'off' : 'polite'}>
        {total !== undefined && !error && (
          <>
            <b>{formatWhole(total)}</b> {total === 1 ? 'result' : 'results'}
          </>
        )}
      </span>
      {!error && size !== null && size !== total && <span className="meta">of {formatWhole(size)}</span>}
    </span>
  );
};

export type ResultsHeadProps = Readonly<{
  exploration: ExplorationView;
  isPanelOpen: boolean;
  onOpenPanel: () => void;
}>;

export const ResultsHead = ({ exploration, isPanelOpen, onOpenPanel }: ResultsHeadProps): JSX.Element => {
  const active = activeFilters(useSelector(selectExplorer).filters).length;
  return (
    <div className="results-head">
      <div className="title">
        <h1 id={resultsTitleId} tabIndex={-1}>
          Strategy Explorer
        </h1>
        <span className="badge badge--accent">Beta</span>
        <Tally {...exploration} />
      </div>
      <div className="tools">
        {!isPanelOpen && (
          <button
            className="btn"
            type="button"
            id={openPanelId}
            aria-controls="filters"
            aria-expanded={false}
            onClick={onOpenPanel}
          >
            <Icon name="filter" />
            Filters
            {active > 0 && (
              <span className="count">
                {active}
                <span className="visually-hidden"> active</span>
              </span>
            )}
          </button>
        )}
        <SearchTools exploration={exploration} />
        <Sort />
      </div>
    </div>
  );
};
