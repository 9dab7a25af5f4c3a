import { facetFields, facets, type Facet } from '@tapedeck/search-engine/contract';
import { useEffect, useState, type JSX } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useStoredChoice } from '../../../ui/browser/use-stored-choice.ts';
import { formatWhole } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { ExplorationView } from '../explorer.api.ts';
import {
  filtersReset,
  presetToggled,
  selectFilters,
  selectFilterState,
} from '../filter-state/filters.slice.ts';
import { activeFacets, activeFilters, isDefault } from '../filter-state/filters.ts';
import { isPresetOn, presetsOf, presetText } from '../filter-state/presets.ts';
import { FacetSlider } from './facet-slider.tsx';
import { useLiveTotal } from '../brush/use-brush.ts';
import { IndicatorFilter } from './indicator-filter.tsx';
import { DayFilters, FlagFilters, SymbolField } from './other-filters.tsx';
import { PineField } from './pine-field.tsx';
import { SearchField } from './search-field.tsx';

export type FilterPanelProps = Readonly<{
  exploration: ExplorationView;
  isOpen: boolean;
  /** On a narrow screen the panel lies over the page as a dialog. */
  isDrawer: boolean;
  onClose: () => void;
}>;

export const closePanelId = 'close-filters';

const Presets = (): JSX.Element => {
  const dispatch = useDispatch();
  const filters = useSelector(selectFilters);
  const [presets] = useState(() => presetsOf(new Date()));
  return (
    <div className="chips presets" role="group" aria-label="Presets">
      {presets.map((preset) => (
        <button
          key={preset.id}
          className="chip"
          type="button"
          aria-pressed={isPresetOn(filters, preset)}
          onClick={() => dispatch(presetToggled(preset))}
        >
          {preset.name}
          <span className="n">{presetText(preset)}</span>
        </button>
      ))}
    </div>
  );
};

type SlidersProps = Readonly<{ exploration: ExplorationView; group: Facet['group']; label: string }>;

const Sliders = ({ exploration, group, label }: SlidersProps): JSX.Element => {
  const { shown, options, newestCatalogue, isCurrent } = exploration;
  const catalogue = { catalogue: newestCatalogue, uncachedRequests: options.uncachedRequests };
  const { addressUpdate } = useSelector(selectFilterState);
  return (
    <section className="sliders" aria-label={label}>
      {facetFields
        .filter((field) => facets[field].group === group)
        .map((field) => (
          <FacetSlider
            key={field}
            field={field}
            catalogue={catalogue}
            shown={shown}
            isCurrent={isCurrent && addressUpdate === 'none'}
          />
        ))}
    </section>
  );
};

const moreFigures = facetFields.filter((field) => facets[field].group === 'more');

/** Figures beyond those of the panel's sections; opens when one of them becomes a filter, as by a link. */
const MoreFigures = ({ exploration }: Pick<SlidersProps, 'exploration'>): JSX.Element => {
  const filters = useSelector(selectFilters);
  const active = activeFacets(filters).filter((field) => moreFigures.includes(field)).length;
  const [choice, choose] = useStoredChoice('tapedeck.more-figures', 'closed');
  const [isOpen, setOpen] = useState(choice === 'open' || active > 0);
  const [previous, setPrevious] = useState(active);
  if (active !== previous) {
    setPrevious(active);
    if (active > previous) setOpen(true);
  }
  return (
    <section>
      <details
        className="group group--section"
        open={isOpen}
        onToggle={({ currentTarget }) => {
          if (currentTarget.open === isOpen) return;
          setOpen(currentTarget.open);
          choose(currentTarget.open ? 'open' : 'closed');
        }}
      >
        <summary>
          <Icon name="down" small />
          <span>More figures</span>
          {active > 0 && <b>{active} active</b>}
          {!isOpen && (
            <span className="hint">{moreFigures.map((field) => facets[field].label).join(', ')}</span>
          )}
        </summary>
        {/* Hidden sliders would be drawn in every frame of a drag. */}
        {isOpen && <Sliders exploration={exploration} group="more" label="More figures" />}
      </details>
    </section>
  );
};

