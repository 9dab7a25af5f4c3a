import type { StrategyListItem } from '@tapedeck/explorer/contract';
import { useCallback, useEffect, useMemo, useRef, useState, type JSX, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useDispatch, useSelector } from 'react-redux';
import { Navigate } from 'react-router-dom';
import { isNotIncluded } from '../../api/base-api.ts';
import { problemText } from '../../api/problem-text.ts';
import { useCommands, type Shortcut } from '../../ui/browser/shortcuts.ts';
import { useAppearing } from '../../ui/browser/use-appearing.ts';
import { useInertOutside } from '../../ui/browser/use-inert-outside.ts';
import { narrowScreen, useMediaQuery } from '../../ui/browser/use-media-query.ts';
import { useStoredChoice } from '../../ui/browser/use-stored-choice.ts';
import { formatWhole } from '../../ui/format.ts';
import { MessagePage } from '../../ui/message-page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { StillWorking } from '../../ui/pending.tsx';
import { UpgradeLink } from '../../ui/upgrade-notice.tsx';
import { CompareButton } from './compare/compare-button.tsx';
import { CompareTray } from './compare/compare-tray.tsx';
import { useExploration, type ExplorationView } from './explorer.api.ts';
import { ExportButton } from './export/export-button.tsx';
import { pageChosen, selectFilters, useAddressToRestore } from './filter-state/filters.slice.ts';
import {
  addressWithoutPage,
  decodeFilters,
  maxPage,
  pageSize,
  resultAddress,
} from './filter-state/filters.ts';
import { closePanelId, FilterPanel } from './filters/filter-panel.tsx';
import { searchFieldId } from './filters/search-field.tsx';
import { ActiveFilters } from './results/active-filters.tsx';
import { BusyNotice, FailedStrategies, isBusy } from './results/failed-strategies.tsx';
import { NoStrategies } from './results/no-strategies.tsx';
import { focusResults, openPanelId, ResultsHead } from './results/results-head.tsx';
import { CardSkeletons, StrategyCard, useCardEdges } from './results/strategy-card.tsx';
import { BrushSync } from './brush/use-brush.ts';

/** The search on the screen, for what other features can do with it. */
export type ShownSearch = Readonly<{
  /** Its address without the page. */
  address: string;
  /** The catalogue has changed since the results were loaded. */
  hasUpdates: boolean;
}>;

export type ExplorerPageProps = Readonly<{
  chartImageOrigin: string;
  /** A button in the foot of a card, from another feature. */
  renderAction: (strategy: StrategyListItem) => ReactNode;
  /** A button beside the export, from another feature. */
  renderSearchTool: (search: ShownSearch) => ReactNode;
}>;

type CardsProps = Readonly<
  Pick<ExplorerPageProps, 'chartImageOrigin' | 'renderAction'> & { exploration: ExplorationView }
>;

const Cards = ({ exploration, chartImageOrigin, renderAction }: CardsProps): JSX.Element => {
  const { options, isCurrent, error, isFetching, isFetchingRows, refresh } = exploration;
  const shown = useAppearing(exploration.shown);
  const edges = useCardEdges(shown);
  const result = useMemo(() => resultAddress(decodeFilters(options.query)), [options.query]);
  const first = ((shown?.meta.page ?? 1) - 1) * pageSize;
  const renderActions = useCallback(
    (strategy: StrategyListItem) => (
      <>
        <CompareButton urlId={strategy.url_id} strategyTitle={strategy.title} />
        {renderAction(strategy)}
      </>
    ),
    [renderAction],
  );
  const retry = { isRetrying: isFetching, onRetry: refresh };
  if (error && !(shown && isBusy(error))) return <FailedStrategies error={error} {...retry} />;
  if (!shown) {
    return (
      <>
        <p className="visually-hidden" role="status">
          Loading strategies
        </p>
        <StillWorking />
        <div className="cards">
          <CardSkeletons count={pageSize} />
        </div>
      </>
    );
  }
  if (shown.total === 0 && !error)
    return <NoStrategies shown={shown} query={options.query} isCurrent={isCurrent} />;
  return (
    <>
      {error && <BusyNotice error={error} {...retry} />}
      <div className="cards" aria-busy={isFetchingRows}>
        {shown.strategies.map((strategy, index) => (
          <StrategyCard
            key={strategy.url_id}
            strategy={strategy}
            edges={edges}
            chartImageOrigin={chartImageOrigin}
            renderAction={renderActions}
            result={result}
            position={first + index}
          />
        ))}
      </div>
    </>
  );
};

const ResultsFoot = ({ exploration }: Pick<CardsProps, 'exploration'>): JSX.Element | null => {
  const dispatch = useDispatch();
  const { shown, error } = exploration;
  if (!shown || error || shown.total === 0) return null;
  const { page, position, demo } = shown.meta;
  const pages = Math.min(shown.meta.pages, maxPage);
  const first = (page - 1) * pageSize + 1;
  return (
    <nav className="results-foot" aria-label="Pages">
      <span className="meta">
        {formatWhole(first)}–{formatWhole(first + shown.strategies.length - 1)} of {formatWhole(shown.total)}
      </span>
      {pages > 1 && <Pager page={page} pages={pages} onPage={(chosen) => dispatch(pageChosen(chosen))} />}
      {demo && <span className="badge only-narrow">demo data</span>}
      <span className="meta mono position" title="Position of the catalogue on the tape">
        tape {formatWhole(Number(position))}
      </span>
    </nav>
  );
};

