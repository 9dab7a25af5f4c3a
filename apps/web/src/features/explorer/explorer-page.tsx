import type { StrategyListItem } from '@tapedeck/explorer/contract';
import { useCallback, useEffect, useRef, useState, type JSX, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useDispatch } from 'react-redux';
import { Navigate } from 'react-router-dom';
import { formatWhole } from '../../ui/format.ts';
import { Pager } from '../../ui/pager.tsx';
import { useShortcuts, type Shortcut } from '../../ui/browser/shortcuts.ts';
import { narrowScreen, useMediaQuery } from '../../ui/browser/use-media-query.ts';
import { useRemembered } from '../../ui/browser/use-remembered.ts';
import { ActiveFilters } from './results/active-filters.tsx';
import { useCardEdges } from './results/card-edges.ts';
import { CompareButton } from './compare/compare-button.tsx';
import { CompareTray } from './compare/compare-tray.tsx';
import { pageTurned } from './filter-state/filters.slice.ts';
import { closePanelId, FilterPanel } from './filters/filter-panel.tsx';
import { lastReachablePage, pageSize } from './filter-state/filters.ts';
import { NoStrategies } from './results/no-strategies.tsx';
import { FailedStrategies, LoadingCards } from './results/result-states.tsx';
import { openPanelId, ResultsHead } from './results/results-head.tsx';
import { searchFieldId } from './filters/search-field.tsx';
import { StrategyCard } from './results/strategy-card.tsx';
import { BrushKeeper } from './slider/use-brush.ts';
import { useExploration, type ExplorationView } from './use-exploration.ts';
import { useFilters, useLeftAddress } from './filter-state/use-filters.ts';

export type ExplorerPageProps = Readonly<{
  chartImageOrigin: string;
  /** The button in the foot of a card; the explorer knows no favourites. */
  renderAction: (strategy: StrategyListItem) => ReactNode;
}>;

type ResultsProps = Readonly<ExplorerPageProps & { exploration: ExplorationView }>;

const Cards = ({ exploration, chartImageOrigin, renderAction }: ResultsProps): JSX.Element => {
  const { asked, shown, isSettled, error, isFetching, isFetchingRows, refresh } = exploration;
  const edges = useCardEdges(shown);
  const renderActions = useCallback(
    (strategy: StrategyListItem) => (
      <>
        <CompareButton urlId={strategy.url_id} strategyTitle={strategy.title} />
        {renderAction(strategy)}
      </>
    ),
    [renderAction],
  );
  if (error) return <FailedStrategies error={error} isRetrying={isFetching} onRetry={refresh} />;
  if (!shown) return <LoadingCards />;
  if (shown.total === 0) return <NoStrategies shown={shown} query={asked.query} isSettled={isSettled} />;
  return (
    <div className="cards" aria-busy={isFetchingRows}>
      {shown.strategies.map((strategy) => (
        <StrategyCard
          key={strategy.url_id}
          strategy={strategy}
          edges={edges}
          chartImageOrigin={chartImageOrigin}
          renderAction={renderActions}
        />
      ))}
    </div>
  );
};

const ResultsFoot = ({ exploration }: Pick<ResultsProps, 'exploration'>): JSX.Element | null => {
  const dispatch = useDispatch();
  const { shown, error } = exploration;
  if (!shown || error || shown.total === 0) return null;
  const { page, position, demo } = shown.meta;
  const pages = Math.min(shown.meta.pages, lastReachablePage);
  const first = (page - 1) * pageSize + 1;
  return (
    <nav className="results-foot" aria-label="Pages">
      <span className="meta">
        {formatWhole(first)}–{formatWhole(first + shown.strategies.length - 1)} of {formatWhole(shown.total)}
      </span>
      {pages > 1 && <Pager page={page} pages={pages} onTurn={(turned) => dispatch(pageTurned(turned))} />}
      {demo && <span className="badge only-narrow">demo data</span>}
      <span className="meta mono position" title="Position of the catalogue on the tape">
        tape {formatWhole(Number(position))}
      </span>
    </nav>
  );
};