type BodyProps = Readonly<{ exploration: ExplorationView; isOpen: boolean; onSubmit: () => void }>;

const PanelBody = ({ exploration, isOpen, onSubmit }: BodyProps): JSX.Element => {
  const { draftResets } = useSelector(selectFilterState);
  const { options, shown } = exploration;
  return (
    <div className="filters-body">
      <section>
        <SearchField onSubmit={onSubmit} />
        <Presets />
      </section>
      <Sliders exploration={exploration} group="performance" label="Performance" />
      <section>
        <SymbolField />
      </section>
      <IndicatorFilter query={options.query} position={shown?.meta.position ?? null} isVisible={isOpen} />
      {/* The keys discard half typed drafts on a reset, a link or the Back button. */}
      <section key={`version ${draftResets}`}>
        <PineField />
      </section>
      <section key={`days ${draftResets}`} className="dates">
        <DayFilters />
      </section>
      <Sliders exploration={exploration} group="popularity" label="Popularity and size" />
      <MoreFigures exploration={exploration} />
      <section className="flags">
        <FlagFilters />
      </section>
    </div>
  );
};

const PanelHead = ({ isDrawer, onClose }: Pick<FilterPanelProps, 'isDrawer' | 'onClose'>): JSX.Element => {
  const dispatch = useDispatch();
  const filters = useSelector(selectFilters);
  const active = activeFilters(filters).length;
  return (
    <div className="filters-head">
      <h2>Filters</h2>
      {active > 0 && <span className="badge badge--accent">{active} active</span>}
      <button
        className="btn btn--quiet btn--sm push"
        type="button"
        disabled={isDefault(filters)}
        onClick={() => dispatch(filtersReset())}
      >
        Reset
      </button>
      <button
        className="btn btn--quiet btn--sm btn--icon"
        type="button"
        id={closePanelId}
        aria-label="Close the filter panel"
        title="Close the panel"
        onClick={onClose}
      >
        <Icon name={isDrawer ? 'x' : 'panel'} />
      </button>
    </div>
  );
};

const useDrawer = (isOverPage: boolean, onClose: () => void): void => {
  useEffect(() => {
    if (!isOverPage) return;
    document.documentElement.dataset['drawer'] = 'open';
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) onClose();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => {
      delete document.documentElement.dataset['drawer'];
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [isOverPage, onClose]);
};

/** A component of its own, because it changes with every frame of a drag. */
const ShowStrategies = ({ total }: Readonly<{ total: number | undefined }>): JSX.Element => {
  const liveTotal = useLiveTotal(total);
  if (liveTotal === undefined) return <>Show strategies</>;
  return <>{liveTotal === 1 ? 'Show 1 strategy' : `Show ${formatWhole(liveTotal)} strategies`}</>;
};

export const FilterPanel = ({ exploration, isOpen, isDrawer, onClose }: FilterPanelProps): JSX.Element => {
  const dispatch = useDispatch();
  const filters = useSelector(selectFilters);
  const isOverPage = isDrawer && isOpen;
  useDrawer(isOverPage, onClose);
  const role = isDrawer ? { role: 'dialog', 'aria-modal': true } : { role: 'complementary' };
  return (
    <>
      <div className="filters" id="filters" aria-label="Filters" inert={!isOpen} {...role}>
        <PanelHead isDrawer={isDrawer} onClose={onClose} />
        <PanelBody
          exploration={exploration}
          isOpen={isOpen}
          onSubmit={isDrawer ? onClose : exploration.refreshIfUpdated}
        />
        {isDrawer && (
          <div className="filters-foot">
            <button
              className="btn"
              type="button"
              disabled={isDefault(filters)}
              onClick={() => dispatch(filtersReset())}
            >
              Reset
            </button>
            <button className="btn btn--primary" type="button" onClick={onClose}>
              <ShowStrategies total={exploration.shown?.total} />
            </button>
          </div>
        )}
      </div>
      {isOverPage && (
        <button className="scrim" type="button" tabIndex={-1} aria-hidden="true" onClick={onClose} />
      )}
    </>
  );
};
