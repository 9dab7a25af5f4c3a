import { sortFields, sorts } from '@tapedeck/search-engine/contract';
import type { JSX, ReactNode } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { formatWhole } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { ExplorationView } from '../explorer.api.ts';
import { orderToggled, selectFilters, sortChosen } from '../filter-state/filters.slice.ts';
import { activeFilters } from '../filter-state/filters.ts';
import { useIsBrushing, useLiveTotal } from '../brush/use-brush.ts';
import { catalogueSize } from './filter-suggestions.ts';

const titleId = 'results-title';

/** For the focus of a button that disappears with a change of the filters. */
export const focusResults = (): void => document.getElementById(titleId)?.focus({ preventScroll: true });

export const openPanelId = 'open-filters';

const Sort = (): JSX.Element => {
  const dispatch = useDispatch();
  const { sortBy, sortOrder } = useSelector(selectFilters);
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
              {sorts[field].name}
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
        onClick={() => dispatch(orderToggled())}
      >
        <Icon name={isDescending ? 'sortDown' : 'sortUp'} />
      </button>
    </div>
  );
};

const Tally = ({ shown, error }: ExplorationView): JSX.Element => {
  const total = useLiveTotal(shown?.total);
  const isBrushing = useIsBrushing();
  const size = shown ? catalogueSize(shown.histograms) : null;
  if (!shown && !error) return <span className="skeleton tally-skeleton" aria-hidden="true" />;
  return (
    <span className="tally">
      {/* During a drag the total changes with every frame: a screen reader stays silent. */}
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
  /** Buttons for what can be done with the search on the screen. */
  tools: ReactNode;
}>;

export const ResultsHead = (props: ResultsHeadProps): JSX.Element => {
  const { exploration, isPanelOpen, onOpenPanel, tools } = props;
  const active = activeFilters(useSelector(selectFilters)).length;
  return (
    <div className="results-head">
      <div className="title">
        <h1 id={titleId} tabIndex={-1}>
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
        {tools}
        <Sort />
      </div>
    </div>
  );
};
