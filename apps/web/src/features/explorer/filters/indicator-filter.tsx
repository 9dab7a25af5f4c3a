import { skipToken } from '@reduxjs/toolkit/query';
import type { IndicatorCatalogue } from '@tapedeck/strategies/contract';
import type { JSX } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { formatWhole } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { useRemembered } from '../../../ui/browser/use-remembered.ts';
import { filtersRemoved, searchChosen } from '../filter-state/filters.slice.ts';
import { addressOf, decodeFilters } from '../filter-state/filter-address.ts';
import { defaultFilters, withoutFilters } from '../filter-state/filters.ts';
import { runningTotals, useIndicatorsQuery, useIndicatorTotalsQuery } from './indicators.api.ts';
import { useAbortOfSuperseded } from '../../../api/use-abort-of-superseded.ts';
import { selectExplorer } from '../filter-state/use-filters.ts';

type Counts = Readonly<Record<string, number>> | undefined;
type Indicators = IndicatorCatalogue[string];

const openAtFirst = 'Trend,Momentum';

/** The search is this indicator's name, in whatever capitals. */
const isChosen = (search: string, name: string): boolean =>
  search.trim().toLowerCase() === name.toLowerCase();

/** What is found depends on the filters alone, and a chip replaces the search among them. */
const filtersAround = (query: string): string => {
  const { sortBy, sortOrder, scales } = defaultFilters;
  const filters = withoutFilters(decodeFilters(new URLSearchParams(query)), ['search']);
  return addressOf({ ...filters, sortBy, sortOrder, scales });
};

type ChipProps = Readonly<{ name: string; count: number | undefined }>;

const IndicatorChip = ({ name, count }: ChipProps): JSX.Element => {
  const dispatch = useDispatch();
  const { search } = useSelector(selectExplorer).filters;
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
  const { search } = useSelector(selectExplorer).filters;
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

type TroubleProps = Readonly<{ words: string; isBusy: boolean; onRetry: () => void }>;

const Trouble = ({ words, isBusy, onRetry }: TroubleProps): JSX.Element => (
  <p className="error" role="status">
    {words}
    <button className="linkish" type="button" aria-busy={isBusy} onClick={onRetry}>
      Try again
    </button>
  </p>
);

const Waiting = (): JSX.Element => (
  <div className="group-bones" role="status" aria-label="Loading indicators">
    {[1, 2, 3, 4, 5].map((bone) => (
      <span key={bone} className="skeleton" />
    ))}
  </div>
);

export type IndicatorFilterProps = Readonly<{
  query: string;
  /** Of the catalogue on show; null until there is one. */
  position: string | null;
  /** Nothing is asked for a panel that nobody sees. */
  isSeen: boolean;
}>;

export const IndicatorFilter = ({ query, position, isSeen }: IndicatorFilterProps): JSX.Element => {
  const [remembered, remember] = useRemembered('tapedeck.indicator-groups', openAtFirst);
  const open = remembered.split(',');
  const catalogue = useIndicatorsQuery(isSeen && position !== null ? position : skipToken);
  const groups = Object.entries(catalogue.data ?? {}).filter(([, indicators]) => indicators.length > 0);
  const isAsked = isSeen && position !== null && groups.some(([category]) => open.includes(category));
  const asked = isAsked ? { query: filtersAround(query), position } : null;
  const totals = useIndicatorTotalsQuery(asked ?? skipToken);
  useAbortOfSuperseded(asked, runningTotals);

  const toggle = (category: string, isOpen: boolean): void => {
    const others = open.filter((each) => each !== category && each !== '');
    remember((isOpen ? [...others, category] : others).join(','));
  };
  const failed = totals.error && 'status' in totals.error;
  return (
    <section aria-label="Technical indicators" aria-busy={totals.isFetching}>
      <h3>Technical indicators</h3>
      {catalogue.isError && (
        <Trouble
          words="The indicators could not be loaded."
          isBusy={catalogue.isFetching}
          onRetry={() => void catalogue.refetch()}
        />
      )}
      {!catalogue.data && !catalogue.isError && <Waiting />}
      {catalogue.data && groups.length === 0 && <p className="hint">No strategy names an indicator yet.</p>}
      {groups.map(([category, indicators]) => (
        <Group
          key={category}
          category={category}
          indicators={indicators}
          counts={failed ? undefined : totals.data?.counts}
          isOpen={open.includes(category)}
          onToggle={(isOpen) => toggle(category, isOpen)}
        />
      ))}
      {failed && asked && (
        <Trouble
          words="The counts could not be loaded."
          isBusy={totals.isFetching}
          onRetry={() => void totals.refetch()}
        />
      )}
    </section>
  );
};
