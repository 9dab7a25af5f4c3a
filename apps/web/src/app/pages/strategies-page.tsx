import type { StrategyListItem } from '@tapedeck/explorer/contract';
import type { JSX } from 'react';
import { useParams } from 'react-router-dom';
import { useClientConfigQuery } from '../../api/config.api.ts';
import { PerformanceChart } from '../../features/chart-capture/performance-chart.tsx';
import { CompareTray } from '../../features/explorer/compare/compare-tray.tsx';
import { WideCompareButton, wideCompareId } from '../../features/explorer/compare/compare-button.tsx';
import { ExplorerPage, type ShownSearch } from '../../features/explorer/explorer-page.tsx';
import { describeSearch } from '../../features/explorer/filter-state/filter-text.ts';
import { ResultNavigation } from '../../features/explorer/neighbours/result-navigation.tsx';
import { FigurePlace, FigureRank } from '../../features/explorer/places/figure-place.tsx';
import { SimilarStrategies } from '../../features/explorer/similar/similar-strategies.tsx';
import { StarButton, WideStarButton } from '../../features/favourites/star-button.tsx';
import { SavedSearchesButton } from '../../features/saved-searches/saved-searches-button.tsx';
import { usePrefetchStrategy } from '../../features/strategies/strategies.api.ts';
import { StrategyPage as Strategy } from '../../features/strategies/strategy-page.tsx';
import { usePageTitle } from '../../ui/browser/use-page-title.ts';

const renderStar = ({ url_id: urlId, title }: StrategyListItem): JSX.Element => (
  <StarButton key={urlId} urlId={urlId} strategyTitle={title} />
);

const renderSavedSearches = ({ address, hasUpdates }: ShownSearch): JSX.Element => (
  <SavedSearchesButton address={address} describe={describeSearch} hasUpdates={hasUpdates} />
);

/** `/strategies`: the explorer, with stars and saved searches. */
export const StrategiesPage = (): JSX.Element => {
  usePageTitle('Strategy Explorer · Tapedeck');
  const { data: config } = useClientConfigQuery();
  return (
    <ExplorerPage
      chartImageOrigin={config?.chartImageOrigin ?? ''}
      renderAction={renderStar}
      renderSearchTool={renderSavedSearches}
    />
  );
};

const focusCompare = (): void => document.getElementById(wideCompareId)?.focus({ preventScroll: true });

/** `/strategy/:urlId`: a strategy among the others: its star, comparison, places, neighbours and the similar ones. */
export const StrategyPage = (): JSX.Element => {
  const { urlId = '' } = useParams();
  const { data: config } = useClientConfigQuery();
  const chartImageOrigin = config?.chartImageOrigin ?? '';
  const prefetch = usePrefetchStrategy();
  return (
    <Strategy
      urlId={urlId}
      chartImageOrigin={chartImageOrigin}
      renderActions={({ title }) => (
        <>
          <WideStarButton key={urlId} urlId={urlId} strategyTitle={title} />
          <WideCompareButton urlId={urlId} strategyTitle={title} />
        </>
      )}
      renderPlace={(field, isLoss) => <FigurePlace urlId={urlId} field={field} isLoss={isLoss} />}
      renderRank={(field) => <FigureRank urlId={urlId} field={field} />}
      navigation={<ResultNavigation urlId={urlId} onIntent={prefetch} />}
      renderPerformance={({ title }) => <PerformanceChart key={urlId} urlId={urlId} strategyTitle={title} />}
    >
      <SimilarStrategies urlId={urlId} chartImageOrigin={chartImageOrigin} renderAction={renderStar} />
      <CompareTray focusAfterLast={focusCompare} />
    </Strategy>
  );
};
