import { useEffect, type JSX } from 'react';
import { FocusScope } from 'react-aria/FocusScope';
import { useDispatch, useSelector } from 'react-redux';
import { formatWhole } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { filtersReset } from '../filter-state/filters.slice.ts';
import { FacetSlider } from '../slider/facet-slider.tsx';
import { facets, type Facet } from '../filter-state/facets.ts';
import { isDefault } from '../filter-state/filter-address.ts';
import { activeFilters } from '../filter-state/filters.ts';
import { IndicatorFilter } from './indicator-filter.tsx';
import { DayFilters, FlagFilters, SymbolField } from './other-filters.tsx';
import { PineField } from './pine-field.tsx';
import { PresetRow } from './preset-row.tsx';
import { SearchField } from './search-field.tsx';
import { useShownTotal } from '../slider/use-brush.ts';
import type { ExplorationView } from '../use-exploration.ts';
import { selectExplorer } from '../filter-state/use-filters.ts';

export type FilterPanelProps = Readonly<{
  exploration: ExplorationView;
  isOpen: boolean;
  /** On a narrow screen the panel lies over the page as a dialog. */
  isDrawer: boolean;
  onClose: () => void;
}>;

export const closePanelId = 'close-filters';

type SlidersProps = Readonly<{ exploration: ExplorationView; group: Facet['group']; label: string }>;

const Sliders = ({ exploration, group, label }: SlidersProps): JSX.Element => {
  const { shown, asked, newest, isSettled } = exploration;
  const catalogue = { catalogue: newest, unheard: asked.unheard };
  const { settle } = useSelector(selectExplorer);
  return (
    <section className="sliders" aria-label={label}>
      {facets
        .filter((facet) => facet.group === group)
        .map((facet) => (
          <FacetSlider
            key={facet.field}
            facet={facet}
            catalogue={catalogue}
            shown={shown}
            isPresent={isSettled && settle === 'still'}
          />
        ))}
    </section>
  );
};

type BodyProps = Readonly<{ exploration: ExplorationView; isOpen: boolean; onSubmit: () => void }>;

const PanelBody = ({ exploration, isOpen, onSubmit }: BodyProps): JSX.Element => {
  const { takeovers } = useSelector(selectExplorer);
  const { asked, shown } = exploration;
  return (
    <div className="filters-body">
      <section>
        <SearchField onSubmit={onSubmit} />
        <PresetRow />
      </section>
      <Sliders exploration={exploration} group="performance" label="Performance" />
      <section>
        <SymbolField />
      </section>
      <IndicatorFilter query={asked.query} position={shown?.meta.position ?? null} isSeen={isOpen} />
      {/* What is half typed ends with a reset, a link or the Back button. */}
      <section key={`version ${takeovers}`}>
        <PineField />
      </section>
      <section key={`days ${takeovers}`} className="dates">
        <DayFilters />
      </section>
      <Sliders exploration={exploration} group="popularity" label="Popularity and size" />
      <section className="flags">
        <FlagFilters />
      </section>
    </div>
  );
};

const PanelHead = ({ isDrawer, onClose }: Pick<FilterPanelProps, 'isDrawer' | 'onClose'>): JSX.Element => {
  const dispatch = useDispatch();
  const { filters } = useSelector(selectExplorer);
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

const useDrawer = (isOver: boolean, onClose: () => void): void => {
  useEffect(() => {
    if (!isOver) return;
    document.documentElement.dataset['drawer'] = 'open';
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) onClose();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => {
      delete document.documentElement.dataset['drawer'];
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [isOver, onClose]);
};

/** In a piece of its own, because it changes with every frame of a drag. */
const ShowWords = ({ total }: Readonly<{ total: number | undefined }>): JSX.Element => {
  const now = useShownTotal(total);
  return <>{now === undefined ? 'Show strategies' : `Show ${formatWhole(now)} strategies`}</>;
};

export const FilterPanel = ({ exploration, isOpen, isDrawer, onClose }: FilterPanelProps): JSX.Element => {
  const dispatch = useDispatch();
  const { filters } = useSelector(selectExplorer);
  const isOver = isDrawer && isOpen;
  useDrawer(isOver, onClose);
  const role = isDrawer ? { role: 'dialog', 'aria-modal': true } : { role: 'complementary' };
  return (
    <>
      <div className="filters" id="filters" aria-label="Filters" inert={!isOpen} {...role}>
        <FocusScope contain={isOver}>
          <PanelHead isDrawer={isDrawer} onClose={onClose} />
          <PanelBody
            exploration={exploration}
            isOpen={isOpen}
            onSubmit={isDrawer ? onClose : exploration.refreshIfNews}
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
                <ShowWords total={exploration.shown?.total} />
              </button>
            </div>
          )}
        </FocusScope>
      </div>
      {isOver && (
        <button className="scrim" type="button" tabIndex={-1} aria-hidden="true" onClick={onClose} />
      )}
    </>
  );
};