/** Goes to the last page if the address names a later one. */
const useExistingPage = ({ shown, isCurrent }: ExplorationView): void => {
  const dispatch = useDispatch();
  const isBeyond = isCurrent && shown !== undefined && shown.total > 0 && shown.strategies.length === 0;
  const pages = shown?.meta.pages ?? 1;
  useEffect(() => {
    if (isBeyond) dispatch(pageChosen(Math.max(1, Math.min(pages, maxPage))));
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
  const turnPage = (by: number): void => {
    const page = (shown?.meta.page ?? 1) + by;
    if (page >= 1 && page <= Math.min(shown?.meta.pages ?? 1, maxPage)) dispatch(pageChosen(page));
  };
  const shortcuts: readonly Shortcut[] = [
    {
      id: 'search',
      key: '/',
      label: 'Search strategies',
      perform: () => {
        // The next key must already be typed into the field.
        flushSync(openPanel);
        focusSearch();
        // Opening the panel moves the focus to its button.
        requestAnimationFrame(focusSearch);
      },
    },
    { id: 'previous-page', key: '[', label: 'Previous page', perform: () => turnPage(-1) },
    { id: 'next-page', key: ']', label: 'Next page', perform: () => turnPage(1) },
  ];
  useCommands(shortcuts);
};

const Updates = ({ hasUpdates, refresh }: ExplorationView): JSX.Element => (
  <span className="updates" role="status">
    {hasUpdates && (
      <span className="updates-text">
        New strategies:{' '}
        <button className="linkish" type="button" onClick={refresh}>
          refresh
        </button>
      </span>
    )}
  </span>
);

/**
 * The pressed button disappears; the focus goes to the button that undoes the change. It stays where it is when the panel
 * opens or closes because the window has got wider or narrower.
 */
const useFocusOnToggle = (isOpen: boolean, isDrawer: boolean): void => {
  const before = useRef({ isOpen, isDrawer });
  useEffect(() => {
    const { current: was } = before;
    before.current = { isOpen, isDrawer };
    if (was.isOpen === isOpen || was.isDrawer !== isDrawer) return;
    document.getElementById(isOpen ? closePanelId : openPanelId)?.focus();
  }, [isOpen, isDrawer]);
};

const Explorer = (props: ExplorerPageProps): JSX.Element => {
  const { chartImageOrigin, renderAction, renderSearchTool } = props;
  const exploration = useExploration();
  const filters = useSelector(selectFilters);
  const isDrawer = useMediaQuery(narrowScreen);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [panel, choosePanel] = useStoredChoice('tapedeck.filter-panel', 'open');
  const isOpen = isDrawer ? isDrawerOpen : panel === 'open';
  const setOpen = useCallback(
    (open: boolean): void => (isDrawer ? setDrawerOpen(open) : choosePanel(open ? 'open' : 'closed')),
    [isDrawer, choosePanel],
  );
  const close = useCallback(() => setOpen(false), [setOpen]);
  const page = useRef<HTMLDivElement>(null);
  useInertOutside(page, isDrawer && isOpen);
  useExistingPage(exploration);
  useFocusOnToggle(isOpen, isDrawer);
  useExplorerShortcuts(exploration, () => setOpen(true));
  if (isNotIncluded(exploration.error)) {
    return (
      <MessagePage
        title="Strategy Explorer"
        text={problemText(exploration.error, 'Your plan does not include it.')}
      >
        <UpgradeLink />
      </MessagePage>
    );
  }
  return (
    <div className="explorer" ref={page} data-panel={isOpen ? 'open' : 'closed'}>
      <BrushSync exploration={exploration} />
      <FilterPanel exploration={exploration} isOpen={isOpen} isDrawer={isDrawer} onClose={close} />
      <main className="results" id="main" inert={isDrawer && isOpen}>
        <ResultsHead
          exploration={exploration}
          isPanelOpen={isOpen && !isDrawer}
          onOpenPanel={() => setOpen(true)}
          tools={
            <>
              {renderSearchTool({
                address: addressWithoutPage(filters),
                hasUpdates: exploration.hasUpdates,
              })}
              <ExportButton total={exploration.shown?.total} />
            </>
          }
        />
        <div className="active">
          <ActiveFilters />
          <Updates {...exploration} />
        </div>
        <Cards exploration={exploration} chartImageOrigin={chartImageOrigin} renderAction={renderAction} />
        <ResultsFoot exploration={exploration} />
        <CompareTray focusAfterLast={focusResults} />
      </main>
    </div>
  );
};

export const ExplorerPage = (props: ExplorerPageProps): JSX.Element => {
  const address = useAddressToRestore();
  return address === null ? <Explorer {...props} /> : <Navigate to={{ search: address }} replace />;
};
