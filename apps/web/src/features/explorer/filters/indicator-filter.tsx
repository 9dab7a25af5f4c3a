import { skipToken } from '@reduxjs/toolkit/query';
import type { IndicatorCatalogue } from '@tapedeck/strategies/contract';
import type { JSX } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useAbortOfSuperseded } from '../../../api/use-abort-of-superseded.ts';
import { useStoredChoice } from '../../../ui/browser/use-stored-choice.ts';
import { formatWhole } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { filtersRemoved, searchChosen, selectFilters } from '../filter-state/filters.slice.ts';
import { countAddress, decodeFilters, withoutFilters } from '../filter-state/filters.ts';
import { runningIndicatorTotals, useIndicatorsQuery, useIndicatorTotalsQuery } from './indicators.api.ts';

type Counts = Readonly<Record<string, number>> | undefined;
type Indicators = IndicatorCatalogue[string];

const openByDefault = 'Trend,Momentum';

/** Whether the search is this indicator's name, in any case of letters. */
const isChosen = (search: string, name: string): boolean =>
  search.trim().toLowerCase() === name.toLowerCase();

/** A chip replaces the search, so its count is that of the other filters. */
const addressWithoutSearch = (query: string): string =>
  countAddress(withoutFilters(decodeFilters(query), ['search']));

type ChipProps = Readonly<{ name: string; count: number | undefined }>;

const IndicatorChip = ({ name, count }: ChipProps): JSX.Element => {
  const dispatch = useDispatch();
  const { search } = useSelector(selectFilters);
  const isOn = isChosen(search, name);
  return (
    <button
      className="chip"
      type="button"
      aria-pressed={isOn}
      data-none={count === 0 || undefined}
      onClick={() => dispatch(isOn ? filtersRemoved(['search']) : searchChosen(name))}
    >
      {name}
      {count !== undefined && <span className="n">{formatWhole(count)}</span>}
    </button>
  );
};

type GroupProps = Readonly<{
  category: string;
  indicators: Indicators;
  counts: Counts;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}>;

const Group = ({ category, indicators, counts, isOpen, onToggle }: GroupProps): JSX.Element => {
  const { search } = useSelector(selectFilters);
  const chosen = indicators.find(({ indicator }) => isChosen(search, indicator));
  return (
    <details
      className="group"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== isOpen) onToggle(currentTarget.open);
      }}
    >
      <summary>
        <Icon name="down" small />
        {category}
        {!isOpen && chosen && <b>{chosen.indicator}</b>}
        <span className="hint">
          {indicators.length}
          <span className="visually-hidden"> indicators</span>
        </span>
      </summary>
      <div className="chips" role="group" aria-label={`${category} indicators`}>
        {indicators.map(({ id, indicator }) => (
          <IndicatorChip key={id} name={indicator} count={counts?.[indicator]} />
        ))}
      </div>
    </details>
  );
};

type FailureProps = Readonly<{ text: string; isRetrying: boolean; onRetry: () => void }>;

const Failure = ({ text, isRetrying, onRetry }: FailureProps): JSX.Element => (
  <p className="error" role="status">
    {text}
    <button className="linkish" type="button" aria-busy={isRetrying} onClick={onRetry}>
      Try again
    </button>
  </p>
);

const Loading = (): JSX.Element => (
  <div className="group-skeletons" role="status" aria-label="Loading indicators">
    {[1, 2, 3, 4, 5].map((line) => (
      <span key={line} className="skeleton" />
    ))}
  </div>
);

export type IndicatorFilterProps = Readonly<{
  query: string;
  /** Tape position of the catalogue on the screen; null until there is one. */
  position: string | null;
  /** Nothing is requested while the panel is closed. */
  isVisible: boolean;
}>;

export const IndicatorFilter = ({ query, position, isVisible }: IndicatorFilterProps): JSX.Element => {
  const [openGroups, setOpenGroups] = useStoredChoice('tapedeck.indicator-groups', openByDefault);
  const open = openGroups.split(',');
  const catalogue = useIndicatorsQuery(isVisible && position !== null ? position : skipToken);
  const groups = Object.entries(catalogue.data ?? {}).filter(([, indicators]) => indicators.length > 0);
  const isAnyOpen = groups.some(([category]) => open.includes(category));
  const options =
    isVisible && position !== null && isAnyOpen ? { query: addressWithoutSearch(query), position } : null;
  const totals = useIndicatorTotalsQuery(options ?? skipToken);
  useAbortOfSuperseded(options, runningIndicatorTotals);

  const toggle = (category: string, isOpen: boolean): void => {
    const others = open.filter((each) => each !== category && each !== '');
    setOpenGroups((isOpen ? [...others, category] : others).join(','));
  };
  const isFailed = totals.error !== undefined && 'status' in totals.error;
  return (
    <section aria-label="Technical indicators" aria-busy={totals.isFetching}>
      <h3>Technical indicators</h3>
      {catalogue.error && (
        <Failure
          text="The indicators could not be loaded."
          isRetrying={catalogue.isFetching}
          onRetry={() => void catalogue.refetch()}
        />
      )}
      {!catalogue.data && !catalogue.error && <Loading />}
      {catalogue.data && groups.length === 0 && <p className="hint">No strategy has indicators yet.</p>}
      {groups.map(([category, indicators]) => (
        <Group
          key={category}
          category={category}
          indicators={indicators}
          counts={isFailed ? undefined : totals.data?.counts}
          isOpen={open.includes(category)}
          onToggle={(isOpen) => toggle(category, isOpen)}
        />
      ))}
      {isFailed && options && (
        <Failure
          text="The counts could not be loaded."
          isRetrying={totals.isFetching}
          onRetry={() => void totals.refetch()}
        />
      )}
    </section>
  );
};