/** An address may name a page that the filters no longer have. */
const useExistingPage = ({ shown, isSettled }: ExplorationView): void => {
  const dispatch = useDispatch();
  const isBeyond = isSettled && shown !== undefined && shown.total > 0 && shown.strategies.length === 0;
  const pages = shown?.meta.pages ?? 1;
  useEffect(() => {
    if (isBeyond) dispatch(pageTurned(Math.max(1, Math.min(pages, lastReachablePage))));
  }, [isBeyond, pages, dispatch]);
};

const focusSearch = (): void => {
  const field = document.getElementById(searchFieldId);
  if (!(field instanceof HTMLInputElement) || document.activeElement === field) return;
  field.select();
  field.focus();
};

const useExplorerShortcuts = ({ shown }: ExplorationView, openPanel: () => void): void => {
  const dispatch = useDispatch();
  const turn = (by: number): void => {
    const page = (shown?.meta.page ?? 1) + by;
    if (page >= 1 && page <= Math.min(shown?.meta.pages ?? 1, lastReachablePage)) dispatch(pageTurned(page));
  };
  const shortcuts: readonly Shortcut[] = [
    {
      id: 'search',
      key: '/',
      label: 'Search strategies',
      perform: () => {
        // The field must be there before the next key is.
        flushSync(openPanel);
        focusSearch();
        // An opened panel has put the focus on its own button.
        requestAnimationFrame(focusSearch);
      },
    },
    { id: 'previous-page', key: '[', label: 'Previous page', perform: () => turn(-1) },
    { id: 'next-page', key: ']', label: 'Next page', perform: () => turn(1) },
  ];
  useShortcuts(shortcuts);
};

const News = ({ hasNews, refresh }: ExplorationView): JSX.Element => (
  <span className="fresh" role="status">
    {hasNews && (
      <span className="fresh-words">
        New strategies:{' '}
        <button className="linkish" type="button" onClick={refresh}>
          refresh
        </button>
      </span>
    )}
  </span>
);

/** The button that was pressed leaves with the change; the focus goes to the one that undoes it. */
const useFocusOnToggle = (isOpen: boolean): void => {
  const was = useRef(isOpen);
  useEffect(() => {
    if (was.current === isOpen) return;
    was.current = isOpen;
    document.getElementById(isOpen ? closePanelId : openPanelId)?.focus();
  }, [isOpen]);
};

const Explorer = (props: ExplorerPageProps): JSX.Element => {
  const exploration = useExploration(useFilters());
  const isDrawer = useMediaQuery(narrowScreen);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [panel, rememberPanel] = useRemembered('tapedeck.filter-panel', 'open');
  const isOpen = isDrawer ? isDrawerOpen : panel === 'open';
  const setOpen = useCallback(
    (open: boolean): void => (isDrawer ? setDrawerOpen(open) : rememberPanel(open ? 'open' : 'closed')),
    [isDrawer, rememberPanel],
  );
  const close = useCallback(() => setOpen(false), [setOpen]);
  useExistingPage(exploration);
  useFocusOnToggle(isOpen);
  useExplorerShortcuts(exploration, () => setOpen(true));
  return (
    <div className="explorer" data-panel={isOpen ? 'open' : 'closed'}>
      <BrushKeeper exploration={exploration} />
      <FilterPanel exploration={exploration} isOpen={isOpen} isDrawer={isDrawer} onClose={close} />
      <main className="results" id="main" inert={isDrawer && isOpen}>
        <ResultsHead
          exploration={exploration}
          isPanelOpen={isOpen && !isDrawer}
          onOpenPanel={() => setOpen(true)}
        />
        <div className="active">
          <ActiveFilters />
          <News {...exploration} />
        </div>
        <Cards {...props} exploration={exploration} />
        <ResultsFoot exploration={exploration} />
        <CompareTray />
      </main>
    </div>
  );
};

export const ExplorerPage = (props: ExplorerPageProps): JSX.Element => {
  const left = useLeftAddress();
  return left === null ? <Explorer {...props} /> : <Navigate to={{ search: left }} replace />;
};
