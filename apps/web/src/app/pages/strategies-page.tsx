import type { StrategyListItem } from '@tapedeck/explorer/contract';
import type { JSX } from 'react';
import { useParams } from 'react-router-dom';
import { useClientConfigQuery } from '../../api/config.api.ts';
import { ExplorerPage, type ShownSearch } from '../../features/explorer/explorer-page.tsx';
import { describeSearch } from '../../features/explorer/filter-state/filter-text.ts';
import { SimilarStrategies } from '../../features/explorer/similar/similar-strategies.tsx';
import { StarButton, WideStarButton } from '../../features/favourites/star-button.tsx';
import { SavedSearchesButton } from '../../features/saved-searches/saved-searches-button.tsx';
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

/** `/strategy/:urlId`: the details of a strategy, with its star and similar strategies. */
export const StrategyPage = (): JSX.Element => {
  const { urlId = '' } = useParams();
  const { data: config } = useClientConfigQuery();
  return (
    <Strategy
      key={urlId}
      urlId={urlId}
      renderAction={({ title }) => <WideStarButton urlId={urlId} strategyTitle={title} />}
    >
      <SimilarStrategies
        urlId={urlId}
        chartImageOrigin={config?.chartImageOrigin ?? ''}
        renderAction={renderStar}
      />
    </Strategy>
  );
};
